import { ClientError, type Sessions, type SessionState } from '../../service/port/port';
import type { FormatName } from '../../contracts/events/formats/formats';
import { isTerminal, type LogRecord } from '../../contracts/events/log';
import type { Logger } from '../../runtime/process';
import { toSseFrame } from './frames';
import { createLogReader, isSelected, MAX_READ, type LogReader, type StreamSelection } from './log-reader';
import { waitUnlessAborted } from './wait';

/** Limits the `bufferSize` of sessions; a viewer that is further behind reads the store. */
const MAX_BUFFER = 10_000;
/** Records of one chunk at most. */
export const CHUNK_RECORDS = 50;

/** Frames of one read of the log. `last` is the seq of the last record, `lastSent` that of the last frame. */
export interface FrameChunk {
  frames: Buffer[];
  lastSent: number | undefined;
  last: number;
}

interface BufferedRecord {
  record: LogRecord;
  /** By encoding, for the encodings that a viewer reads; null where the record has no frame. */
  frames: Map<string, Buffer | null>;
}

/** An encoding, shared by viewers of one format that know the same actions; their filters may differ. */
interface Encoding {
  key: string;
  format: FormatName;
  reader: LogReader;
}

/** The tip of one session's log, followed once for all of its viewers, each record encoded once for all of them. */
export class SessionFeed {
  private readonly buffer: BufferedRecord[] = [];
  private readonly waiting = new Set<() => void>();
  /** Each has read up to the tip. */
  private readonly encodings = new Map<string, Encoding>();
  private readonly opening = new Map<string, Promise<void>>();
  private lastSeq: number;
  private isLogEnded: boolean;
  private cutError: ClientError | undefined;
  /** Records that are buffered for viewers at the tip (S1.26.1). */
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

  /** Seq of the newest record that was followed. */
  get tip(): number {
    return this.lastSeq;
  }

  /** Set when records after the tip were removed before this feed had read them: it goes no further. */
  get cut(): ClientError | undefined {
    return this.cutError;
  }

  /** True when the record at the tip is the terminal one. */
  get isEnded(): boolean {
    return this.isLogEnded;
  }

  /** Follows the log to the terminal record. Retries during an outage of the store, while viewers wait. */
  async run(signal: AbortSignal, retryMs: number, logger: Logger): Promise<void> {
    while (!signal.aborted && !this.isLogEnded && this.cutError === undefined) {
      try {
        for await (const records of this.sessions.follow(this.sessionId, this.lastSeq, signal)) this.add(records);
        await this.checkEnd(signal);
      } catch (error) {
        if (error instanceof ClientError && error.kind === 'gone') {
          this.cutError = error;
          for (const wake of this.waiting) wake();
          return;
        }
        logger.warn({ sessionId: this.sessionId, err: error }, 'following the log failed; it is retried');
        await waitUnlessAborted(retryMs, signal);
      }
    }
  }

  /** Has the records encoded as the selection needs them, once for all viewers, before `framesAfter`. */
  async open(selection: StreamSelection): Promise<void> {
    const key = keyOf(selection);
    if (this.encodings.has(key)) return;
    const opening = this.opening.get(key) ?? this.catchUp(selection).finally(() => this.opening.delete(key));
    this.opening.set(key, opening);
    await opening;
  }

  /** Frames of the selected records after `after`; undefined where this feed does not have them. */
  framesAfter(after: number, selection: StreamSelection): FrameChunk | undefined {
    const first = this.buffer[0];
    if (first === undefined || first.record.seq > after + 1 || after >= this.lastSeq) return undefined;
    const from = after + 1 - first.record.seq;
    const chunk = this.buffer.slice(from, from + CHUNK_RECORDS);
    const key = keyOf(selection);
    if (chunk.some(({ frames }) => !frames.has(key))) return undefined;
    const sent = chunk.flatMap(({ record, frames }) => {
      const frame = frames.get(key) ?? null;
      return frame === null || !isSelected(selection, record) ? [] : [{ seq: record.seq, frame }];
    });
    return { frames: sent.map(({ frame }) => frame), lastSent: sent.at(-1)?.seq, last: after + chunk.length };
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
    const added = fresh.map((record): BufferedRecord => ({ record, frames: new Map() }));
    for (const encoding of this.encodings.values()) encodeRecords(encoding, added);
    this.buffer.push(...added);
    this.buffer.splice(0, Math.max(0, this.buffer.length - this.bufferSize));
    this.lastSeq = last.seq;
    this.isLogEnded = isTerminal(last.type);
    for (const wake of this.waiting) wake();
  }

  /** Reads the log up to the buffer, or to the tip, where the format needs what came before. */
  private async catchUp(selection: StreamSelection): Promise<void> {
    const { sessions, sessionId, buffer } = this;
    const key = keyOf(selection);
    const start = (buffer[0]?.record.seq ?? this.lastSeq + 1) - 1;
    const reader = createLogReader(sessions, sessionId, { ...selection, filter: {} }, start);
    const isBuffered = (): boolean => buffer.some(({ record }) => record.seq === reader.seq + 1);
    // Not beyond the tip: records after it are encoded when they are added.
    while (reader.seq < this.lastSeq && !isBuffered())
      await reader.readMore(Math.min(this.lastSeq - reader.seq, MAX_READ), this.lastSeq);
    const encoding = { key, format: selection.format, reader };
    encodeRecords(
      encoding,
      buffer.filter(({ record }) => record.seq > reader.seq),
    );
    this.encodings.set(key, encoding);
  }

  /** Following ends without a terminal record only where the log was complete before. */
  private async checkEnd(signal: AbortSignal): Promise<void> {
    if (this.isLogEnded || signal.aborted) return;
    const state = await this.sessions.state(this.sessionId);
    this.isLogEnded = state.isEnded && state.lastSeq <= this.lastSeq;
    for (const wake of this.waiting) wake();
  }
}

function keyOf({ format, actions }: StreamSelection): string {
  return `${format}/${actions}`;
}

function encodeRecords({ key, format, reader }: Encoding, records: readonly BufferedRecord[]): void {
  for (const { record, frames } of records) {
    const encoded = reader.encode(record);
    frames.set(key, encoded === undefined ? null : toSseFrame(format, encoded));
  }
}

/** Joins frames; a single frame, the usual case at the tip, is shared by all viewers. */
export function concatFrames(frames: readonly Buffer[]): Buffer {
  const [only] = frames;
  return frames.length === 1 && only !== undefined ? only : Buffer.concat(frames);
}
