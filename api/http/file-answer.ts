import { Readable } from 'node:stream';
import { create as attachmentNamed } from 'content-disposition';
import parseRange from 'range-parser';
import type { OpenFile } from '../../service/port/port';
import type { ApiContext } from './context';
import { HttpError, requestError } from './error-response';

/**
 * Answers with a file: whole, the range that was asked for (RFC 9110, section 14), or 304. Several ranges are answered with
 * the whole file, as the RFC allows. Browsers save it and never show it as a page of this API.
 */
export async function answerFile(c: ApiContext, { file, handle }: OpenFile): Promise<Response> {
  const tag = `"${file.sha256}"`;
  const headers: Record<string, string> = {
    'Content-Type': file.mediaType,
    'Content-Disposition': attachmentNamed(file.name),
    'Cache-Control': 'private, max-age=31536000, immutable',
    'Accept-Ranges': 'bytes',
    ETag: tag,
  };
  const range = rangeOf(c, file.bytes, tag);
  const isHead = c.req.raw.method === 'HEAD';
  const isKnown = c.req.header('if-none-match')?.includes(tag) === true;
  if (isKnown || isHead || range === 'unsatisfiable') await handle.close();
  if (isKnown) return c.body(null, 304, headers);
  if (range === 'unsatisfiable') {
    const message = `The file has ${file.bytes} bytes; the range ${c.req.header('range')} has none of them.`;
    throw new HttpError(requestError(416, message, { headers: { 'Content-Range': `bytes */${file.bytes}` } }));
  }
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
  headers['Content-Length'] = String(end - start + 1);
  if (range !== undefined) headers['Content-Range'] = `bytes ${start}-${end}/${file.bytes}`;
  if (isHead) return c.body(null, range === undefined ? 200 : 206, headers);
  const content = handle.createReadStream(file.bytes === 0 ? {} : { start, end });
  return c.body(Readable.toWeb(content) as ReadableStream, range === undefined ? 200 : 206, headers);
}

function rangeOf(
  c: ApiContext,
  bytes: number,
  tag: string,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const asked = c.req.header('range');
  const only = c.req.header('if-range');
  if (asked === undefined || (only !== undefined && only !== tag)) return undefined;
  const ranges = parseRange(bytes, asked, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
