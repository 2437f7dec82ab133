import { StoreRefusal } from '../../store/refusals';
import type { ModelCallRow } from '../../store/model-calls';
import type { Store } from '../../store/store';
import type { ActivityCall } from '../activity';
import type { CallListener } from './port';
import type { Pricing } from './prices';
import { placeId, type CallPlace } from './records';
import { createReplyStream } from './reply-stream';

/** Hears a model out: its words go to the log while it writes, what it used to the bill when a call ends. */
export interface Hearing extends CallListener {
  /** Aborts with the activity, and when the session takes nothing from here any more. */
  signal: AbortSignal;
  /** Resolves when words and bill are written; rejects when the bill can't be. */
  settle(): Promise<void>;
  close(): void;
}

export function openHearing(store: Store, pricing: Pricing, place: CallPlace, call: ActivityCall): Hearing {
  const { sessionId, stepIndex, turn } = place;
  const own = new AbortController();
  const onAbort = () => own.abort(call.signal.reason);
  call.signal.addEventListener('abort', onAbort, { once: true });
  if (call.signal.aborted) onAbort();

  const stream = createReplyStream(
    place,
    call,
    (records) => store.log.append(sessionId, records, { guard: { runId: call.runId } }),
    (error) => {
      if (error instanceof StoreRefusal) own.abort(error);
    },
  );
  let unwritten: ModelCallRow[] = [];
  let number = 0;
  const bill = async (): Promise<void> => {
    await store.modelCalls.save(sessionId, unwritten);
    unwritten = [];
  };

  return {
    signal: own.signal,
    delta: (text) => stream.delta(text),
    discarded: () => stream.discarded(),
    async ended(ended) {
      stream.callEnded();
      const callId = `${placeId(place)}/${call.activityId}.${call.attempt}.${number}`;
      number += 1;
      const { usage, ...facts } = ended;
      const cost = pricing(ended.model, usage);
      unwritten.push({ callId, stepIndex, turn, ...facts, ...usage, cost: cost?.amount, priceTable: cost?.priceTable });
      // A bill that can't be written now is written with the reply; where there is none, the failure matters more.
      await bill().catch(() => {});
    },
    async settle() {
      await stream.flush();
      if (unwritten.length > 0) await bill();
    },
    close: () => call.signal.removeEventListener('abort', onAbort),
  };
}
