import { StoreRefusal } from '../../store/refusals';
import type { ModelCallRow } from '../../store/model-calls';
import type { Store } from '../../store/store';
import type { ActivityCall } from '../activity';
import type { CallListener, EndedCall } from './port';
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

/** `open` makes the stream that the words go to. */
export function openHearing(
  store: Store,
  pricing: Pricing,
  place: CallPlace,
  call: ActivityCall,
  open: typeof createReplyStream = createReplyStream,
): Hearing {
  const { sessionId, stepIndex, turn } = place;
  const own = new AbortController();
  const onAbort = () => own.abort(call.signal.reason);
  call.signal.addEventListener('abort', onAbort, { once: true });
  if (call.signal.aborted) onAbort();

  const stream = open(
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
  // A bill that can't be written now is written with the reply; where there is none, the failure matters more.
  const note = async ({ usage, ...facts }: EndedCall): Promise<void> => {
    const callId = `${placeId(place)}/${call.activityId}.${call.attempt}.${number}`;
    const cost = pricing(facts.model, usage);
    unwritten.push({ callId, stepIndex, turn, ...facts, ...usage, cost: cost?.amount, priceTable: cost?.priceTable });
    await bill().catch(() => {});
  };

  return {
    signal: own.signal,
    delta: (text) => stream.delta(text),
    thought: (text) => stream.thought?.(text),
    discarded: () => stream.discarded(),
    started: (begun) => note({ ...begun, outcome: 'lost', isEstimated: true, durationMs: 0 }),
    async ended(ended) {
      stream.callEnded();
      await note(ended);
      number += 1;
    },
    async settle() {
      await stream.flush();
      if (unwritten.length > 0) await bill();
    },
    close: () => call.signal.removeEventListener('abort', onAbort),
  };
}
