import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import type { StreamEvent } from '../../../contracts/events/stream-event';
import { between, type Random } from '../random';

/** What one viewer of a session received over all its connections. */
export interface Viewing {
  /** `<seq> <type>` of every frame in order of arrival. */
  frames: string[];
  connections: number;
  /** Where the stream said that the events up to `nextAfter` are kept no longer. */
  cuts: { after: number; nextAfter: number }[];
  /** False when the limit aborted before the end of the stream. */
  isWhole: boolean;
}

const BACK_AFTER_MS = 100;
const CutSchema = z.object({ details: z.object({ nextAfter: z.number() }) });

interface ViewerHabits {
  /** Frames that it reads of its first connection; drawn without it. */
  stay?: number;
  /** Resolves when it comes back after a connection. */
  comeBack?: () => Promise<unknown>;
  onEvent?: (event: StreamEvent) => void;
}

/** A viewer disconnects after this many frames and reconnects. */
const FRAMES_A_CONNECTION = { least: 10, most: 150 };

/**
 * Follows a session to its end like a browser's EventSource, which reconnects with Last-Event-ID, and goes on from where the
 * stream says when it comes back too late.
 */
export async function viewSession(
  url: string,
  random: Random,
  limit: AbortSignal,
  { stay: first, comeBack = () => sleep(BACK_AFTER_MS), onEvent = () => {} }: ViewerHabits = {},
): Promise<Viewing> {
  const viewing: Viewing = { frames: [], connections: 0, cuts: [], isWhole: false };
  while (!viewing.isWhole && !limit.aborted) {
    const drawn = Math.round(between(random, FRAMES_A_CONNECTION.least, FRAMES_A_CONNECTION.most));
    const stay = viewing.connections === 0 ? (first ?? drawn) : drawn;
    await connectOnce(url, viewing, stay, limit, onEvent).catch(() => {});
    if (!viewing.isWhole) await comeBack();
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
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', 'last-event-id': String(cursorOf(viewing)) },
    signal: AbortSignal.any([limit, leaving.signal]),
  });
  if (response.status === 410) addCut(viewing, ((await response.json()) as { error: unknown }).error);
  if (response.status === 204) viewing.isWhole = true;
  if (response.status !== 200 || response.body === null) return;
  viewing.connections += 1;
  let taken = 0;
  const parser = createParser({
    onEvent({ event, id, data }) {
      // A viewer that disconnects ignores buffered frames, including the end.
      if (taken >= stay) return;
      if (event === 'end') viewing.isWhole = true;
      if (event === 'stream-error') addCut(viewing, JSON.parse(data));
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

/** The seq up to which the viewer has read, or was sent on from. */
function cursorOf({ frames, cuts }: Viewing): number {
  return Math.max(0, Number(frames.at(-1)?.split(' ')[0] ?? 0), cuts.at(-1)?.nextAfter ?? 0);
}

function addCut(viewing: Viewing, error: unknown): void {
  const { nextAfter } = CutSchema.parse(error).details;
  viewing.cuts.push({ after: cursorOf(viewing), nextAfter });
}
