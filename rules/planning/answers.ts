import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { DecisionRequest } from '../../contracts/model-port/port';
import { mayOpenDialog, type Action } from '../language/intent';
import { click } from '../matching/element-commands';
import type { Page } from '../matching/page-index';
import { answerSaid, buttonFor, questionOn, wayOut } from '../matching/read-answer';
import { commandsOn, refused, type TargetSearch } from '../matching/resolution';
import { textOf } from '../matching/read-by-words';
import { answersNextAction, notesOf } from './progress';

/** “delete it, then confirm”: a yes or a no to whatever the press before it makes the page or the browser ask. */
function answerBehind(actions: readonly Action[], index: number): boolean | undefined {
  const next = actions[index + 1];
  return next === undefined || next.condition !== undefined || next.intent.kind === 'dialog'
    ? undefined
    : answerSaid(textOf(next));
}

const ASKS: ReadonlySet<string> = new Set(['CLICK_ELEMENT', 'SET_CHECKED', 'SELECT_OPTION']);

/** A question of the browser is answered with the click that it comes of; one of the page by a press of its own. */
export function withAnswer(
  actions: readonly Action[],
  index: number,
  commands: readonly AIGeneratedCommand[],
): AIGeneratedCommand[] {
  const accept = answerBehind(actions, index);
  const isGiven = index > 0 && answersNextAction(actions, index - 1);
  // “Clear the shift” may be a field or a button: the commands say which.
  const mayAsk = commands.some(({ action }) => ASKS.has(action));
  if (accept === undefined || isGiven || !mayAsk) return [...commands];
  return [{ action: 'HANDLE_DIALOG', parameters: { accept } }, ...commands];
}

/**
 * An answer that no press of its step follows: the browser has no question then, so it is one to a question of the page,
 * or none. The answer to a question of the browser is given with the press that it comes of.
 */
export function loneAnswer(page: Page, actions: readonly Action[], index: number): TargetSearch | undefined {
  const action = actions[index]!;
  const { intent } = action;
  if (intent.kind !== 'dialog' || actions.slice(index + 1).some((next) => mayOpenDialog(next.intent))) return undefined;
  const question = intent.promptText === undefined ? questionOn(page) : undefined;
  const button =
    question && (buttonFor(page, question, intent.accept) ?? (intent.accept ? undefined : wayOut(page, question)));
  return button
    ? commandsOn(button, click(button))
    : refused(
        `“${action.said}” answers no question: none is open. What answers a question of the browser stands in the step that it comes of, for example: click “Delete” and accept the dialog.`,
      );
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
