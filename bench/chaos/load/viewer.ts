import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { StreamEvent } from '../../../contracts/events/stream-event';
import { between, type Random } from '../random';

/** What one viewer of a session received over all its connections. */
export interface Viewing {
  /** `<seq> <type>` of every frame in order of arrival. */
  frames: string[];
  connections: number;
  /** False when the limit aborted before the end of the stream. */
  isWhole: boolean;
}

const BACK_AFTER_MS = 100;
/** A viewer disconnects after this many frames and reconnects. */
const FRAMES_A_CONNECTION = { least: 10, most: 150 };

/** Follows a session to its end like a browser's EventSource, which reconnects with Last-Event-ID. */
export async function viewSession(
  url: string,
  random: Random,
  limit: AbortSignal,
  onEvent: (event: StreamEvent) => void = () => {},
): Promise<Viewing> {
  const viewing: Viewing = { frames: [], connections: 0, isWhole: false };
  while (!viewing.isWhole && !limit.aborted) {
    const stay = Math.round(between(random, FRAMES_A_CONNECTION.least, FRAMES_A_CONNECTION.most));
    await connectOnce(url, viewing, stay, limit, onEvent).catch(() => {});
    if (!viewing.isWhole) await sleep(BACK_AFTER_MS);
  }
  return viewing;
}

async function connectOnce(
  url: string,
  viewing: Viewing,
  stay: number,
  limit: AbortSignal,
  onEvent: (event: StreamEvent) => void,
): Promise<void> {
  const leaving = new AbortController();
  const last = viewing.frames.at(-1)?.split(' ')[0];
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) },
    signal: AbortSignal.any([limit, leaving.signal]),
  });
  if (response.status === 204) viewing.isWhole = true;
  if (response.status !== 200 || response.body === null) return;
  viewing.connections += 1;
  let taken = 0;
  const parser = createParser({
    onEvent({ event, id, data }) {
      // A viewer that disconnects ignores buffered frames, including the end.
      if (taken >= stay) return;
      if (event === 'end') viewing.isWhole = true;
      if (event !== undefined) return;
      taken += 1;
      const received = JSON.parse(data) as StreamEvent;
      viewing.frames.push(`${id} ${received.type}`);
      onEvent(received);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    if (taken >= stay && !viewing.isWhole) leaving.abort();
  }
}
