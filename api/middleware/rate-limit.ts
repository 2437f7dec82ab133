import type { MiddlewareHandler } from 'hono';
import { ERRORS } from '../../contracts/errors/error-codes';
import type { ApiContext, ApiEnv } from '../context';
import { HttpError } from '../error-response';

const MINUTE_MS = 60_000;
/** More callers than this are not told apart any more: those who were quiet for a minute are forgotten first. */
const MAX_CALLERS = 10_000;

/** A bucket that fills up again by itself: what a caller may still send, and when that was so. */
interface Bucket {
  left: number;
  at: number;
}

/**
 * FA003: what comes from one address may be so many requests a minute, and so many at once. A request that is refused as
 * not valid costs nothing.
 */
export function limitRequests(
  perMinute: number,
  now: () => number = () => performance.now(),
): MiddlewareHandler<ApiEnv> {
  const buckets = new Map<string, Bucket>();
  const fill = (bucket: Bucket, at: number): Bucket => {
    const left = Math.min(perMinute, bucket.left + ((at - bucket.at) * perMinute) / MINUTE_MS);
    return { left, at };
  };

  return async (c, next) => {
    const caller = callerOf(c);
    const at = now();
    const bucket = fill(buckets.get(caller) ?? { left: perMinute, at }, at);
    if (bucket.left < 1) throw tooMany(perMinute, Math.ceil(((1 - bucket.left) * MINUTE_MS) / perMinute / 1000));
    buckets.delete(caller);
    buckets.set(caller, { ...bucket, left: bucket.left - 1 });
    if (buckets.size > MAX_CALLERS) buckets.delete(buckets.keys().next().value!);
    await next();
    const isInvalid = c.res.status === 400 || c.res.status === 413 || c.res.status === 415;
    const spent = buckets.get(caller);
    if (isInvalid && spent !== undefined) buckets.set(caller, { ...spent, left: spent.left + 1 });
  };
}

function callerOf(c: ApiContext): string {
  // Behind a socket hono's server brings the request of Node; without one there is one caller only.
  const env = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined;
  return env?.incoming?.socket?.remoteAddress ?? '';
}

function tooMany(perMinute: number, seconds: number): HttpError {
  return new HttpError({
    status: 429,
    code: 'FA003',
    message: `More than ${perMinute} requests a minute came from here. Send the next one in ${seconds} s.`,
    details: { perMinute },
    retryable: ERRORS.FA003.retryable,
    headers: { 'Retry-After': String(seconds) },
  });
}
