import { setTimeout as delay } from 'node:timers/promises';
import { NO_MODEL_LIMITS, type ModelLimits } from '../../../../contracts/models/model-limits';
import { StoreRefusal } from '../../../../store/database/refusals';
import type { CallToAdmit, CallToSettle } from '../../../../store/models/model-calls';
import type { Store } from '../../../../store/store';
import type { ActivityCall } from '../../../activity/activity';
import { budgetWarnings, rateLimitedRecord, toAdmissionError } from './admission';
import type { StartedCall, CallListener, EndedCall } from '../../../../contracts/model-port/port';
import type { Pricing } from './prices';
import { turnId } from '../replies/reply-records';
import type { TurnKey } from '../../../../store/models/messages';
import { createReplyStream } from '../replies/reply-stream';

/** Records the calls of one request: deltas go to the log while the model writes, usage is billed when a call ends. */
export interface ModelCallRecorder extends CallListener {
  /** Aborts with the activity, and when the log refuses this attempt. */
  signal: AbortSignal;
  /** Resolves when deltas and usage are written; rejects when usage can't be written. */
  settle(): Promise<void>;
  close(): void;
}

export interface RecorderDeps {
  store: Store;
  pricing: Pricing;
  /** Without limits only the session's budget applies; workers always have some (runtime/settings.ts). */
  limits?: ModelLimits | undefined;
}

/** The activity itself waits this long; longer waits are timers of the workflow. */
const SHORT_WAIT_MS = 1000;
/** The same for a repair call, because the activity would lose the first reply. */
const REPAIR_WAIT_MS = 10_000;
/** Most replies are far shorter than maxTokens: the rate limit reserves maxTokens divided by this. */
const RESERVED_PART = 4;
/** A model that sent nothing for a shorter time than this need not be out. */
const LONG_SILENCE_MS = 20_000;

/** Creates the recorder of one request's calls; `open` creates the stream that writes deltas to the log. */
export function createModelCallRecorder(
  { store, pricing, limits: common = NO_MODEL_LIMITS }: RecorderDeps,
  position: TurnKey,
  call: ActivityCall,
  open: typeof createReplyStream = createReplyStream,
): ModelCallRecorder {
  const { sessionId, stepIndex, turn } = position;
  const controller = new AbortController();
  const onAbort = () => controller.abort(call.signal.reason);
  call.signal.addEventListener('abort', onAbort, { once: true });
  if (call.signal.aborted) onAbort();

  const guard = { runId: call.runId };
  const stream = open(
    position,
    call,
    (records) => store.log.append(sessionId, records, { guard }),
    (error) => {
      if (error instanceof StoreRefusal) controller.abort(error);
    },
  );
  const requestedBy = `${turnId(position)}/${call.activityId}`;
  let keyHash: string | undefined;
  let limits = common;
  let number = 0;
  const callId = (): string => `${requestedBy}.${call.attempt}.${number}`;
  const priceOf = (model: string, usage: EndedCall['usage']) => {
    const cost = pricing(model, usage);
    return { cost: cost?.amount, priceTable: cost?.priceTable };
  };

  let unsettled: CallToSettle[] = [];
  const writeUsage = async (): Promise<void> => {
    for (const ended of unsettled) {
      const { used, budget } = await store.modelCalls.settle(sessionId, ended, limits);
      const warnings = budgetWarnings(position, budget, used);
      if (warnings.length > 0) await store.log.append(sessionId, warnings, { guard });
    }
    unsettled = [];
  };

  return {
    signal: controller.signal,
    delta: (text) => stream.delta(text),
    thought: (text) => stream.thought?.(text),
    discarded: () => stream.discarded(),
    async started({ model, usage, maxTokens, keyHash: ofThisCall, limits: own }: StartedCall) {
      keyHash = ofThisCall;
      limits = { ...common, ...own };
      const { inputTokens } = usage;
      const reserved = pricing(model, { ...usage, outputTokens: maxTokens, inputTokens: 0, cachedTokens: 0 });
      const started: CallToAdmit = {
        callId: callId(),
        requestedBy: requestedBy,
        attempt: call.attempt,
        stepIndex,
        turn,
        model,
        keyHash,
        inputTokens,
        ...priceOf(model, usage),
        tokens: inputTokens + Math.ceil(maxTokens / RESERVED_PART),
        reservedTokens: maxTokens,
        reservedCost: reserved?.amount,
      };
      for (;;) {
        const answer = await store.modelCalls.admit(sessionId, started, limits);
        if (answer.kind === 'admitted') return;
        const longestWait = number === 0 ? SHORT_WAIT_MS : REPAIR_WAIT_MS;
        if (answer.kind === 'held' && answer.waitMs <= longestWait) {
          await delay(answer.waitMs, undefined, { signal: controller.signal }).catch(() =>
            controller.signal.throwIfAborted(),
          );
          continue;
        }
        if (answer.kind === 'held')
          await store.log.append(
            sessionId,
            [rateLimitedRecord(started.callId, position, model, answer.waitMs, limits)],
            {
              guard,
            },
          );
        throw toAdmissionError(model, answer, limits);
      }
    },
    async ended({ model, usage, ...facts }) {
      stream.callEnded();
      const verdict = verdictOf(facts);
      unsettled.push({ callId: callId(), model, keyHash, ...facts, ...usage, ...priceOf(model, usage), verdict });
      number += 1;
      // Usage that can't be written now is written with the reply; without a reply, the call's own failure matters more.
      await writeUsage().catch(() => {});
    },
    async settle() {
      await stream.flush();
      await writeUsage();
    },
    close: () => call.signal.removeEventListener('abort', onAbort),
  };
}

/** What the end of a call says about the vendor: a refusal is an answer, a call that we aborted says nothing. */
function verdictOf({ outcome, durationMs }: Pick<EndedCall, 'outcome' | 'durationMs'>): CallToSettle['verdict'] {
  if (['unavailable', 'unreachable', 'cut'].includes(outcome)) return 'outage';
  if (outcome === 'stalled') return durationMs >= LONG_SILENCE_MS ? 'outage' : 'nothing';
  return /^(aborted|failed|settings|credentials|no-recording)$/.test(outcome) ? 'nothing' : 'answered';
}
