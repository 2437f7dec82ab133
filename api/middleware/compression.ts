import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ApiContext } from '../http/context';
import { COMPRESS_ABOVE } from '../streams/gzip';

const gzipAsync = promisify(gzip);

export function acceptsGzip(c: ApiContext): boolean {
  const asked = (c.req.header('Accept-Encoding') ?? '').toLowerCase().split(',');
  return asked.some((one) => /^\s*(gzip|\*)\s*(;|$)/.test(one) && !/;\s*q=0(\.0*)?\s*$/.test(one));
}

/** Compresses an answer where the session has it enabled, the client accepts gzip and the body is large enough. */
export async function compressJson<R extends Response>(c: ApiContext, answer: R, isEnabled: boolean): Promise<R> {
  if (!isEnabled || !acceptsGzip(c)) return answer;
  const body = Buffer.from(await answer.arrayBuffer());
  const isLarge = body.length > COMPRESS_ABOVE;
  const headers = new Headers(answer.headers);
  if (isLarge) headers.set('Content-Encoding', 'gzip');
  return new Response(isLarge ? await gzipAsync(body) : body, { status: answer.status, headers }) as R;
}
