import type { Sessions } from '../../service/port/port';
import { toSseFrame } from './frames';
import { createLogReader, formatOf, MAX_READ, type LogReader, type StreamSelection } from './log-reader';
import { CHUNK_RECORDS, type FrameChunk, type SessionFeed } from './session-feed';

/** Reads on from a cursor that lies before the tip: from the feed, or from the store where the feed has no such record. */
export function createViewerReader(
  sessions: Sessions,
  sessionId: string,
  feed: SessionFeed,
  selection: StreamSelection,
): (cursor: number) => Promise<FrameChunk> {
  const isStateless = formatOf(selection).isStateless === true;
  let reader: LogReader | undefined;
  return async (cursor) => {
    await feed.open(selection);
    const shared = feed.framesAfter(cursor, selection);
    if (shared !== undefined) return shared;
    if (reader === undefined || isStateless) reader = createLogReader(sessions, sessionId, selection, cursor);
    while (reader.seq < cursor) await reader.readMore(Math.min(cursor - reader.seq, MAX_READ), cursor);
    const frames = await reader.readMore(CHUNK_RECORDS, feed.tip);
    return {
      frames: frames.map((each) => toSseFrame(selection.format, each)),
      lastSent: frames.at(-1)?.seq,
      last: reader.seq,
    };
  };
}
