import type { Sessions, SessionState } from '../../client/port';
import type { KnownActions } from '../../contracts/events/formats/stream';
import { isTerminal, type LogRecord } from '../../contracts/events/log';
import { passes, type StreamFilter } from '../../contracts/events/stream-filter';
import type { Logger } from '../../runtime/process';
import { beginFolding, foldMore, type Folding } from './folding';
import { toFrame, type FoldedFormat } from './frames';
import { wait } from './wait';

/** Whatever a session asks for: more than this would be memory spent on viewers that can read the store. */
const MAX_BUFFER = 10_000;
/** Records in one chunk at most: what a viewer that stops reading can leave in the air. */
export const CHUNK = 50;

/** Frames of one read of the log. `last` is how far it was read, `lastSent` the seq of the last frame, if there is one. */
export interface FrameChunk {
  frames: Buffer[];
  lastSent: number | undefined;
  last: number;
}

interface Kept {
  record: LogRecord;
  frames: Partial<Record<KnownActions, Buffer>>;
  /** Of the formats that somebody reads here; null where the record has no frame in one. */
  folded: Partial<Record<FoldedFormat, Buffer | null>>;
}

/** The tip of one session's log, followed once for all of its viewers, each record encoded once for all of them. */
export class SessionFeed {
  private readonly kept: Kept[] = [];
  private readonly waiting = new Set<() => void>();
  /** Each stands at the tip. */
  private readonly foldings = new Map<FoldedFormat, Folding>();
  private readonly opening = new Map<FoldedFormat, Promise<void>>();
  private lastSeq: number;
  private isLogEnded: boolean;
  /** Records that are kept for viewers at the tip (S1.26.1); one that is further behind reads the store. */
  private readonly bufferSize: number;

  constructor(
    private readonly sessions: Sessions,
    private readonly sessionId: string,
    state: SessionState,
  ) {
    this.lastSeq = state.lastSeq;
    this.isLogEnded = state.isEnded;
    this.bufferSize = Math.min(state.stream.bufferSize, MAX_BUFFER);
  }

  /** Seq of the newest record known here. Grows by one after the other: records reach the log in reading order. */
  get tip(): number {
    return this.lastSeq;
  }

  /** True when the record at the tip is the terminal one. */
  get isEnded(): boolean {
    return this.isLogEnded;
  }

  /** Follows to the terminal record. A store that is away is tried again: viewers wait, nothing is said to have ended. */
  async run(signal: AbortSignal, retryMs: number, logger: Logger): Promise<void> {
    while (!signal.aborted && !this.isLogEnded) {
      try {
        for await (const records of this.sessions.follow(this.sessionId, this.lastSeq, signal)) this.add(records);
        await this.checkEnd(signal);
      } catch (error) {
        logger.warn({ sessionId: this.sessionId, err: error }, 'the log can not be followed now');
        await wait(retryMs, signal);
      }
    }
  }

  /** Frames of the records after `after` that pass the filter; undefined when they are not kept here any more. */
  framesAfter(after: number, known: KnownActions, filter: StreamFilter): FrameChunk | undefined {
    const first = this.kept[0];
    if (first === undefined || first.record.seq > after + 1 || after >= this.lastSeq) return undefined;
    const from = after + 1 - first.record.seq;
    const chunk = this.kept.slice(from, from + CHUNK);
    const wanted = chunk.filter(({ record }) => passes(filter, record));
    const frames = wanted.map((kept) => (kept.frames[known] ??= toFrame(kept.record, known)));
    return { frames, lastSent: wanted.at(-1)?.record.seq, last: after + chunk.length };
  }

  /** Has to come before the frames of a folded format: it is told from the first record on, once for all viewers. */
  async open(format: FoldedFormat): Promise<void> {
    if (this.foldings.has(format)) return;
    const known = this.opening.get(format);
    if (known !== undefined) return await known;
    const opening = this.catchUp(format).finally(() => this.opening.delete(format));
    this.opening.set(format, opening);
    await opening;
  }

  /** As `framesAfter`, of a folded format. */
  foldedAfter(after: number, format: FoldedFormat): FrameChunk | undefined {
    const first = this.kept[0];
    if (first === undefined || first.record.seq > after + 1 || after >= this.lastSeq) return undefined;
    const from = after + 1 - first.record.seq;
    const chunk = this.kept.slice(from, from + CHUNK);
    const told = chunk.flatMap(({ record, folded }) => {
      const frame = folded[format];
      return frame === null ? [] : [{ seq: record.seq, frame }];
    });
    const frames = told.flatMap(({ frame }) => frame ?? []);
    if (frames.length < told.length) return undefined;
    return { frames, lastSent: told.at(-1)?.seq, last: after + chunk.length };
  }

  /** Resolves when the tip has moved or the log has ended, after `withinMs`, or on abort. */
  changed(withinMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.waiting.add(done);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  private add(records: readonly LogRecord[]): void {
    const fresh = records.filter(({ seq }) => seq > this.lastSeq);
    const last = fresh.at(-1);
    if (last === undefined) return;
    const added = fresh.map((record): Kept => ({ record, frames: {}, folded: {} }));
    for (const folding of this.foldings.values()) fold(folding, added);
    this.kept.push(...added);
    this.kept.splice(0, Math.max(0, this.kept.length - this.bufferSize));
    this.lastSeq = last.seq;
    this.isLogEnded = isTerminal(last.type);
    for (const wake of this.waiting) wake();
  }

  private async catchUp(format: FoldedFormat): Promise<void> {
    const folding = beginFolding(format);
    const isKept = (): boolean => this.kept.some(({ record }) => record.seq === folding.seq + 1);
    // Not beyond the tip: what comes after it is told as it is added.
    while (folding.seq < this.lastSeq && !isKept())
      await foldMore(this.sessions, this.sessionId, folding, this.lastSeq - folding.seq);
    fold(
      folding,
      this.kept.filter(({ record }) => record.seq > folding.seq),
    );
    this.foldings.set(format, folding);
  }

  /** Following stops without a terminal record only where the log was complete before it began. */
  private async checkEnd(signal: AbortSignal): Promise<void> {
    if (this.isLogEnded || signal.aborted) return;
    const state = await this.sessions.state(this.sessionId);
    this.isLogEnded = state.isEnded && state.lastSeq <= this.lastSeq;
    for (const wake of this.waiting) wake();
  }
}

function fold(folding: Folding, kept: readonly Kept[]): void {
  for (const { record, folded } of kept) folded[folding.format] = folding.tell(record) ?? null;
}

/** One frame, the usual case at the tip, is handed to every viewer as it is. */
export function concatFrames(frames: readonly Buffer[]): Buffer {
  const [only] = frames;
  return frames.length === 1 && only !== undefined ? only : Buffer.concat(frames);
}
