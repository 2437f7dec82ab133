import { createRulesModel } from '../../../rules/rules-model';
import type { ReplyMessage } from '../../../store/models/messages';
import type { ActivityCall } from '../../activity/activity';
import type { ModelTurnInput } from '../../signatures/task-activities';
import { earlierTurns } from '../models/earlier-turns';
import { saveOwnReply } from './own-reply';
import { OPENING, prepareTurn, type ModelTurnDeps } from './turn-request';

/**
 * Has `rules` take the turn of a task that they can read, which costs no call of a model. Undefined where the model leads:
 * they are not asked first, they can't read the task, or the model has begun it.
 */
export async function replyByRules(
  deps: ModelTurnDeps,
  input: ModelTurnInput,
  call: ActivityCall,
): Promise<ReplyMessage | undefined> {
  const { sessionId, stepIndex, step, isReadFirst, isRepair } = input;
  const { images = [], history = [] } = step.task ?? {};
  if (isReadFirst !== true || isRepair === true || images.length + history.length > 0) return undefined;
  const turns = await earlierTurns(deps.store, sessionId, stepIndex);
  // The engine has opened the address of the task.
  const pastTurns = turns.filter(({ turn, raw, calls }) => turn > 0 || raw !== undefined || calls.join() !== OPENING);
  const isFirst = input.turn === turns.length - pastTurns.length;
  if (pastTurns.length === 0 ? !isFirst : pastTurns.some(({ raw }) => raw?.form !== 'rules')) return undefined;
  const [{ request, snapshot, sight }, tools] = await Promise.all([
    prepareTurn(deps, input),
    deps.toolRegistry.declarations(sessionId),
  ]);
  const read = await createRulesModel().turn({ ...request, tools, messages: [], url: undefined, pastTurns });
  const { text, functionCalls: calls, raw, isGivenUp, isUnread } = read;
  if (isUnread === true) return undefined;
  if (snapshot !== null) await deps.store.memory.saveShownSnapshot(sessionId, snapshot);
  const said = { by: 'rules', text, calls, raw, isGivenUp, sighting: sight?.({ calls, says: text }) };
  return await saveOwnReply(deps.store, input, said, call);
}
