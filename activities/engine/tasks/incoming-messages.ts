import type { PromptPart } from '../../../contracts/model-port/language-model';
import type { ToolRegistry } from '../tools/port';
import type { ReplyMessage, ResultsMessage, TurnKey } from '../../../store/models/messages';
import type { Store } from '../../../store/store';
import type { ModelTurnInput } from '../../signatures/task-activities';
import { imagesOf, promptText } from '../models/prompt-parts';
import { givenMessages } from './given-history';
import { taskText, turnsLeftNotes } from '../models/prompts/task';
import { pageAfterCalls, type PageAfter } from './page-changes';
import { doneByPersonsSince } from '../../recorded/done-by-persons';
import { settleCalls } from './settle-calls';
import { storable } from './storable';

/** More calls of one turn are not run. */
export const MOST_CALLS = 32;

interface TurnFacts {
  names: readonly string[];
  maxSteps: number;
  hasOwnPage: boolean;
  /** The task's address is opened before the model is asked. */
  isOpened?: boolean;
  /** Not all tools are declared to the model. */
  hasMoreTools?: boolean;
}

/**
 * Saves the message that this turn begins with: the task, or the results of the previous turn's calls in their order.
 * Resolves to the pictures among the results, by call id.
 */
export async function saveIncomingMessages(
  { store, toolRegistry }: { store: Store; toolRegistry: ToolRegistry },
  { sessionId, stepIndex, turn, step, ends, notes }: ModelTurnInput,
  { names, maxSteps, hasOwnPage, isOpened, hasMoreTools }: TurnFacts,
): Promise<Map<string, PromptPart[]>> {
  const pictures = new Map<string, PromptPart[]>();
  const place: TurnKey = { sessionId, stepIndex, turn };
  if (turn === 0) {
    if (stepIndex > 0) await settleCalls({ store, toolRegistry }, sessionId, stepIndex);
    const text = [taskText(step, names, { isOpened }), ...notes].join('\n\n');
    const images = step.task?.images ?? [];
    await store.messages.save(place, {
      kind: 'task',
      text: storable(text),
      ...(notes.length === 0 ? {} : { said: storable(notes) }),
      ...(images.length === 0 ? {} : { images }),
    });
    const given = givenMessages(step.task?.history ?? []);
    for (const [index, message] of given.entries())
      await store.messages.save({ ...place, turn: index - given.length }, storable(message));
    return pictures;
  }
  const before = { sessionId, stepIndex, turn: turn - 1 };
  const reply = await store.messages.reply(before);
  const calls = reply?.calls ?? [];
  const after = hasOwnPage
    ? await pageAfterCalls(store, place, { reply, ends, instruction: step.instruction })
    : undefined;
  const results: ResultsMessage['results'] = [];
  for (const [index, call] of calls.entries()) {
    const why = index < MOST_CALLS ? 'It was not run.' : `It was not run: a turn has at most ${MOST_CALLS} calls.`;
    const found = ends.find(({ callId }) => callId === call.callId);
    const end = found ?? { callId: call.callId, status: 'cancelled' as const, message: why };
    const parts =
      found === undefined ? [{ kind: 'text' as const, text: why }] : await toolRegistry.resultOf(before, call, end);
    const shown = imagesOf(parts);
    if (shown.length > 0) pictures.set(call.callId, shown);
    results.push({
      end,
      text: promptText(parts),
      pictures: shown.length,
      ...(after?.callId === call.callId ? { pageAfter: toPageAfter(after, promptText(parts)) } : {}),
    });
  }
  const described = hasMoreTools === true ? (after?.notes ?? []) : [];
  const acts = await doneByPersonsSince(store, sessionId, stepIndex);
  const said = [...editsOf(reply), ...acts, ...notes];
  const all = [...said, ...described, ...turnsLeftNotes(maxSteps - turn)];
  await store.messages.save(
    place,
    storable({ kind: 'results', results, notes: all, ...(said.length > 0 && { said }) }),
  );
  return pictures;
}

/** What the result itself says of the page's address and title is not repeated. */
function toPageAfter({ text, isWholePage }: PageAfter, result: string) {
  if (!isWholePage) return { text, isWholePage };
  const [head = '', address = '', title = '', ...lines] = text.split('\n');
  const isNamed = result.includes(`“${title.replace('title: ', '')}” (${address.replace('address: ', '')})`);
  return { text: isNamed ? [head, ...lines].join('\n') : text, isWholePage };
}

/** Without this note a model believes that its own arguments were used. */
function editsOf(reply: ReplyMessage | null): string[] {
  return (reply?.edited ?? []).flatMap((callId) => {
    const planned = reply?.planned?.find((each) => each.callId === callId);
    if (planned === undefined) return [];
    return [`The person has changed the arguments of ${planned.name} to ${JSON.stringify(planned.args)}.`];
  });
}
