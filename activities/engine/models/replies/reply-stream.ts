import { StreamEventType, type StreamEventData } from '../../../../contracts/events/stream-event';
import type { NewRecord } from '../../../../contracts/events/log';
import { createReasoningScanner } from './reasoning-scanner';
import { modelRecord, turnId, reasoningRecord } from './reply-records';
import type { TurnKey } from '../../../../store/models/messages';

/** Deltas within this time are written as one record. */
const COALESCE_MS = 40;

/** Writes a reply to the log while it is streamed. */
export interface ReplyStream {
  delta(text: string): void;
  thought?(text: string): void;
  /** Records that the text of this call is void. */
  discarded(): Promise<void>;
  /** The next delta belongs to another call. */
  callEnded(): void;
  /** Resolves when everything so far is in the log. */
  flush(): Promise<void>;
}

/**
 * Writes a reply to the log while it is streamed: AI_RESPONSE_RECEIVED records with `details.delta`, AI_REASONING as soon
 * as the reasoning is complete, and `details.reset` when a call is discarded. Ids contain the activity id, the attempt and
 * the call, so that deltas of different attempts never mix. `refused` is called when the log refuses a record: nobody
 * should pay for the rest of such a call. After other failures the log lacks deltas, and the reply is written whole.
 */
export function createReplyStream(
  place: TurnKey,
  writer: { activityId: string; attempt: number },
  append: (records: NewRecord[]) => Promise<unknown>,
  refused: (error: unknown) => void,
): ReplyStream {
  let call = 0;
  let chunk = 0;
  let isOver = false;
  let scan = createReasoningScanner();
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  let written: Promise<void> = Promise.resolve();

  const callId = (): string => `${writer.activityId}.${writer.attempt}.${call}`;
  const write = (records: NewRecord[]): void => {
    written = written.then(async () => {
      try {
        await append(records);
      } catch (error) {
        refused(error);
      }
    });
  };
  const partial = (kind: string, details: NonNullable<StreamEventData['details']>): NewRecord =>
    modelRecord(place, {
      eventId: `${turnId(place)}/${kind}/${callId()}`,
      type: StreamEventType.AI_RESPONSE_RECEIVED,
      attempt: writer.attempt,
      data: { details: { ...details, callId: callId() } },
    });
  const send = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '') return;
    const record = partial(`delta/${chunk}`, { delta: waiting, chunk });
    // An earlier attempt may have died after it wrote deltas.
    const isTakeover = chunk === 0 && call === 0 && writer.attempt > 1;
    chunk += 1;
    waiting = '';
    write(isTakeover ? [partial('reset', { reset: true }), record] : [record]);
  };

  return {
    delta(text) {
      if (isOver) {
        call += 1;
        chunk = 0;
        isOver = false;
        scan = createReasoningScanner();
      }
      waiting += text;
      if (chunk === 0) send();
      else timer ??= setTimeout(send, COALESCE_MS);
      const reasoning = scan(text);
      if (reasoning === undefined) return;
      send();
      write([reasoningRecord(place, reasoning)]);
    },
    async discarded() {
      clearTimeout(timer);
      timer = undefined;
      waiting = '';
      if (chunk > 0) write([partial('discarded', { reset: true })]);
      chunk = 0;
      await written;
    },
    callEnded() {
      send();
      isOver = true;
    },
    async flush() {
      send();
      await written;
    },
  };
}
