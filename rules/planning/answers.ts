import { CommandAction, type AIGeneratedCommand } from '../../contracts/commands/commands';
import type { DecisionRequest } from '../../contracts/model-port/port';
import { mayOpenDialog, type Action } from '../language/intent';
import { answerSaid } from '../matching/read-answer';
import { textOf } from '../matching/read-by-words';
import { answersNextAction, notesOf } from './progress';

/** “delete it, then confirm”: a yes or a no to whatever the press before it makes the page or the browser ask. */
function answerBehind(actions: readonly Action[], index: number): boolean | undefined {
  const next = actions[index + 1];
  return next === undefined || next.condition !== undefined || next.intent.kind === 'dialog'
    ? undefined
    : answerSaid(textOf(next));
}

/** A question of the browser is answered with the click that it comes of; one of the page by a press of its own. */
export function withAnswer(
  actions: readonly Action[],
  index: number,
  commands: readonly AIGeneratedCommand[],
): AIGeneratedCommand[] {
  const accept = mayOpenDialog(actions[index]?.intent) ? answerBehind(actions, index) : undefined;
  const isGiven = index > 0 && answersNextAction(actions, index - 1);
  const isClick = commands.some(({ action }) => action === CommandAction.CLICK_ELEMENT);
  if (accept === undefined || isGiven || !isClick) return [...commands];
  return [{ action: 'HANDLE_DIALOG', parameters: { accept } }, ...commands];
}

/** Whether an action is the yes or no to a question of the browser that was answered so with the press before it. */
export function isAnswered({ pastIterations }: DecisionRequest, actions: readonly Action[], index: number): boolean {
  const accept = index === 0 ? undefined : answerBehind(actions, index - 1);
  return (
    accept !== undefined &&
    pastIterations.some((iteration) =>
      iteration.outcomes.some(
        ({ evidence }, at) =>
          notesOf(iteration).plan[at] === index - 1 &&
          evidence?.kind === 'observed' &&
          evidence.dialogs.some(({ type, accepted }) => type === 'confirm' && accepted === accept),
      ),
    )
  );
}
