import type { ToolCallStep } from '../../../contracts/sessions/step-input';
import type { ReplyMessage } from '../../../store/models/messages';
import type { ActivityCall } from '../../activity/activity';
import type { ModelTurnInput } from '../../signatures/task-activities';
import { saveIncomingMessages } from './incoming-messages';
import { saveOwnReply } from './own-reply';
import type { ModelTurnDeps } from './turn-request';

/** Who replies in a step that is one call of the caller. */
const CALLER = 'caller';

/**
 * Replies in place of a model in a step that is one call: the first turn makes the call, the second ends the step with its
 * result, and with the page that it led to. So the call is planned, approved, journaled and run as any other.
 */
export async function callReply(
  deps: ModelTurnDeps,
  input: ModelTurnInput,
  { tool, args }: ToolCallStep,
  call: ActivityCall,
): Promise<ReplyMessage> {
  const { store } = deps;
  const { sessionId, turn } = input;
  await saveIncomingMessages(deps, input, {
    names: [],
    maxSteps: Infinity,
    hasOwnPage: await hasOwnPage(deps, sessionId),
  });
  const result = turn === 0 ? undefined : await resultOf(deps, input);
  return await saveOwnReply(
    store,
    input,
    {
      by: CALLER,
      text: result?.text ?? '',
      calls: result === undefined ? [{ name: tool, args: JSON.stringify(args) }] : [],
      ...(result?.isError === true ? { isGivenUp: true } : {}),
    },
    call,
  );
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
