import { randomUUID } from 'node:crypto';
import { ClientError, type Sessions, type SessionState } from '../../service/port/port';
import type { Logger } from '../../runtime/process';
import { standardError } from '../../contracts/errors/standard-error';
import type { ConnectionPlace } from '../http/connection-limit';
import type { StreamLimits } from '../http/context';
import type { Feeds } from './feeds';
import { COME_BACK_LATER_FRAME, cursorFrame, endFrame, errorFrame, HEARTBEAT_FRAME, RETRY_FRAME } from './frames';
import { gzipped } from './gzip';
import type { StreamSelection } from './log-reader';
import { concatFrames, type SessionFeed } from './session-feed';
import { createViewerReader } from './viewer-reader';
import { waitUnlessAborted } from './wait';

export interface ViewerRequest {
  state: SessionState;
  after: number;
  selection: StreamSelection;
  /** The client accepts gzip, and the session has compression enabled. */
  isCompressed: boolean;
  place: ConnectionPlace;
  /** Aborted where the stream makes way for another. */
  ended: AbortSignal;
}

export interface StreamParts {
  sessions: Sessions;
  feeds: Feeds;
  times: StreamLimits;
  logger: Logger;
  closing: AbortSignal;
}

/**
 * Creates the SSE body of one viewer, whose only state is a cursor into the log. Bytes are made on demand, so a slow
 * viewer takes no memory; one that stops reading is disconnected and resumes from its cursor. Only the terminal record is
 * followed by the `end` frame: a stream that closes without it is to be resumed, unless an error frame says that the
 * events after the cursor were removed.
 */
export function createEventStream(parts: StreamParts, view: ViewerRequest): ReadableStream<Uint8Array> {
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
    view.place.leave();
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
          for (const signal of [closing, view.ended]) signal.addEventListener('abort', finish);
          if (closing.aborted || view.ended.aborted) finish();
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
          // The error frame is the last one. A gzip stream takes no uncompressed frame.
          const error = stalledError(view.state.sessionId, times.stallMs);
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
  { state: { sessionId }, after, selection, place, ended }: ViewerRequest,
  feed: SessionFeed,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  yield RETRY_FRAME;
  const read = createViewerReader(sessions, sessionId, feed, selection);
  let cursor = after;
  while (!signal.aborted) {
    try {
      if (cursor < feed.tip) {
        const next = await read(cursor);
        cursor = next.last;
        place.used();
        const moved = next.lastSent === next.last ? [] : [cursorFrame(next.last)];
        yield concatFrames([...next.frames, ...moved]);
      } else if (feed.isEnded) {
        // In S3 nothing comes after `done` or `error` (S3.A2).
        if (selection.format === 'execution') return;
        const { status } = await sessions.state(sessionId);
        yield endFrame(feed.tip, status);
        return;
      } else if (feed.cut !== undefined) {
        throw feed.cut;
      } else {
        await feed.changed(times.heartbeatMs, signal);
        if (cursor >= feed.tip && !feed.isEnded && feed.cut === undefined && !signal.aborted) yield HEARTBEAT_FRAME;
      }
    } catch (error) {
      if (error instanceof ClientError && (error.kind === 'not-found' || error.kind === 'gone')) {
        yield errorFrame(goneError(sessionId, error));
        return;
      }
      logger.warn({ sessionId, err: error }, 'reading the log failed; it is retried');
      await waitUnlessAborted(times.retryMs, signal);
      yield HEARTBEAT_FRAME;
    }
  }
  if (ended.aborted) yield COME_BACK_LATER_FRAME;
}

/** The events after the viewer's cursor were removed: it learns from where it can read on. */
function goneError(sessionId: string, { code, message, firstSeq }: ClientError) {
  return standardError({
    id: randomUUID(),
    timestamp: new Date(),
    code,
    message,
    sessionId,
    moduleId: 'executor-streamer',
    ...(firstSeq === undefined ? {} : { details: { firstSeq, nextAfter: firstSeq - 1 } }),
  });
}

function stalledError(sessionId: string, stallMs: number) {
  return standardError({
    id: randomUUID(),
    timestamp: new Date(),
    code: 'ES002',
    message: `A viewer of session ${sessionId} read nothing for ${stallMs} ms and was disconnected.`,
    sessionId,
    moduleId: 'executor-streamer',
  });
}
