import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

const COOKIE = 'shop_session';
const ONE_DAY_SECONDS = 86_400;

export interface CartLine {
  id: string;
  slug: string;
  size: string;
  quantity: number;
}

/** The server's state of one browser; the cookie has only a random id. */
export interface Visitor {
  user: string | undefined;
  /** Label from `?run=`, stored with everything this browser commits, so that orders can be counted per run. */
  run: string | undefined;
  cart: CartLine[];
  /** The cart at the time of a checkout form, by the form's nonce: a second submit buys the same again. */
  checkouts: Map<string, CartLine[]>;
}

/** Bindings are absent when a test asks the app without a socket. */
export type ShopEnv = { Bindings: Partial<HttpBindings>; Variables: { visitor: Visitor } };

interface Visitors {
  identify: MiddlewareHandler<ShopEnv>;
  reset(): void;
}

export function createVisitors(): Visitors {
  const visitors = new Map<string, Visitor>();
  return {
    identify: async function identify(c, next) {
      let visitor = visitors.get(getCookie(c, COOKIE) ?? '');
      if (visitor === undefined) {
        const id = randomUUID();
        visitor = { user: undefined, run: undefined, cart: [], checkouts: new Map() };
        visitors.set(id, visitor);
        // A persistent cookie: a browser that restarts on the same profile stays signed in.
        setCookie(c, COOKIE, id, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge: ONE_DAY_SECONDS });
      }
      const run = c.req.query('run');
      if (run !== undefined && run !== '') visitor.run = run;
      c.set('visitor', visitor);
      await next();
    },
    reset: () => visitors.clear(),
  };
}
