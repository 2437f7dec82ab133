import { z } from 'zod';
import type { ApiTag } from '../http/tags';
import type { ApiContext, ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { hasPageCookie, isSame, removePageCookie, setPageCookie } from '../http/page-cookie';
import { unauthorised } from '../middleware/authentication';
import { dataOf, errorResponses, jsonBody } from '../openapi/responses';

const SignInSchema = z.object({
  state: z.enum(['signed-in', 'may-look', 'signed-out']).meta({
    description: '`may-look`: reading needs no token here, and acting is for pages that have signed in',
  }),
  signsInWith: z.enum(['token', 'page-key']).optional().meta({
    description:
      'What to sign in with: SUREFOOT_API_TOKEN, or the key that the local stack prints; absent where neither is set',
  }),
});
type SignIn = z.infer<typeof SignInSchema>;

const COMMON = { path: '/v1/sign-in', tags: ['Service'] as ApiTag[] } as const;

/** A page of this API signs in: the browser gets a cookie in place of the token, which no script can read. */
export function signInRoutes({ callers: { token, pageKey } = {} }: ApiParts) {
  const key = token ?? pageKey;
  const stateOf = (c: ApiContext): SignIn['state'] => {
    if (key !== undefined && hasPageCookie(c, key)) return 'signed-in';
    return token === undefined ? 'may-look' : 'signed-out';
  };
  const answer = (c: ApiContext, state: SignIn['state']) => {
    c.header('Cache-Control', 'no-store');
    const signsInWith = token !== undefined ? 'token' : pageKey !== undefined ? 'page-key' : undefined;
    return respond(c, { state, ...(signsInWith === undefined ? {} : { signsInWith }) } satisfies SignIn, 200);
  };
  return [
    defineRoute(
      {
        ...COMMON,
        method: 'get',
        access: 'open',
        operationId: 'showSignIn',
        summary: 'Whether the page that asks has signed in',
        responses: { 200: dataOf(SignInSchema, 'What it may do') },
      },
      async (c) => answer(c, stateOf(c)),
    ),
    defineRoute(
      {
        ...COMMON,
        method: 'post',
        access: 'sign-in',
        operationId: 'signIn',
        summary: 'Sign a page of this API in, with its token or the key of the local stack',
        description:
          'Sets a cookie that no script can read, for 30 days. Programs send the token with each request instead.',
        request: { body: jsonBody(z.strictObject({ key: z.string().min(1).max(1000) })) },
        responses: { 200: dataOf(SignInSchema, 'It is signed in'), ...errorResponses(400, 401, 413, 415) },
      },
      async (c) => {
        if (key === undefined || !isSame(c.req.valid('json').key, key))
          throw unauthorised(
            token === undefined ? 'the key that the start of the stack has printed' : 'the token of this API',
          );
        setPageCookie(c, key);
        return answer(c, 'signed-in');
      },
    ),
    defineRoute(
      {
        ...COMMON,
        method: 'delete',
        access: 'sign-in',
        operationId: 'signOut',
        summary: 'Sign the page out: its browser forgets the cookie',
        responses: { 200: dataOf(SignInSchema, 'It is signed out') },
      },
      async (c) => {
        if (key !== undefined) removePageCookie(c, key);
        return answer(c, token === undefined ? 'may-look' : 'signed-out');
      },
    ),
  ] as const;
}
