import { COMPLETED_ANSWER } from '../../contracts/tasks/agent-loop';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { faultPoint } from '../../runtime/fault-point';
import type { ReplyMessage, TurnKey } from '../../store/models/messages';
import type { ActivityCall } from '../activity';
import type { PlanCallInput, ModelTurnInput, ModelTurnOutput } from '../task-activities';
import { loadSessionValues, type SessionValues } from '../secrets/session-values';
import { writeOutbox } from '../sessions/write-outbox';
import { withSecretAliases } from './secret-aliases';
import { askModel, type ModelTurnDeps } from './ask-model';
import { MOST_CALLS } from './incoming-messages';
import { replyRecords } from './turn-records';
import { windowWarnings } from './window-warnings';

/** Characters of a text that stand in Temporal's history. */
const LONGEST_ANSWER = 50_000;
const LONGEST_WORDS = 4000;

/** One turn of a task. A repeated attempt returns the reply that was kept, so that nobody pays or is asked twice. */
export async function runModelTurn(
  deps: ModelTurnDeps,
  input: ModelTurnInput,
  call: ActivityCall,
): Promise<ModelTurnOutput> {
  const { store } = deps;
  const { sessionId, stepIndex, turn } = input;
  const place: TurnKey = { sessionId, stepIndex, turn };
  await writeOutbox(store, sessionId, call.runId, input.outbox);
  const values = await loadSessionValues(store, sessionId, deps.env);
  const reply = (await store.messages.reply(place)) ?? (await askModel(deps, input, values, call));
  faultPoint('after-reply', sessionId);
  const records = [...replyRecords(place, reply, values), ...windowWarnings(place, reply)];
  await store.log.append(sessionId, records, { guard: { runId: call.runId } });

  const { calls, model, usage, isCut, isGivenUp } = reply;
  const text = values.redact(reply.text);
  if (calls.length > 0) {
    const planned = await plannedCalls(deps, place, reply, values);
    return { kind: 'calls', text: text.slice(0, LONGEST_WORDS), calls: planned, model, usage };
  }
  return {
    kind: 'answer',
    text: text.trim() === '' ? COMPLETED_ANSWER : text.slice(0, LONGEST_ANSWER),
    ...(isCut ? { isTruncated: true } : {}),
    ...(isGivenUp ? { isGivenUp } : {}),
    calls: [],
    model,
    usage,
  };
}

async function plannedCalls(
  { store, toolRegistry }: ModelTurnDeps,
  place: TurnKey,
  { calls, planned }: ReplyMessage,
  values: SessionValues,
): Promise<PlannedCall[]> {
  if (planned !== undefined) return planned;
  faultPoint('before-plan', place.sessionId);
  const written = calls.slice(0, MOST_CALLS).map((call) => ({ ...call, args: withSecretAliases(call.args, values) }));
  return await store.messages.savePlanOnce(place, await toolRegistry.plan(place, written));
}

/** One call of a reply that was kept, planned anew: on the page as it is, or with the arguments that a person gave. */
export async function planCall({ store, toolRegistry }: ModelTurnDeps, input: PlanCallInput): Promise<PlannedCall> {
  const { sessionId, stepIndex, turn, callId, newContent: content } = input;
  const place: TurnKey = { sessionId, stepIndex, turn };
  const own = content === undefined ? undefined : (await store.toolCalls.get(sessionId, callId))?.args;
  const args = content === undefined ? input.args : { ...own, content };
  const planned = await toolRegistry.replan(place, callId, args);
  const reply = await store.messages.reply(place);
  // What becomes of it is looked up by its newest plan; the model is told what a person has changed.
  await store.messages.replacePlan(place, {
    planned: (reply?.planned ?? []).map((each) => (each.callId === callId ? planned : each)),
    edited: [...new Set([...(reply?.edited ?? []), ...(args === undefined ? [] : [callId])])],
  });
  return planned;
}
