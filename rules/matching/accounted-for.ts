import { targetsOf, type Action } from '../language/intent';
import { stemsIn, wordsOf, type Word } from '../language/words';
import { fitOf, fitting, MARGIN } from './by-words';
import { doesOther, isDestructive } from './does-other';
import * as acts from './element-commands';
import { isField, isInside, nearestNamed, type Item, type Page } from './page-index';
import { asOnPage } from './page-words';
import { leftOver } from './left-over';
import { isMenu, TO_CHECK, TO_CLICK, TO_SEE, TO_SET, type Purpose } from './purpose';
import { GESTURE, readByWords, textOf } from './read-by-words';
import { namesAnother } from './read-settings';
import { valueAccountedFor } from './value-accounted-for';
import { menuFor } from './read-way';
import { commandsOn, refused, severalFor, type TargetSearch } from './resolution';

/** Whether the control that was found accounts for all words; else what does, or a proposal. An investigation has chosen among namesakes. */
export function accountedFor(
  page: Page,
  action: Action,
  resolution: TargetSearch & { kind: 'commands' },
  isInvestigated = false,
): TargetSearch {
  const { target } = resolution;
  if (target !== undefined && (action.intent.kind === 'save' || action.intent.kind === 'expect-element'))
    return valueAccountedFor(page, action.intent.target.said, resolution, target);
  const commands = resolution.commands.filter(
    ({ action: deed, parameters }) => deed !== 'PRESS_KEY' || parameters.key !== 'Tab',
  );
  const { kind } = action.intent;
  const [command] = commands;
  if (target === undefined || command === undefined || commands.length > 1 || !JUDGED.has(kind)) return resolution;
  if (targetsOf(action.intent).some(({ every }) => every !== undefined) || PRONOUN.test(textOf(action)))
    return resolution;
  if (kind === 'point') return gestureAccountedFor(page, action, resolution, target);
  // “sort by user” does not put the pointer into the field “Tag, model or user”.
  if (kind === 'either' && command.action === 'CLICK_ELEMENT' && isField(target) && target.role !== 'combobox') {
    const read = readByWords(page, action);
    return read?.kind === 'commands' ? read : refused(leftOver(wordsOf(textOf(action))));
  }
  const purpose: Purpose = command.action === 'SET_CHECKED' ? TO_CHECK : isField(target) ? TO_SET : TO_CLICK;
  const { text = '', option = '', options = [], key = '' } = command.parameters;
  const values = stemsIn([text, option, ...options, key].join(' '));
  const said = wordsOf(textOf(action));
  const words = asOnPage(page, said, isDestructive(said)).filter((word) =>
    word.isQuoted ? !stemsIn(word.said).every((each) => values.includes(each)) : !values.includes(word.stem),
  );
  const clicked = nearestNamed(target) ?? target;
  if (purpose !== TO_CLICK) {
    const rest = words.filter(({ stem }) => !GIVING.has(stem));
    const left = fitOf(page, target, rest, purpose, true)!.left.filter(({ ordinal }) => ordinal === undefined);
    const own = stemsIn([target.label, ...target.hints].join(' '));
    const others = rest.filter(({ stem }) => !own.includes(stem)).map(({ said }) => said);
    const isOther = namesAnother(page, others.join(' '), target);
    if (left.length === 0 && (purpose !== TO_SET || !isOther || action.place !== undefined)) return resolution;
    const read = readByWords(page, action);
    return read?.kind === 'commands' ? read : refused(leftOver(left));
  }
  const { left } = fitOf(page, target, words, purpose, true)!;
  const isShown = words.some(({ isSoft, stem }) => isSoft === true && /^(?:open|show|view|visit)$/.test(stem));
  const isOther =
    (isShown && /^(?:checkbox|radio|switch)$/.test(clicked.role)) ||
    (words.some(({ isSoft }) => isSoft === true) && doesOther(clicked, words));
  // “select the first car” is no click on “New car”.
  const isChosen = kind === 'choose' && command.action === 'CLICK_ELEMENT';
  if (kind !== 'click') return isChosen && isOther ? refused(leftOver(left)) : resolution;
  if (left.length === 0 && !isOther)
    return (isInvestigated ? undefined : namesakesFor(page, clicked, words, purpose, action)) ?? resolution;
  // The ordinal of a control was counted when it was found; what is taken away is counted in one list.
  if (
    left.length > 0 &&
    left.every((word) => word.ordinal !== undefined) &&
    (!isOther || isMenu(clicked)) &&
    !isDestructive(words)
  )
    return resolution;
  const { best, nearest } = fitting(page, words, purpose);
  const same = best.find(({ item }) => isInside(item, clicked) || isInside(clicked, item));
  if (best.length === 1 && same === undefined) return commandsOn(best[0]!.item, acts.click(best[0]!.item));
  if (same !== undefined && best.length === 1) return resolution;
  if (best.length > 1)
    return severalFor(
      textOf(action),
      best.map(({ item }) => item),
    );
  return menuFor(page, words) ?? refused(leftOver(nearest[0]?.left ?? left));
}

/** A gesture has no other verb than its own: each word beside it is of what it is done to. */
function gestureAccountedFor(
  page: Page,
  action: Action,
  resolution: TargetSearch & { kind: 'commands' },
  target: Item,
): TargetSearch {
  const words = asOnPage(page, wordsOf(textOf(action).replace(GESTURE, ''), false), false);
  const fit = fitOf(page, target, words, TO_SEE, true)!;
  const left = fit.left.filter(({ ordinal }) => ordinal === undefined);
  const mayPoint = action.intent.kind === 'point' && action.intent.gesture === 'hover';
  if (left.length === 0 && !mayPoint) return resolution;
  const read = readByWords(page, action);
  const better = read?.kind === 'commands' ? read.target : undefined;
  // “the ? icon next to the checkbox” is not the checkbox.
  const isBetter = better && (fitOf(page, better, words, TO_SEE)?.score ?? 0) > fit.score + MARGIN;
  if (left.length === 0) return isBetter ? read! : resolution;
  return read?.kind === 'commands' ? read : refused(leftOver(left));
}

/** Where controls of one name account for all words equally well, as in entries of which each has them, none is meant. */
function namesakesFor(
  page: Page,
  clicked: Item,
  words: readonly Word[],
  purpose: Purpose,
  action: Action,
): TargetSearch | undefined {
  const isSaidBefore = REFERS.test(textOf(action)) || action.place !== undefined;
  if (isSaidBefore || words.some(({ ordinal }) => ordinal !== undefined)) return undefined;
  const items = fitting(page, words, purpose).best.map(({ item }) => item);
  const isAmong = items.length > 1 && items.includes(clicked);
  return isAmong && items.every(({ label, role }) => label === clicked.label && role === clicked.role)
    ? severalFor(textOf(action), items)
    : undefined;
}

/** What it refers to was found with the action before. */
const PRONOUN = /^\w+(?:\s+on)?\s+(?:it|that|this|them|there)$/i;

/** Which one is meant was said before. */
const REFERS = /\b(?:it|its|them|that|this|there|him|her|his|their)\b/i;

const JUDGED = new Set<string>(['click', 'point', 'check', 'either', 'choose', 'type', 'set']);

/** Words that say that a control gets a value or a state, and not which. */
const GIVING = new Set(
  (
    'type enter write put input insert paste fill set change update make use note give check tick uncheck untick enable disable turn switch ' +
    'toggle clear erase replace complete populate choose select pick off mark unmark activate deactivate option value text field box input ' +
    'checkbox dropdown list empty key keyed correct adjust number filter sort order upper lower case uppercase lowercase letter all'
  ).split(' '),
);
