import { ClientError, type Sessions, type SessionState } from '../../client/port';
import type { KnownActions } from '../../contracts/dialects/stream';
import type { Logger } from '../../runtime/process';
import type { StreamTimes } from '../context';
import type { Feeds } from './feeds';
import { endFrame, HEARTBEAT_FRAME, RETRY_FRAME, toFrame } from './frames';
import { wait } from './wait';
import { CHUNK, joined, type SessionFeed } from './session-feed';

export interface View {
  state: SessionState;
  after: number;
  known: KnownActions;
}

export interface StreamParts {
  sessions: Sessions;
  feeds: Feeds;
  times: StreamTimes;
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
          frames = framesOf(parts, view, feed, gone.signal);
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
          controller.close();
        }, times.stallMs);
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}

async function* framesOf(
  { sessions, times, logger }: StreamParts,
  { state: { sessionId }, after, known }: View,
  feed: SessionFeed,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  yield RETRY_FRAME;
  let cursor = after;
  while (!signal.aborted) {
    try {
      if (cursor < feed.tip) {
        const next = feed.framesAfter(cursor, known) ?? (await readFrames(sessions, sessionId, cursor, known));
        cursor = next.last;
        yield next.bytes;
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

async function readFrames(sessions: Sessions, sessionId: string, after: number, known: KnownActions) {
  const records = await sessions.events(sessionId, after, CHUNK);
  const last = records.at(-1);
  if (last === undefined) throw new Error(`Expected the log of ${sessionId} to go on after ${after}, found nothing.`);
  return { bytes: joined(records.map((record) => toFrame(record, known))), last: last.seq };
}
