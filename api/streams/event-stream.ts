import { randomUUID } from 'node:crypto';
import { ClientError, type Sessions, type SessionState } from '../../client/port';
import type { KnownActions } from '../../contracts/dialects/stream';
import type { Logger } from '../../runtime/process';
import { isOpenFilter, type StreamFilter } from '../../contracts/stream-filter';
import { standardError } from '../../contracts/errors';
import type { StreamLimits } from '../context';
import type { Feeds } from './feeds';
import { cursorFrame, endFrame, errorFrame, HEARTBEAT_FRAME, RETRY_FRAME, toFrame } from './frames';
import { gzipped } from './gzip';
import { wait } from './wait';
import { CHUNK, joined, type FrameChunk, type SessionFeed } from './session-feed';

export interface View {
  state: SessionState;
  after: number;
  known: KnownActions;
  filter: StreamFilter;
  /** The client takes gzip, and the session wants its stream compressed. */
  isCompressed: boolean;
}

export interface StreamParts {
  sessions: Sessions;
  feeds: Feeds;
  times: StreamLimits;
  logger: Logger;
  closing: AbortSignal;
}

/**
 * The SSE body of one viewer: a cursor into the log and nothing else. The next bytes are made when the reader asks for
 * them, so a slow viewer holds no memory; one that stops asking is let go and resumes from its cursor. Only the
 * terminal record brings the `end` frame: every other way to close means "come back".
 */
export function createEventStream(parts: StreamParts, view: View): ReadableStream<Uint8Array> {
  const { feeds, times, closing } = parts;
  const gone = new AbortController();
  let frames: AsyncGenerator<Buffer, void> | undefined;
  let leave = (): void => undefined;
  let stall: NodeJS.Timeout | undefined;

  const finish = (): void => {
    clearTimeout(stall);
    closing.removeEventListener('abort', finish);
    gone.abort();
    leave();
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stall);
        if (frames === undefined) {
          // Joined at the first read: an answer whose body nobody reads (HEAD) holds nothing.
          const { feed, leave: leaveFeed } = feeds.join(view.state);
          leave = leaveFeed;
          const plain = framesOf(parts, view, feed, gone.signal);
          frames = view.isCompressed ? gzipped(plain) : plain;
          closing.addEventListener('abort', finish);
          if (closing.aborted) finish();
        }
        const { value } = await frames.next();
        if (value === undefined) {
          finish();
          controller.close();
          return;
        }
        controller.enqueue(value);
        stall = setTimeout(() => {
          finish();
          // What is still read of the answer ends with the reason. A gzip stream can't be gone on with from here.
          const error = stalled(view.state.sessionId, times.stallMs);
          if (!view.isCompressed) controller.enqueue(errorFrame(error));
          controller.close();
          parts.logger.warn({ sessionId: view.state.sessionId, error }, error.message);
        }, times.stallMs);
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}

async function* framesOf(
  { sessions, times, logger }: StreamParts,
  { state: { sessionId }, after, known, filter }: View,
  feed: SessionFeed,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  yield RETRY_FRAME;
  let cursor = after;
  while (!signal.aborted) {
    try {
      if (cursor < feed.tip) {
        const next =
          feed.framesAfter(cursor, known, filter) ??
          (await readFrames(sessions, { sessionId, after: cursor, tip: feed.tip, known, filter }));
        cursor = next.last;
        const moved = next.lastSent === next.last ? [] : [cursorFrame(next.last)];
        yield joined([...next.frames, ...moved]);
      } else if (feed.isEnded) {
        const { status } = await sessions.state(sessionId);
        yield endFrame(feed.tip, status);
        return;
      } else {
        await feed.changed(times.heartbeatMs, signal);
        if (cursor >= feed.tip && !feed.isEnded && !signal.aborted) yield HEARTBEAT_FRAME;
      }
    } catch (error) {
      if (error instanceof ClientError && (error.kind === 'not-found' || error.kind === 'gone')) return;
      logger.warn({ sessionId, err: error }, 'the log can not be read now');
      await wait(times.retryMs, signal);
      yield HEARTBEAT_FRAME;
    }
  }
}

/** With a filter fewer than were asked for mean that nothing else up to the tip passes it. */
async function readFrames(
  sessions: Sessions,
  at: { sessionId: string; after: number; tip: number; known: KnownActions; filter: StreamFilter },
): Promise<FrameChunk> {
  const { sessionId, after, tip, known, filter } = at;
  const records = await sessions.events(sessionId, after, CHUNK, filter);
  const lastSent = records.at(-1)?.seq;
  const frames = records.map((record) => toFrame(record, known));
  if (isOpenFilter(filter)) {
    if (lastSent === undefined)
      throw new Error(`Expected the log of ${sessionId} to go on after ${after}, found nothing.`);
    return { frames, lastSent, last: lastSent };
  }
  return { frames, lastSent, last: records.length < CHUNK ? Math.max(tip, lastSent ?? 0) : lastSent! };
}

function stalled(sessionId: string, stallMs: number) {
  return standardError({
    id: randomUUID(),
    timestamp: new Date(),
    code: 'ES002',
    message: `A viewer of session ${sessionId} read nothing for ${stallMs} ms and was let go.`,
    sessionId,
    moduleId: 'executor-streamer',
  });
}
