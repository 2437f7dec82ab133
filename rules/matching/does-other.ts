import { stemOf } from '../language/stems';
import { DESTRUCTIVE, isVerb, POINTING, stemsIn, type Word } from '../language/words';
import { isField, type Item } from './page-index';

/** Whether the name of a control begins with a verb that the step does not say: what it does is another thing. */
export function doesOther(item: Item, words: readonly Word[]): boolean {
  const names = stemsIn(item.label);
  const [first, ...rest] = names.slice(names.findIndex((name) => /[\p{L}\p{N}]/u.test(name)));
  if (first === undefined || rest.length === 0 || !/^(?:button|link|menuitem|generic)$/.test(item.role)) return false;
  if (!isVerb(first) || POINTING.has(first)) return false;
  const isItsVerb = words.some(
    ({ verb, isSoft }) =>
      verb !== undefined && isSoft !== true && [...verb].some((each) => stemsIn(item.label).includes(each)),
  );
  if (isItsVerb && discardsOther(item, rest, words)) return true;
  return !isItsVerb && !words.some((word) => word.isQuoted === true || isSaidBy(word, first));
}

/** “Remove my phone number” is no “Discard changes” of the form that has it. */
function discardsOther({ parent }: Item, rest: readonly string[], words: readonly Word[]): boolean {
  const isOfForm = parent?.role === 'form' || parent?.children.some((other) => isField(other)) === true;
  return isOfForm && isDestructive(words) && !rest.some((name) => words.some((word) => isSaidBy(word, name)));
}

export function isSaidBy(word: Word, name: string): boolean {
  return word.isQuoted
    ? stemsIn(word.said).includes(name)
    : word.stem === name || word.verb?.has(name) === true || word.also?.includes(name) === true;
}

/** Whether the step takes something away for good: as its verb, or as the first word after “press”. */
export function isDestructive(words: readonly Word[]): boolean {
  return words.some(
    ({ verb, stem }, index) =>
      (verb !== undefined || index === 0) && [...DESTRUCTIVE].some((each) => stemOf(each) === stem),
  );
}
