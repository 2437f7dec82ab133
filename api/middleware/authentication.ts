import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { ERRORS } from '../../contracts/errors/error-codes';
import type { ApiContext, ApiEnv } from '../context';
import { HttpError } from '../error-response';

/** Requires the bearer token (SUREFOOT_API_TOKEN); anything else is FA002. */
export function requireToken(token: string): MiddlewareHandler<ApiEnv> {
  const expected = digestOf(token);
  return async (c, next) => {
    const given = bearerOf(c);
    // Digests have equal lengths and are compared in constant time.
    if (given === undefined || !timingSafeEqual(digestOf(given), expected)) {
      throw unauthorised(
        'the header Authorization: Bearer with the token of this API',
        given === undefined ? 'none' : 'another one',
      );
    }
    await next();
  };
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

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
