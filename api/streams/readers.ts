import type { Sessions } from '../../client/port';
import type { KnownActions } from '../../contracts/events/formats/stream';
import { isOpenFilter, type StreamFilter } from '../../contracts/events/stream-filter';
import { beginFolding, foldMore } from './folding';
import { toFrame, type FoldedFormat } from './frames';
import { CHUNK, type FrameChunk, type SessionFeed } from './session-feed';

/** The next frames of one viewer, whose cursor lies before the tip: from the feed, or from the store when it is behind. */
export type ReadFrames = (cursor: number) => Promise<FrameChunk>;

/** Frames of S1's events, each made of its own record alone. */
export function plainReader(
  sessions: Sessions,
  sessionId: string,
  feed: SessionFeed,
  { known, filter }: { known: KnownActions; filter: StreamFilter },
): ReadFrames {
  return async (cursor) => {
    const shared = feed.framesAfter(cursor, known, filter);
    if (shared !== undefined) return shared;
    const { tip } = feed;
    const records = await sessions.events(sessionId, cursor, CHUNK, filter);
    const lastSent = records.at(-1)?.seq;
    const frames = records.map((record) => toFrame(record, known));
    // With a filter fewer than were asked for mean that nothing else up to the tip passes it.
    if (!isOpenFilter(filter))
      return { frames, lastSent, last: records.length < CHUNK ? Math.max(tip, lastSent ?? 0) : lastSent! };
    if (lastSent === undefined)
      throw new Error(`Expected the log of ${sessionId} to go on after ${cursor}, found nothing.`);
    return { frames, lastSent, last: lastSent };
  };
}

/** Frames of a format that is a fold: whoever is behind what the feed keeps folds for himself, from the first record on. */
export function foldedReader(
  sessions: Sessions,
  sessionId: string,
  feed: SessionFeed,
  format: FoldedFormat,
): ReadFrames {
  const own = beginFolding(format);
  return async (cursor) => {
    await feed.open(format);
    const shared = feed.foldedAfter(cursor, format);
    if (shared !== undefined) return shared;
    while (own.seq < cursor) await foldMore(sessions, sessionId, own, cursor - own.seq);
    const told = await foldMore(sessions, sessionId, own, CHUNK);
    return { frames: told.map(({ frame }) => frame), lastSent: told.at(-1)?.seq, last: own.seq };
  };
}
