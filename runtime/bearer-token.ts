import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, which nobody guesses. */
export function newBearerToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns whether an Authorization header carries this token, in the same time for every other one. */
export function bearerCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = digestOf(`Bearer ${token}`);
  return (authorization) => timingSafeEqual(digestOf(authorization ?? ''), expected);
}

/** Digests have equal lengths. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
