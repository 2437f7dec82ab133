import { BUDGET_SPENT } from '../../../contracts/models/budget';
import { CALL_HELD } from '../../../contracts/models/model-limits';
import { faultPoint } from '../../../runtime/fault-point';
import type { ReplyMessage } from '../../../store/models/messages';
import type { ActivityCall } from '../../activity/activity';
import { EngineError, toStandardError } from '../../activity/failures';
import { createModelCallRecorder } from '../models/calls/model-call-recorder';
import type { TurnResult } from '../../../contracts/model-port/port';
import { ProviderError } from '../models/providers/provider-error';
import type { SessionValues } from '../../secrets/session-values';
import type { ModelTurnInput } from '../../signatures/task-activities';
import { MORE_TOOLS } from '../tools/more-tools';
import { FULL_VIEW, SHORT_VIEW } from './conversation';
import { buildModelMessages } from './model-messages';
import { limitReply, responseIdOf, toReply, withoutDeltas } from './model-reply';
import { takeTaskTurn } from './task-end';
import { failedRecord, startRecord } from './turn-records';
import { prepareTurn, type ModelTurnDeps } from './turn-request';
import { turnStream } from './turn-stream';

/** Asks the model, a second time with less of the conversation when it was too long, and saves the reply. */
export async function askModel(
  deps: ModelTurnDeps,
  input: ModelTurnInput,
  values: SessionValues,
  call: ActivityCall,
): Promise<ReplyMessage> {
  const { store } = deps;
  const ai = input.step.options.aiConfig;
  const { context, request, snapshot, sight, known } = await prepareTurn(deps, input);
  const { model, turn } = context;
  const { sessionId } = turn;
  const recorder = createModelCallRecorder(deps, turn, call, turnStream(values));
  let response = { responseId: '', previousResponseId: '' };
  /** Null when an attempt that was taken for dead has saved a reply meanwhile. */
  const callModel = async (view: typeof FULL_VIEW, number: number): Promise<TurnResult | null> => {
    const options = { ...withoutDeltas(recorder), ai };
    const { messages, previousResponseId } = await buildModelMessages(context, view, options);
    const id = `${call.activityId}.${call.attempt}.${number}`;
    response = { responseId: responseIdOf(turn, id), previousResponseId };
    const start = (isRestart: boolean) => ({
      ...startRecord(turn, id, { ...response, model: ai.model, isRestart }),
      attempt: call.attempt,
    });
    const starts = { first: start(false), again: start(true) };
    if (!(await store.messages.begin(turn, { runId: call.runId }, starts))) return null;
    const taken = { ...limitReply(recorder, ai.model), ai };
    const result = takeTaskTurn(model, { ...request, messages }, taken, known);
    faultPoint('during-model-call', sessionId);
    return await result;
  };
  const recordFailure = async (message: string): Promise<void> => {
    const { usage, billedCalls } = await store.modelCalls.usageOfTurn(sessionId, turn.stepIndex, turn.turn);
    const facts = { ...response, model: ai.model, reason: values.redact(message), usedInVain: { usage, billedCalls } };
    const record = failedRecord(turn, `${call.activityId}.${call.attempt}`, facts);
    await store.log.append(sessionId, [record], { guard: { runId: call.runId } });
  };
  try {
    const result = await callModel(FULL_VIEW, 0).catch((error: unknown) => {
      if (error instanceof ProviderError && error.kind === 'too-long') return callModel(SHORT_VIEW, 1);
      throw error;
    });
    await recorder.settle();
    if (result === null) return (await store.messages.reply(turn))!;
    const { usage, cost, billedCalls } = await store.modelCalls.usageOfTurn(sessionId, turn.stepIndex, turn.turn);
    const said = toReply(turn, result, request.tools.includes(MORE_TOOLS));
    const reply = {
      ...said,
      ...(sight === undefined
        ? {}
        : { sighting: sight({ calls: said.calls, says: withoutSecrets(said.text, values) }) }),
      ...response,
      usage,
      cost,
      billedCalls,
    };
    // `rules` reads the newest snapshot itself: its refs are from there.
    if (ai.model === 'rules' && snapshot !== null) await store.memory.saveShownSnapshot(sessionId, snapshot);
    await store.messages.save(turn, reply);
    // An attempt that was taken for dead may have been faster: its reply counts.
    return (await store.messages.reply(turn)) ?? reply;
  } catch (error) {
    const { retryable, message } = toStandardError(error, 'TL002');
    // Another attempt records by itself that it begins anew.
    const isFinal = !retryable && response.responseId !== '' && !call.signal.aborted && !isHeld(error);
    if (isFinal) await recordFailure(message).catch(() => {});
    throw error;
  } finally {
    recorder.close();
  }
}

/** Undefined for words that hold a secret, which no recipe does. */
function withoutSecrets(text: string, { redact }: Pick<SessionValues, 'redact'>): string | undefined {
  return redact(text) === text ? text : undefined;
}

/** The call was not admitted, and is made later: nothing has failed. */
function isHeld(error: unknown): boolean {
  return error instanceof EngineError && [CALL_HELD, BUDGET_SPENT].includes(error.more.type ?? '');
}
