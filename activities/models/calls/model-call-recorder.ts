import { setTimeout as delay } from 'node:timers/promises';
import { NO_MODEL_LIMITS, type ModelLimits } from '../../../contracts/models/model-limits';
import { StoreRefusal } from '../../../store/database/refusals';
import type { CallToAdmit, CallToSettle } from '../../../store/models/model-calls';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity';
import { budgetWarnings, rateLimitedRecord, toAdmissionError } from './admission';
import type { StartedCall, CallListener, EndedCall } from '../port';
import type { Pricing } from './prices';
import { turnId, type TurnPosition } from '../steps/reply-records';
import { createReplyStream } from '../replies/reply-stream';

/** Hears a model out: its words go to the log while it writes, what it used to the bill when a call ends. */
export interface ModelCallRecorder extends CallListener {
  /** Aborts with the activity, and when the session takes nothing from here any more. */
  signal: AbortSignal;
  /** Resolves when words and bill are written; rejects when the bill can't be. */
  settle(): Promise<void>;
  close(): void;
}

export interface RecorderDeps {
  store: Store;
  pricing: Pricing;
  /** Without them only the session's budget holds; a worker always has some (runtime/settings.ts). */
  limits?: ModelLimits | undefined;
}

/** A wait up to here is not worth a timer of the workflow; with a reply in hand that would be lost, up to there. */
const SHORT_WAIT_MS = 1000;
const WAIT_WITH_A_REPLY_MS = 10_000;
/** Replies are far shorter than they may be: for the rate limit they count with this part until they are there. */
const LIKELY_PART = 4;
/** A model that was given less time than this and wrote nothing may well be there. */
const LONG_SILENCE_MS = 20_000;

/** `open` makes the stream that the words go to. */
export function createModelCallRecorder(
  { store, pricing, limits = NO_MODEL_LIMITS }: RecorderDeps,
  place: TurnPosition,
  call: ActivityCall,
  open: typeof createReplyStream = createReplyStream,
): ModelCallRecorder {
  const { sessionId, stepIndex, turn } = place;
  const own = new AbortController();
  const onAbort = () => own.abort(call.signal.reason);
  call.signal.addEventListener('abort', onAbort, { once: true });
  if (call.signal.aborted) onAbort();

  const guard = { runId: call.runId };
  const stream = open(
    place,
    call,
    (records) => store.log.append(sessionId, records, { guard }),
    (error) => {
      if (error instanceof StoreRefusal) own.abort(error);
    },
  );
  const askedBy = `${turnId(place)}/${call.activityId}`;
  let keyHash: string | undefined;
  let number = 0;
  const callId = (): string => `${askedBy}.${call.attempt}.${number}`;
  const priceOf = (model: string, usage: EndedCall['usage']) => {
    const cost = pricing(model, usage);
    return { cost: cost?.amount, priceTable: cost?.priceTable };
  };

  let unsettled: CallToSettle[] = [];
  const bill = async (): Promise<void> => {
    for (const ended of unsettled) {
      const { used, budget } = await store.modelCalls.settle(sessionId, ended, limits);
      const warnings = budgetWarnings(place, budget, used);
      if (warnings.length > 0) await store.log.append(sessionId, warnings, { guard });
    }
    unsettled = [];
  };

  return {
    signal: own.signal,
    delta: (text) => stream.delta(text),
    thought: (text) => stream.thought?.(text),
    discarded: () => stream.discarded(),
    async started({ model, usage, maxTokens, keyHash: ofThisCall }: StartedCall) {
      keyHash = ofThisCall;
      const { inputTokens } = usage;
      const reserved = pricing(model, { ...usage, outputTokens: maxTokens, inputTokens: 0, cachedTokens: 0 });
      const begun: CallToAdmit = {
        callId: callId(),
        requestedBy: askedBy,
        attempt: call.attempt,
        stepIndex,
        turn,
        model,
        keyHash,
        inputTokens,
        ...priceOf(model, usage),
        tokens: inputTokens + Math.ceil(maxTokens / LIKELY_PART),
        reservedTokens: maxTokens,
        reservedCost: reserved?.amount,
      };
      for (;;) {
        const answer = await store.modelCalls.admit(sessionId, begun, limits);
        if (answer.kind === 'admitted') return;
        const patience = number === 0 ? SHORT_WAIT_MS : WAIT_WITH_A_REPLY_MS;
        if (answer.kind === 'held' && answer.waitMs <= patience) {
          await delay(answer.waitMs, undefined, { signal: own.signal }).catch(() => own.signal.throwIfAborted());
          continue;
        }
        if (answer.kind === 'held')
          await store.log.append(sessionId, [rateLimitedRecord(begun.callId, place, model, answer.waitMs, limits)], {
            guard,
          });
        throw toAdmissionError(model, answer, limits);
      }
    },
    async ended({ model, usage, ...facts }) {
      stream.callEnded();
      const verdict = verdictOf(facts);
      unsettled.push({ callId: callId(), model, keyHash, ...facts, ...usage, ...priceOf(model, usage), verdict });
      number += 1;
      // A bill that can't be written now is written with the reply; where there is none, the failure matters more.
      await bill().catch(() => {});
    },
    async settle() {
      await stream.flush();
      await bill();
    },
    close: () => call.signal.removeEventListener('abort', onAbort),
  };
}

/** What an end says of the vendor: a refusal is an answer as well, and what we gave up says nothing. */
function verdictOf({ outcome, durationMs }: Pick<EndedCall, 'outcome' | 'durationMs'>): CallToSettle['verdict'] {
  if (outcome === 'unavailable' || outcome === 'cut') return 'outage';
  if (outcome === 'stalled') return durationMs >= LONG_SILENCE_MS ? 'outage' : 'nothing';
  return /^(aborted|failed|settings|credentials|no-recording)$/.test(outcome) ? 'nothing' : 'answered';
}
