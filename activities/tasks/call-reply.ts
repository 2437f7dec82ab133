import type { ToolCallStep } from '../../contracts/sessions/start-request';
import type { ReplyMessage } from '../../store/models/messages';
import type { ActivityCall } from '../activity';
import type { ModelTurnInput } from '../task-activities';
import { saveIncomingMessages } from './incoming-messages';
import { responseIdOf, toReply } from './model-reply';
import { startRecord } from './turn-records';
import type { ModelTurnDeps } from './turn-request';

/** Who replies in a step that is one call of the caller. */
const CALLER = 'caller';
const NO_USAGE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/**
 * Replies in place of a model in a step that is one call: the first turn makes the call, the second ends the step with its
 * result, and with the page that it led to. So the call is planned, approved, journaled and run as any other.
 */
export async function callReply(
  deps: ModelTurnDeps,
  input: ModelTurnInput,
  { tool, args }: ToolCallStep,
  { activityId, attempt, runId }: ActivityCall,
): Promise<ReplyMessage> {
  const { store } = deps;
  const { sessionId, stepIndex, turn } = input;
  const place = { sessionId, stepIndex, turn };
  await saveIncomingMessages(deps, input, {
    names: [],
    maxSteps: Infinity,
    hasOwnPage: await hasOwnPage(deps, sessionId),
  });
  const result = turn === 0 ? undefined : await resultOf(deps, input);
  const id = `${activityId}.${attempt}`;
  const response = { responseId: responseIdOf(place, id), previousResponseId: '' };
  const start = (isRestart: boolean) => startRecord(place, id, { ...response, model: CALLER, isRestart });
  await store.messages.begin(place, { runId }, { first: start(false), again: start(true) });
  await store.messages.save(place, {
    ...toReply(place, {
      text: result?.text ?? '',
      thoughts: '',
      functionCalls: result === undefined ? [{ name: tool, args: JSON.stringify(args) }] : [],
      stopReason: result === undefined ? 'tool_calls' : 'end_turn',
      usage: NO_USAGE,
      model: CALLER,
      ...(result?.isError === true ? { isGivenUp: true } : {}),
    }),
    ...response,
    usage: NO_USAGE,
  });
  // An attempt that was taken for dead may have been faster: its reply counts.
  return (await store.messages.reply(place))!;
}

async function hasOwnPage({ store }: ModelTurnDeps, sessionId: string): Promise<boolean> {
  return (await store.sessions.get(sessionId))?.plan.config.agent.executor === 'playwright';
}

/** What came of the call of the first turn, as the messages have it. */
async function resultOf(
  { store }: ModelTurnDeps,
  { sessionId, stepIndex, turn }: ModelTurnInput,
): Promise<{ text: string; isError: boolean }> {
  const messages = await store.messages.ofStep(sessionId, stepIndex);
  const results = messages.findLast((message) => message.kind === 'results' && message.turn === turn);
  const [result] = results?.kind === 'results' ? results.results : [];
  if (result === undefined) return { text: 'Error: the call has no result.', isError: true };
  const after = result.pageAfter === undefined ? [] : [result.pageAfter.text];
  return { text: [result.text, ...after].join('\n\n'), isError: result.end.status !== 'success' };
}
