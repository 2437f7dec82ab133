import { setTimeout as sleep } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { NumberedFrame } from '../../contracts/events/formats/format';
import type { FormatName, FrameOf } from '../../contracts/events/formats/formats';
import { ApiError, toApiError } from './api-error';
import { parseFrame } from './parse-frame';

export interface EventClientOptions {
  /** Address of the API, such as http://127.0.0.1:3000. */
  api: string;
  /** Seq of the last event that is known already. */
  after?: number;
  signal?: AbortSignal;
  token?: string | undefined;
  /** Events that this version does not know; they are passed over. */
  onUnknown?: (message: { id: string; event: string | undefined; data: string }) => void;
  /** A stream that says nothing for so long, not even a heartbeat, is given up for another one. */
  silenceMs?: number;
  /** Until the server names a time of its own. */
  retryMs?: number;
}

type ConnectionEnd = { kind: 'closed' } | { kind: 'ended' } | { kind: 'again'; afterMs: number };

interface Cursor {
  /** Seq of the last event that was told. */
  last: number;
  retryMs: number;
}

/**
 * The events of a session in one of the four formats, over HTTP: `for await (const { frame } of followEvents(...))`. It
 * comes back by itself, with the id of its last event, until the end of the session; each event comes once and in order.
 */
export async function* followEvents<F extends FormatName>(
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
        // A frame without a place is the transport's own; one from before the cursor has been told.
        if (!(seq > place.last)) continue;
        place.last = seq;
        const frame = parseFrame(format, { event, data });
        if (frame === undefined) onUnknown?.({ id, event, data });
        else yield { seq, frame };
        // S3 has no frame of the transport after its last one.
        if (format === 'execution' && isEnd((frame as FrameOf<'execution'> | undefined)?.type)) return;
      }
    } finally {
      await messages.return({ kind: 'closed' });
    }
    if (next.value.kind !== 'again') return;
    await sleep(next.value.afterMs, undefined, { signal }).catch(() => undefined);
  }
}

function isEnd(type: string | undefined): boolean {
  return type === 'done' || type === 'error';
}

/** One connection, from its cursor to its close. */
async function* messagesOf(
  sessionId: string,
  format: FormatName,
  { api, token, silenceMs = 45_000 }: EventClientOptions,
  place: Cursor,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage, ConnectionEnd> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  signal.addEventListener('abort', stop, { once: true });
  const silence = setTimeout(stop, silenceMs);
  try {
    const response = await fetch(
      new URL(`/v1/sessions/${encodeURIComponent(sessionId)}/events?format=${format}`, api),
      {
        headers: {
          accept: 'text/event-stream',
          ...(place.last === 0 ? {} : { 'last-event-id': String(place.last) }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        signal: own.signal,
      },
    );
    if (response.status === 204) return { kind: 'ended' };
    if (response.status !== 200 || response.body === null) return await refusal(response, place.retryMs);
    const heard: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (message) => heard.push(message), onRetry: (ms) => (place.retryMs = ms) });
    const decoder = new TextDecoder();
    for await (const bytes of response.body) {
      silence.refresh();
      parser.feed(decoder.decode(bytes, { stream: true }));
      for (const message of heard.splice(0)) {
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

/** Too many viewers, or something behind the API that is away for a while: it is worth coming back for. */
async function refusal(response: Response, retryMs: number): Promise<ConnectionEnd> {
  const { status } = response;
  if (status === 429 || status >= 500) {
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { kind: 'again', afterMs: Number.isFinite(seconds) ? seconds * 1000 : retryMs };
  }
  throw await toApiError(response);
}
