import type { PromptPart } from '../models/language-model';
import type { ToolRegistry } from '../tools/port';
import type { ReplyMessage, ResultsMessage, TurnKey } from '../../store/models/messages';
import type { Store } from '../../store/store';
import type { ModelTurnInput } from '../task-activities';
import { imagesOf, textOf } from '../models/prompt-parts';
import { LAST_TURN_NOTE, taskText } from './prompts/task';
import { settleCalls } from './settle-calls';
import { storable } from './storable';

/** More calls of one turn are not run. */
export const MOST_CALLS = 32;

/**
 * Saves the message that this turn begins with: the task, or the results of the previous turn's calls in their order.
 * Resolves to the pictures among the results, by call id.
 */
export async function saveIncomingMessages(
  { store, toolRegistry }: { store: Store; toolRegistry: ToolRegistry },
  { sessionId, stepIndex, turn, step, ends, notes }: ModelTurnInput,
  { names, maxSteps }: { names: readonly string[]; maxSteps: number },
): Promise<Map<string, PromptPart[]>> {
  const pictures = new Map<string, PromptPart[]>();
  const place: TurnKey = { sessionId, stepIndex, turn };
  if (turn === 0) {
    if (stepIndex > 0) await settleCalls({ store, toolRegistry }, sessionId, stepIndex);
    const text = [taskText(step, names), ...notes].join('\n\n');
    const images = step.task?.images ?? [];
    await store.messages.save(place, {
      kind: 'task',
      text: storable(text),
      ...(images.length === 0 ? {} : { images }),
    });
    return pictures;
  }
  const before = { sessionId, stepIndex, turn: turn - 1 };
  const reply = await store.messages.reply(before);
  const calls = reply?.calls ?? [];
  const results: ResultsMessage['results'] = [];
  for (const [index, call] of calls.entries()) {
    const why = index < MOST_CALLS ? 'It was not run.' : `It was not run: a turn has at most ${MOST_CALLS} calls.`;
    const found = ends.find(({ callId }) => callId === call.callId);
    const end = found ?? { callId: call.callId, status: 'cancelled' as const, message: why };
    const parts =
      found === undefined ? [{ kind: 'text' as const, text: why }] : await toolRegistry.resultOf(before, call, end);
    const shown = imagesOf(parts);
    if (shown.length > 0) pictures.set(call.callId, shown);
    results.push({ end, text: textOf(parts), pictures: shown.length });
  }
  const said = [...editsOf(reply), ...notes, ...(turn === maxSteps - 1 ? [LAST_TURN_NOTE] : [])];
  await store.messages.save(place, storable({ kind: 'results', results, notes: said }));
  return pictures;
}

/** Without this note a model believes that its own arguments were used. */
function editsOf(reply: ReplyMessage | null): string[] {
  return (reply?.edited ?? []).flatMap((callId) => {
    const planned = reply?.planned?.find((each) => each.callId === callId);
    if (planned === undefined) return [];
    return [`The person has changed the arguments of ${planned.name} to ${JSON.stringify(planned.args)}.`];
  });
}
