import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { NumberedFrame } from '../../contracts/events/formats/format';
import type { FormatName, FrameOf } from '../../contracts/events/formats/formats';
import { ApiError, toApiError } from './api-error';
import { parseFrame } from './parse-frame';
import { sleep } from './sleep';

export interface EventClientOptions {
  /** URL of the API, such as http://127.0.0.1:3000. */
  api: string;
  /** Seq of the last event that the caller has. */
  after?: number;
  signal?: AbortSignal;
  token?: string | undefined;
  fetch?: typeof fetch | undefined;
  /** Called for events of types that this version does not know; they are skipped. */
  onUnknown?: (message: { id: string; event: string | undefined; data: string }) => void;
  /** Reconnects after so long without an event or a heartbeat. */
  silenceMs?: number;
  /** Delay before a reconnect, until the server sends a delay. */
  retryMs?: number;
}

type ConnectionEnd = { kind: 'closed' } | { kind: 'ended' } | { kind: 'again'; afterMs: number };

interface Cursor {
  /** Seq of the last event that was yielded. */
  last: number;
  retryMs: number;
}

/**
 * Follows the events of a session in one of the formats over HTTP: `for await (const event of followEvents(...))` (S3.R4).
 * Reconnects with the id of the last event until the session ends; yields each event once and in order. Throws ApiError
 * where the API refuses the stream.
 */
export async function* followEvents<F extends FormatName>(
  sessionId: string,
  format: F,
  options: EventClientOptions,
): AsyncGenerator<FrameOf<F>, void> {
  for await (const { frame } of followFrames(sessionId, format, options)) yield frame;
}

/** The same with the seq of each event, from which a later call goes on (`after`). */
export async function* followFrames<F extends FormatName>(
  sessionId: string,
  format: F,
  options: EventClientOptions,
): AsyncGenerator<NumberedFrame<FrameOf<F>>, void> {
  const { signal = new AbortController().signal, onUnknown } = options;
  const place: Cursor = { last: options.after ?? 0, retryMs: options.retryMs ?? 2000 };
  while (!signal.aborted) {
    const messages = messagesOf(sessionId, format, options, place, signal);
    let next = await messages.next();
    try {
      for (; next.done !== true; next = await messages.next()) {
        const { id = '', event, data } = next.value;
        const seq = Number(id);
        // A message without an id is of the transport; one up to the cursor was yielded before.
        if (!(seq > place.last)) continue;
        place.last = seq;
        const frame = parseFrame(format, { event, data });
        if (frame === undefined) onUnknown?.({ id, event, data });
        else yield { seq, frame };
        // S3 has no `end` after its last event (S3.A2).
        if (format === 'execution' && isEnd((frame as FrameOf<'execution'> | undefined)?.type)) return;
      }
    } finally {
      await messages.return({ kind: 'closed' });
    }
    if (next.value.kind !== 'again') return;
    await sleep(next.value.afterMs, signal);
  }
}

function isEnd(type: string | undefined): boolean {
  return type === 'done' || type === 'error';
}

/** Reads one connection, from the cursor to its close. */
async function* messagesOf(
  sessionId: string,
  format: FormatName,
  { api, token, fetch: send = fetch, silenceMs = 45_000 }: EventClientOptions,
  place: Cursor,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage, ConnectionEnd> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  signal.addEventListener('abort', stop, { once: true });
  let silence = setTimeout(stop, silenceMs);
  try {
    const response = await send(new URL(`/v1/sessions/${encodeURIComponent(sessionId)}/events?format=${format}`, api), {
      headers: {
        accept: 'text/event-stream',
        ...(place.last === 0 ? {} : { 'last-event-id': String(place.last) }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      signal: own.signal,
    });
    if (response.status === 204) return { kind: 'ended' };
    if (response.status !== 200 || response.body === null) return await refusal(response, place.retryMs);
    const received: EventSourceMessage[] = [];
    const parser = createParser({
      onEvent: (message) => received.push(message),
      onRetry: (ms) => (place.retryMs = ms),
    });
    const decoder = new TextDecoder();
    // Not every browser can iterate over a stream.
    const reader = response.body.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(silence);
      silence = setTimeout(stop, silenceMs);
      parser.feed(decoder.decode(read.value, { stream: true }));
      for (const message of received.splice(0)) {
        if (message.event === 'end') return { kind: 'ended' };
        yield message;
      }
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', stop);
    own.abort();
  }
  return { kind: 'again', afterMs: place.retryMs };
}

/** Too many viewers (429) and outages (5xx) are retried; throws ApiError for any other status. */
async function refusal(response: Response, retryMs: number): Promise<ConnectionEnd> {
  const { status } = response;
  if (status === 429 || status >= 500) {
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { kind: 'again', afterMs: Number.isFinite(seconds) ? seconds * 1000 : retryMs };
  }
  throw await toApiError(response);
}
