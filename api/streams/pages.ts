import { readLogPages } from '../../client/events/follow-format';
import type { Sessions, SessionState } from '../../client/port';
import { createEncoder, type EventFormat } from '../../contracts/events/formats/format';
import { FORMATS, type FrameOf } from '../../contracts/events/formats/formats';
import { isTerminal, type LogRecord } from '../../contracts/events/log';
import { passes, type StreamFilter } from '../../contracts/events/stream-filter';
import type { StreamSelection } from './event-stream';
import { toSequencedEvent, type FoldedFormat, type SequencedEvent } from './frames';

export type PageItem = SequencedEvent | ({ seq: number } & FrameOf<FoldedFormat>);

export interface Page {
  items: PageItem[];
  /** Where nothing else is wanted the cursor moves to what was there when it was asked. */
  nextAfter: number;
  hasMore: boolean;
  isEnded: boolean;
}

interface Asked {
  after: number;
  limit: number;
  /** Given while an empty page is to be held. */
  waiting: AbortSignal | undefined;
}

/** A page of a session's events in the format that is wanted. */
export async function readPage(
  sessions: Sessions,
  state: SessionState,
  wanted: StreamSelection,
  asked: Asked,
): Promise<Page> {
  return wanted.format === 'stream'
    ? await plainPage(sessions, state, wanted, asked)
    : await foldedPage(sessions, state, wanted.format, asked);
}

async function plainPage(
  sessions: Sessions,
  state: SessionState,
  { known, filter }: Extract<StreamSelection, { format: 'stream' }>,
  { after, limit, waiting }: Asked,
): Promise<Page> {
  let read = state.lastSeq;
  let records = await sessions.events(state.sessionId, after, limit + 1, filter);
  if (records.length === 0 && waiting !== undefined && !state.isEnded) {
    const followed = await firstBatch(sessions.follow(state.sessionId, after, waiting), filter, after);
    records = followed.records;
    // Read while it was followed: what it passed over need not be looked at again.
    read = followed.last;
  }
  const page = records.slice(0, limit);
  const last = page.at(-1);
  const hasMore = records.length > limit;
  const nextAfter = hasMore ? last!.seq : Math.max(after, last?.seq ?? 0, read);
  const isAtEnd = (last !== undefined && isTerminal(last.type)) || (state.isEnded && nextAfter >= state.lastSeq);
  const items = page.flatMap((record) => toSequencedEvent(record, known) ?? []);
  return { items, nextAfter, hasMore, isEnded: !hasMore && isAtEnd };
}

/** The first events that pass, and how far the log was read for them. Leaving the loop ends the following too. */
async function firstBatch(batches: AsyncGenerator<LogRecord[], void>, filter: StreamFilter, after: number) {
  let last = after;
  for await (const batch of batches) {
    last = batch.at(-1)?.seq ?? last;
    const records = batch.filter((record) => passes(filter, record));
    if (records.length > 0) return { records, last };
  }
  return { records: [], last };
}

async function foldedPage(
  sessions: Sessions,
  state: SessionState,
  format: FoldedFormat,
  { after, limit, waiting }: Asked,
): Promise<Page> {
  const { sessionId } = state;
  const telling = createEncoder(FORMATS[format] as EventFormat<unknown, FrameOf<FoldedFormat>>);
  const told: PageItem[] = [];
  let isEnded = false;
  const take = (records: readonly LogRecord[]): void => {
    for (const record of records) {
      const frame = telling.encode(record);
      if (frame !== undefined && record.seq > after) told.push({ seq: record.seq, ...frame });
      isEnded = isTerminal(record.type);
    }
  };
  for await (const records of readLogPages(sessions, sessionId)) {
    take(records);
    if (told.length > limit) break;
  }
  if (told.length === 0 && waiting !== undefined && !isEnded) {
    for await (const records of sessions.follow(sessionId, telling.seq, waiting)) {
      take(records);
      if (told.length > 0) break;
    }
  }
  const items = told.slice(0, limit);
  const hasMore = told.length > limit;
  const nextAfter = hasMore ? items.at(-1)!.seq : Math.max(after, telling.seq);
  return { items, nextAfter, hasMore, isEnded: !hasMore && isEnded };
}
