import { stemOf } from '../language/stems';
import { DESTRUCTIVE, isVerb, POINTING, stemsIn, wordsOf, type Word } from '../language/words';
import type { Surroundings } from './entry';
import { isField, type Item } from './page-index';
import { isMenu } from './purpose';

/** Whether the name of a control begins with a verb that the step does not say: what it does is another thing. */
export function doesOther(item: Item, words: readonly Word[]): boolean {
  const names = stemsIn(item.label);
  const [first, ...rest] = names.slice(names.findIndex((name) => /[\p{L}\p{N}]/u.test(name)));
  if (first === undefined || rest.length === 0 || !/^(?:button|link|menuitem|generic)$/.test(item.role)) return false;
  if (!isVerb(first) || POINTING.has(first)) return false;
  // “the three dots” are “More actions”.
  if (isMenu(item) && words.some(({ stem }) => /^(?:dot|menu)$/.test(stem))) return false;
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

const FROM = /^(?:remove|delete|drop|take)\b.*?\b(?:from|off)\s+(.+)$/i;
const ANY_PLACE = /^(?:list|table|page|row|view|here)$/;

/** “Delete the soup” is not “Remove from favourites”, unless the step says so or what it stands in is called that. */
export function removesFromOther(
  { label, hints }: Item,
  { section, entry }: Surroundings,
  words: readonly Word[],
): boolean {
  if (!isDestructive(words)) return false;
  const places = [label, ...hints].flatMap((name) => wordsOf(FROM.exec(name.trim())?.[1] ?? '', false));
  return places.some(
    ({ stem }) =>
      !ANY_PLACE.test(stem) && !section.has(stem) && !entry.has(stem) && !words.some((word) => isSaidBy(word, stem)),
  );
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
