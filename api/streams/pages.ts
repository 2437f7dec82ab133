import type { Sessions, SessionState } from '../../client/port';
import type { NumberedFrame } from '../../contracts/events/formats/format';
import { toPageItem, type PageItem } from './frames';
import { createLogReader, formatOf, MAX_READ, type StreamSelection } from './log-reader';

export interface Page {
  items: PageItem[];
  /** Moves over events that the selection leaves out. */
  nextAfter: number;
  hasMore: boolean;
  isEnded: boolean;
}

interface PageRequest {
  after: number;
  limit: number;
  /** Given where an empty page is held until an event comes, or the signal aborts. */
  waiting: AbortSignal | undefined;
}

/** Reads a page of a session's events. */
export async function readPage(
  sessions: Sessions,
  state: SessionState,
  selection: StreamSelection,
  { after, limit, waiting }: PageRequest,
): Promise<Page> {
  const { sessionId } = state;
  const reader = createLogReader(sessions, sessionId, selection, after);
  const found: NumberedFrame<object>[] = [];
  const add = (frames: NumberedFrame<object>[]): void => void found.push(...frames.filter(({ seq }) => seq > after));
  const limitOfRead = formatOf(selection).isStateless === true ? limit + 1 : MAX_READ;
  while (reader.seq < state.lastSeq && found.length <= limit) add(await reader.readMore(limitOfRead, state.lastSeq));
  if (found.length === 0 && waiting !== undefined && !state.isEnded && !reader.isAtEnd) {
    for await (const records of sessions.follow(sessionId, reader.seq, waiting)) {
      add(records.flatMap((record) => reader.encode(record) ?? []));
      if (found.length > 0) break;
    }
  }
  const items = found.slice(0, limit).map((each) => toPageItem(selection.format, each));
  const hasMore = found.length > limit;
  const nextAfter = hasMore ? items.at(-1)!.seq : Math.max(after, reader.seq);
  const isAtEnd = reader.isAtEnd || (state.isEnded && nextAfter >= state.lastSeq);
  return { items, nextAfter, hasMore, isEnded: !hasMore && isAtEnd };
}
