import type { MiddlewareHandler } from 'hono';
import { ERRORS } from '../../contracts/errors/error-codes';
import type { ApiContext, ApiEnv } from '../http/context';
import { hasPageCookie, isSame } from '../http/page-cookie';
import { HttpError } from '../http/error-response';

/** Requires the bearer token (SUREFOOT_API_TOKEN), or the cookie of a page that has signed in with it; anything else is FA002. */
export function requireToken(token: string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (!hasToken(c, token) && !hasPageCookie(c, token)) {
      const got = bearerOf(c) === undefined ? 'none' : 'another one';
      throw unauthorised('the header Authorization: Bearer with the token of this API', got);
    }
    await next();
  };
}

/** Whether a request brings the token. */
export function hasToken(c: ApiContext, token: string): boolean {
  const given = bearerOf(c);
  return given !== undefined && isSame(given, token);
}

export function bearerOf(c: ApiContext): string | undefined {
  return /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
}

export function unauthorised(expected: string, got = 'another one'): HttpError {
  return new HttpError({
    status: 401,
    code: 'FA002',
    message: `Expected ${expected}, got ${got}.`,
    retryable: ERRORS.FA002.retryable,
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
