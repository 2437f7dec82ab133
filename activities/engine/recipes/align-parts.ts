import type { RecipeCommand } from '../../../contracts/recipes/recipe';
import { containsText } from '../../../rules/page-text/contains-text';
import type { Description } from '../../../rules/language/description';
import type { Intent } from '../../../rules/language/intent';
import type { StepPart } from './step-parts';

/** What a part of a step asks for, and the commands that did it: from `from` up to `to`. */
export interface AlignedPart {
  part: StepPart;
  /** Its number in the step. */
  index: number;
  from: number;
  to: number;
}

type Done = Pick<RecipeCommand, 'action' | 'parameters' | 'target'>;

/**
 * Which commands did which part of a step, in order. Undefined where they are not, command for command, what the words of the
 * step ask for: then nobody can say which of them to leave out, or to repeat, on another day.
 */
export function alignParts(parts: readonly StepPart[], commands: readonly Done[]): AlignedPart[] | undefined {
  const aligned: AlignedPart[] = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const from = at;
    const leader = aligned.at(-1);
    const isLeft = part.isJoined === true && leader !== undefined && leader.from === leader.to;
    do {
      const count = isLeft ? 0 : doneBy(part.intent, commands.slice(at));
      at += count;
      if (count === 0) break;
    } while (part.until !== undefined);
    const mayBeLeft = part.when !== undefined || part.until !== undefined || isLeft || part.intent.kind === 'reveal';
    if (at === from && !mayBeLeft) return undefined;
    aligned.push({ part, index, from, to: at });
  }
  return at === commands.length ? aligned : undefined;
}

/** How many of these commands, from the first, do what a part asks for; 0 where they do something else. */
function doneBy(intent: Intent, [first, second]: readonly Done[]): number {
  if (first === undefined) return 0;
  if (intent.kind === 'either') return Math.max(...intent.intents.map((each) => doneBy(each, [first, second!])));
  if (intent.kind === 'search') {
    const isSent = second?.action === 'CLICK_ELEMENT' || second?.parameters.key === 'Enter';
    return first.action === 'INPUT_TEXT' && first.parameters.text === intent.text && isSent ? 2 : 0;
  }
  return isDoneBy(intent, first) ? 1 : 0;
}

function isDoneBy(intent: Intent, { action, parameters, target }: Done): boolean {
  const isOn = (wanted: Description | undefined) => wanted === undefined || isCalledSo(wanted, target);
  switch (intent.kind) {
    case 'open':
      return action === 'OPEN_PAGE' && parameters.url?.replace(/\/$/, '') === intent.url.replace(/\/$/, '');
    case 'click':
      return action === 'CLICK_ELEMENT' && isOn(intent.target);
    case 'press':
      if (action === 'CLICK_ELEMENT') return intent.orClick !== undefined && isOn(intent.orClick);
      return action === 'PRESS_KEY' && parameters.key === intent.key && isOn(intent.target);
    case 'type':
      return action === 'INPUT_TEXT' && parameters.text === intent.text && isOn(intent.target);
    case 'set':
      return action === 'INPUT_TEXT' && parameters.text === intent.value && isOn(intent.target);
    case 'check':
      return action === 'SET_CHECKED' && parameters.checked === intent.checked && isOn(intent.target);
    case 'choose':
      return action === 'SELECT_OPTION' && intent.alternatives.some(({ option }) => option === parameters.option);
    case 'save':
      return action === 'SAVE_VARIABLE' && parameters.variableName === intent.variableName;
    case 'expect':
      return action === 'EXPECT' && parameters.text === intent.text && parameters.url === intent.url;
    case 'wait':
      return action === 'WAIT_FOR' && parameters.text === intent.text && parameters.hidden === intent.hidden;
    case 'dialog':
      return action === 'HANDLE_DIALOG' && parameters.accept === intent.accept;
    case 'back':
      return action === 'GO_BACK';
    case 'reload':
      return action === 'RELOAD_PAGE';
    default:
      return false;
  }
}

/** Whether the words call the element by a name that it has. */
function isCalledSo({ readings, every }: Description, target: Done['target']): boolean {
  if (target === undefined || every !== undefined) return false;
  // What stands before an element is its label only where it has no name of its own.
  const names = target.name === '' ? [target.label ?? '', target.attributes['placeholder'] ?? ''] : [target.name];
  return readings.some(({ name: said }) => said !== undefined && names.some((name) => containsText(name, said)));
}
