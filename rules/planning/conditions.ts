import type { PageSnapshot, PageNode } from '../../contracts/browsers/page-snapshot';
import type { ElementState } from '../../contracts/commands/definitions/waiting';
import type { Action, Condition, Intent } from '../language/intent';
import { targetsOf } from '../language/intent';
import { roleWord } from '../language/role-words';
import { stemsIn, wordsOf } from '../language/words';
import { bestMatches, find, placedReadings } from '../matching/find';
import type { Item, Page } from '../matching/page-index';
import { TO_SEE } from '../matching/purpose';
import { resolve } from '../matching/resolve';
import { isMet } from './expectations';

/** Whether a condition is so on the page as it is now. */
export function isSo(snapshot: PageSnapshot, page: Page, action: Action, condition: Condition): boolean {
  if (condition.kind === 'page') return isMet(snapshot, condition.expected) === true;
  const { subject, absent = false, state } = condition;
  const own = subject === undefined || targetsOf(action.intent).includes(subject);
  if (state !== undefined) {
    const target = subject ?? targetsOf(action.intent)[0];
    const found = target && find(page, target, TO_SEE);
    return found?.kind === 'one' && isInState(found.item.node, found.item, state) !== absent;
  }
  // What is to be clicked is there when it can be clicked: the same words may stand in a text.
  const isThere = own ? resolve(action, page).kind !== 'absent' : isShown(page, subject);
  return isThere !== absent;
}

function isShown(page: Page, subject: NonNullable<(Condition & { kind: 'element' })['subject']>): boolean {
  return (
    isSpokenOf(page, subject.said) ||
    placedReadings(subject).some((readings) => bestMatches(page, readings, TO_SEE).some((item) => !item.isHidden))
  );
}

const NOTICE = /^(?:alert|status|dialog|alertdialog|region|banner|complementary|log)$/;
const LONGEST_NOTICE = 200;

/** Whether a notice or a dialog speaks of what the words name: "a message about cookies". */
function isSpokenOf(page: Page, said: string): boolean {
  const words = wordsOf(said, false).filter(({ said: word }) => roleWord(word) === undefined);
  const stems = words.flatMap((word) => (word.isQuoted ? stemsIn(word.said) : [word.stem]));
  const isNotice = (item: Item): boolean =>
    NOTICE.test(item.role) ||
    (item.role === 'generic' &&
      item.text.length <= LONGEST_NOTICE &&
      item.children.some(({ role }) => role === 'button'));
  return (
    stems.length > 0 &&
    page.items.some(
      (item) => isNotice(item) && !item.isHidden && stems.every((stem) => stemsIn(item.text).includes(stem)),
    )
  );
}

/** The state of a node in a snapshot; undefined for one that only the browser knows. */
export function isInState(
  node: PageNode | undefined,
  { text }: Pick<Item, 'text'>,
  state: ElementState,
): boolean | undefined {
  const isChecked = node?.checked === true || node?.selected === true || node?.pressed === true;
  switch (state) {
    case 'checked':
      return isChecked;
    case 'unchecked':
      return !isChecked;
    case 'disabled':
      return node?.disabled === true;
    case 'enabled':
      return node?.disabled !== true;
    case 'expanded':
      return node?.expanded === true;
    case 'collapsed':
      return node?.expanded !== true;
    case 'focused':
      return node?.active === true;
    case 'empty':
      return (node?.text ?? text) === '';
    case 'filled':
      return (node?.text ?? text) !== '';
    default:
      return undefined;
  }
}

/** The text whose appearance would make a condition so; undefined where nothing can appear. */
export function textAwaited(condition: Condition, intent: Intent): string | undefined {
  if (condition.kind === 'page') return condition.expected.absent ? undefined : condition.expected.text;
  if (condition.absent || condition.state !== undefined) return undefined;
  const subject = condition.subject ?? targetsOf(intent)[0];
  return subject?.readings.find(({ name, isGuess }) => name !== undefined && !isGuess)?.name;
}
