import type { MiddlewareHandler } from 'hono';
import { ERRORS } from '../../contracts/errors/error-codes';
import { clientAddress, type ApiEnv } from '../http/context';
import { HttpError } from '../http/error-response';

const MINUTE_MS = 60_000;
/** Callers with a bucket of their own; the one that was idle longest is forgotten first. */
const MAX_CALLERS = 10_000;

/** A token bucket: the requests that a caller had left at a time. */
interface Bucket {
  left: number;
  at: number;
}

/**
 * Limits the requests of one address a minute, which is also the burst; more are FA003. A request that is refused as
 * invalid is not counted.
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
    const caller = clientAddress(c);
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

function tooMany(perMinute: number, seconds: number): HttpError {
  return new HttpError({
    status: 429,
    code: 'FA003',
    message: `More than ${perMinute} requests a minute came from this address. Send the next one in ${seconds} s.`,
    details: { perMinute },
    retryable: ERRORS.FA003.retryable,
    headers: { 'Retry-After': String(seconds) },
  });
}
