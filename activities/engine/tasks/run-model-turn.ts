import { COMPLETED_ANSWER } from '../../../contracts/tasks/agent-loop';
import type { PlannedCall } from '../../../contracts/tools/planned-call';
import { faultPoint } from '../../../runtime/fault-point';
import type { ReplyMessage, TurnKey } from '../../../store/models/messages';
import type { ActivityCall } from '../../activity/activity';
import type { PlanCallInput, ModelTurnInput, ModelTurnOutput } from '../../signatures/task-activities';
import { loadSessionValues, type SessionValues } from '../../secrets/session-values';
import { settleResult } from '../../results/settle-result';
import { writeOutbox } from '../../activity/write-outbox';
import { withSecretAliases } from './secret-aliases';
import { askModel } from './ask-model';
import { callReply } from './call-reply';
import { RECIPE_MODEL } from '../../../contracts/recipes/in-reply';
import { replayTask } from '../recipes/replay-task';
import { OPENED_BY, saveOwnReply } from './own-reply';
import { replyByRules } from './reply-by-rules';
import { OPENING, prepareTurn, wholeStepOf, type ModelTurnDeps } from './turn-request';
import { MOST_CALLS } from './incoming-messages';
import { turnReplyRecords } from './turn-records';
import { windowWarnings } from './window-warnings';

/** Characters of a text that go into Temporal's history. */
const LONGEST_ANSWER = 50_000;
const LONGEST_WORDS = 4000;

/** Runs one turn of a task. A repeated attempt returns the saved reply, so that no model is called and paid twice. */
export async function runModelTurn(
  deps: ModelTurnDeps,
  given: ModelTurnInput,
  call: ActivityCall,
): Promise<ModelTurnOutput> {
  const { store } = deps;
  const input = ledByRules(given) ? withModel(given, 'rules') : given;
  const { sessionId, stepIndex, turn } = input;
  const key: TurnKey = { sessionId, stepIndex, turn };
  await writeOutbox(store, sessionId, call.runId, input.outbox);
  const values = await loadSessionValues(store, sessionId, deps.env);
  const reply = (await store.messages.reply(key)) ?? (await newReply(deps, input, values, call));
  faultPoint('after-reply', sessionId);
  const records = [...turnReplyRecords(key, reply, values), ...windowWarnings(key, reply)];
  const [spent] = await Promise.all([
    store.modelCalls.spentBy(sessionId),
    store.log.append(sessionId, records, { guard: { runId: call.runId } }),
  ]);

  const { calls, isCut, isGivenUp } = reply;
  const by = { model: reply.model, usage: reply.usage, spent };
  const text = values.redact(reply.text);
  if (calls.length > 0) {
    const planned = await plannedCalls(deps, key, reply, values);
    return { kind: 'calls', text: text.slice(0, LONGEST_WORDS), calls: planned, ...by };
  }
  return {
    kind: 'answer',
    text: text.trim() === '' ? COMPLETED_ANSWER : text.slice(0, LONGEST_ANSWER),
    ...(isCut ? { isTruncated: true } : {}),
    ...(isGivenUp ? { isGivenUp } : {}),
    ...(await settleResult(store, sessionId, stepIndex)),
    calls: [],
    ...by,
  };
}

async function newReply(
  deps: ModelTurnDeps,
  input: ModelTurnInput,
  values: SessionValues,
  call: ActivityCall,
): Promise<ReplyMessage> {
  const step = await wholeStepOf(deps.store, input);
  const own = step.task?.call;
  if (own !== undefined) return await callReply(deps, { ...input, step }, own, call);
  const repeated = await replayTask(deps, { ...input, step });
  if (repeated?.kind === 'calls') {
    const { text, calls, replayed } = repeated;
    const { sight } = await prepareTurn(deps, input);
    const said = { by: RECIPE_MODEL, text, calls, replayed, sighting: sight?.({ calls, says: text }) };
    return await saveOwnReply(deps.store, input, said, call);
  }
  const notes = repeated === undefined ? input.notes : [...input.notes, repeated.note];
  const opened = input.turn === 0 ? await openingReply(deps, { ...input, notes }, step.task?.url, call) : undefined;
  return (
    opened ??
    (await replyByRules(deps, { ...input, notes }, call)) ??
    (await askModel(deps, { ...input, notes }, values, call))
  );
}

/** Opens the address of a task in place of the model. */
async function openingReply(
  deps: ModelTurnDeps,
  input: ModelTurnInput,
  url: string | undefined,
  call: ActivityCall,
): Promise<ReplyMessage | undefined> {
  if (url === undefined) return undefined;
  const { context, sight } = await prepareTurn(deps, input);
  if (!context.isOpened) return undefined;
  const calls = [{ name: OPENING, args: JSON.stringify({ url }) }];
  return await saveOwnReply(
    deps.store,
    input,
    { by: OPENED_BY, text: '', calls, sighting: sight?.({ calls, says: '' }) },
    call,
  );
}

/** Reading rows and following pages takes no language model: it only gets what is missing then. */
function ledByRules({ step, isRepair }: ModelTurnInput): boolean {
  return step.task?.isExtract === true && isRepair !== true;
}

function withModel(input: ModelTurnInput, model: string): ModelTurnInput {
  const { options } = input.step;
  const aiConfig = { ...options.aiConfig, model };
  return { ...input, step: { ...input.step, options: { ...options, aiConfig } } };
}

async function plannedCalls(
  { store, toolRegistry }: ModelTurnDeps,
  key: TurnKey,
  { calls, planned }: ReplyMessage,
  values: SessionValues,
): Promise<PlannedCall[]> {
  if (planned !== undefined) return planned;
  faultPoint('before-plan', key.sessionId);
  const written = calls.slice(0, MOST_CALLS).map((call) => ({ ...call, args: withSecretAliases(call.args, values) }));
  return await store.messages.savePlanOnce(key, await toolRegistry.plan(key, written));
}

/** Plans one call of a saved reply anew: on the page as it is now, or with the arguments that a person gave. */
export async function planCall({ store, toolRegistry }: ModelTurnDeps, input: PlanCallInput): Promise<PlannedCall> {
  const { sessionId, stepIndex, turn, callId, newContent: content, isAskedAgain } = input;
  const key: TurnKey = { sessionId, stepIndex, turn };
  const own = content === undefined ? undefined : (await store.toolCalls.get(sessionId, callId))?.args;
  const args = content === undefined ? input.args : { ...own, content };
  const planned = await toolRegistry.replan(key, callId, args, isAskedAgain);
  const reply = await store.messages.reply(key);
  // Results are found by the newest plan, and a note reports a person's changes to the model.
  await store.messages.replacePlan(key, {
    planned: (reply?.planned ?? []).map((each) => (each.callId === callId ? planned : each)),
    edited: [...new Set([...(reply?.edited ?? []), ...(args === undefined ? [] : [callId])])],
  });
  return planned;
}
