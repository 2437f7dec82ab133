import type { Sessions, SessionState } from '../../service/port/port';
import type { NumberedFrame } from '../../contracts/events/formats/format';
import { toPageItem, type PageItem } from './frames';
import { createLogReader, formatOf, MAX_READ, type LogReader, type StreamSelection } from './log-reader';

export interface EventPage {
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

export type ReadPage = (state: SessionState, selection: StreamSelection, request: PageRequest) => Promise<EventPage>;

/** Where the page after a cursor begins: how far the log was encoded, and the frames that no page has had yet. */
interface Continuation {
  reader: LogReader;
  frames: NumberedFrame<object>[];
}

/** Continuations that are kept; the oldest is forgotten first. */
const MAX_KEPT = 100;

/**
 * Reads pages of sessions' events. A format that is a fold is encoded from the first record on, so the reader of a page is
 * kept for the next one: a log is encoded once for all of its pages, not once for each.
 */
export function createPageReader(sessions: Sessions): ReadPage {
  const kept = new Map<string, Continuation>();
  const keyOf = (id: string, { format }: StreamSelection, after: number): string => `${id} ${format} ${after}`;

  return async (state, selection, request) => {
    const { sessionId } = state;
    if (formatOf(selection).isStateless === true) {
      const reader = createLogReader(sessions, sessionId, selection, request.after);
      return (await readPage(sessions, state, selection, request, { reader, frames: [] })).page;
    }
    const key = keyOf(sessionId, selection, request.after);
    const from = kept.get(key) ?? {
      reader: createLogReader(sessions, sessionId, selection, request.after),
      frames: [],
    };
    kept.delete(key);
    const { page, next } = await readPage(sessions, state, selection, request, from);
    if (!page.isEnded) kept.set(keyOf(sessionId, selection, page.nextAfter), next);
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
    return page;
  };
}

async function readPage(
  sessions: Sessions,
  state: SessionState,
  selection: StreamSelection,
  { after, limit, waiting }: PageRequest,
  { reader, frames }: Continuation,
): Promise<{ page: EventPage; next: Continuation }> {
  const { sessionId } = state;
  const found = [...frames];
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
  return {
    page: { items, nextAfter, hasMore, isEnded: !hasMore && isAtEnd },
    next: { reader, frames: found.slice(limit) },
  };
}
