import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from './context';

/** What is asked of whoever calls a route. */
interface Requirements {
  /** The token of the API, where one is set. */
  needsToken: boolean;
  /** The request counts against the rate limit of its address. */
  isCounted: boolean;
  /** Pages of other origins get through to the route, which checks them itself. */
  takesAnyPage: boolean;
}

/** What is asked by every route that declares nothing, and where there is no route. */
const CLOSED: Requirements = { needsToken: true, isCounted: true, takesAnyPage: false };

/** What a route may declare in its own definition. */
const DECLARED = {
  /** For what is the same for everybody and says nothing of a session: documentation, and whether the API is up. */
  open: { needsToken: false, isCounted: false, takesAnyPage: false },
  /** The route checks the token of a browser, which an extension or a page of any origin may bring. */
  'browser-token': { needsToken: false, isCounted: true, takesAnyPage: true },
  /** The token, also from pages of other origins that the route knows. */
  'listed-pages': { needsToken: true, isCounted: true, takesAnyPage: true },
  /** Guesses of a token are counted. */
  'sign-in': { needsToken: false, isCounted: true, takesAnyPage: false },
  /** The question of a browser whether a page may ask, which can bring no token. The route answers it and does nothing. */
  preflight: { needsToken: false, isCounted: true, takesAnyPage: true },
} satisfies Record<string, Requirements>;
export type Access = keyof typeof DECLARED;

const declarations = new Map<unknown, Requirements>();

/** Declares the access of a route: one of its own handlers, so that it stands in its definition. */
export const declareAccess = Object.fromEntries(
  Object.entries(DECLARED).map(([access, requirements]) => {
    const declaration: MiddlewareHandler<ApiEnv> = (_, next) => next();
    declarations.set(declaration, requirements);
    return [access, declaration];
  }),
) as Record<Access, MiddlewareHandler<ApiEnv>>;

/** Whether the request is answered by the route at which a page signs in. */
export function isSigningIn(c: Context): boolean {
  return matchedRoutes(c).some(({ handler }) => declarations.get(handler) === DECLARED['sign-in']);
}

/**
 * Returns what is asked of a request. It is read from the match by which the request is answered, so no spelling of a path
 * is asked for less than its route is. Where several routes match, all of them have to declare the same.
 */
export function requirementsOf(c: Context): Requirements {
  const byPath = new Map<string, Requirements | undefined>();
  for (const { method, path, handler } of matchedRoutes(c))
    if (method !== 'ALL') byPath.set(path, byPath.get(path) ?? declarations.get(handler));
  const [declared, ...others] = new Set(byPath.values());
  return declared === undefined || others.length > 0 ? CLOSED : declared;
}
