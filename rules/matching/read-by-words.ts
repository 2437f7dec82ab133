import type { Action } from '../language/intent';
import { isVerb, wordsOf, type Word } from '../language/words';
import { fitting, MARGIN, onBestFit } from './by-words';
import { isDestructive } from './does-other';
import * as acts from './element-commands';
import { surroundingsOf } from './entry';
import { isField, type Item, type Page } from './page-index';
import { asOnPage } from './page-words';
import { leftOver } from './left-over';
import { TO_CLICK, TO_POINT_AT, TO_TYPE } from './purpose';
import { valueOnly } from './read-value-only';
import { compoundIn, withButton } from './read-compound';
import { editorFor } from './read-editor';
import { filterIn } from './read-filter';
import { labelledIn } from './read-labelled';
import { newEntryIn } from './read-new-entry';
import { optionsIn } from './read-options';
import { stepIn } from './read-stepper';
import { bestSettings, mayNameControl, settingsIn } from './read-settings';
import { changeInMenu, menuFor, openedFrom, opensPart, partFor, partOfMenu, without, type Opened } from './read-way';
import { isNamedWhole, ONLY, switched } from './read-switch';
import { isOpenerOf, listFor } from './read-list';
import { gesture } from './resolve-gesture';
import { alreadySo, refused, severalFor, type TargetSearch } from './resolution';
import { answerIn, isNew } from './read-answer';

/** "replace “a” with “b” in F" */
const INSTEAD =
  /^(?:replace|change|swap|set)\s+(["“].+?["”])\s+(?:with|by|to|for)\s+(["“].+?["”])\s+(?:in|into|of|on)\s+(.+)$/i;
/** "the bin to delete it": what it is clicked for. */
const PURPOSE = /\s+(?:in order\s+)?to\s+\w+\s+(?:it|them|this|that)(?:\s+as\s+\w+)?$/i;
/** “click the “Bees” heading to collapse the group” */
const CLICK_PURPOSE =
  /^((?:click|tap|press|hit)\s.*["”]\S*(?:\s+\S+)?)\s+to\s+(?:collapse|expand|sort|open|close|show|hide|fold|unfold)\s+(?:the\s+)?[a-z]+(?:\s+[a-z]+)?$/i;
const MOST_WAYS = 3;

/**
 * Reads a clause by the words that the page has: what is meant, its entry and its place account for every word. Undefined
 * where nothing of it is on the page.
 */
export function readByWords(
  page: Page,
  action: Action,
  keys: readonly string[] = [],
  before?: Action,
): TargetSearch | undefined {
  const text = textOf(action);
  if (QUESTION.test(text)) return undefined;
  const opened = openedFrom(keys, action.used);
  if (action.intent.kind === 'point') return gestureOn(page, action.intent, text);
  const asSaid = readWith(page, text, opened, []);
  const isDone = asSaid?.kind === 'commands' && asSaid.target !== undefined && isField(asSaid.target);
  const turned = isDone ? undefined : deedBehind(text);
  const read = (turned === undefined ? undefined : commandsOf(readWith(page, turned, opened, []))) ?? asSaid;
  // “mark that repair as done” may be a box to tick, or a button of these words.
  const own = { ...action, core: action.said };
  if (read?.kind !== 'commands' && MARKS.test(action.said) && action.core !== action.said)
    return readByWords(page, own, keys, before);
  const refers = isDestructive(wordsOf(text)) ? IS_OBJECT : REFERS;
  const soft = softWords(action, before);
  const ofOthers = (found: TargetSearch & { kind: 'commands' }): TargetSearch => {
    const rivals = found.target === undefined ? [] : rivalsOf(page, found.target, soft);
    return rivals.length === 0 ? found : severalFor(text, [found.target!, ...rivals]);
  };
  // “add one to their order”: whose it is was said before.
  if (read?.kind === 'commands') return OWNED.test(text) && action.about !== undefined ? ofOthers(read) : read;
  if (!refers.test(text)) return read;
  const again = soft.length === 0 ? undefined : readWith(page, text, opened, soft);
  return again?.kind === 'commands' ? ofOthers(again) : read;
}

/** “pond: unfavourite”: the deed stands behind the thing. */
function deedBehind(text: string): string | undefined {
  const [, thing = '', deed = ''] = /^([^:"“]{2,40}):\s*([a-z]+)(?:\s+it)?$/i.exec(text) ?? [];
  return isDeed(deed) && !isDeed(thing) ? `${deed} ${thing}` : undefined;
}

const commandsOf = (found: TargetSearch | undefined): TargetSearch | undefined =>
  found?.kind === 'commands' ? found : undefined;

/** “give it a star”: what it is was said before. */
function softWords({ about = '', condition }: Action, before: Action | undefined): Word[] {
  const subject = condition?.kind === 'element' ? (condition.subject?.said ?? '') : '';
  const context = `${about} ${subject} ${before === undefined ? '' : textOf(before)}`;
  // Of “the people at table 1” the number alone is that of anything.
  return wordsOf(context, false)
    .filter(({ stem }) => !/^\d{1,2}$/.test(stem))
    .map((word): Word => ({ ...word, isSoft: true }));
}

/** Controls of the same name whose entries have words that were said before and that the entry of the chosen one has not, or just as many. */
function rivalsOf(page: Page, chosen: Item, soft: readonly Word[]): Item[] {
  const said = asOnPage(page, soft, true);
  const saidOf = (item: Item): string[] => {
    const { own, entry } = surroundingsOf(page, item);
    const stems = said.flatMap(({ stem, said: word, parts = [], ordinal }) => [
      stem,
      ...parts,
      ...(ordinal !== undefined && /\d/.test(word) ? [String(ordinal)] : []),
    ]);
    return [...new Set(stems)].filter((stem) => own.has(stem) || entry.has(stem));
  };
  const mine = saidOf(chosen);
  return page.items.filter((item) => {
    if (item === chosen || item.role !== chosen.role || item.label !== chosen.label || item.isHidden) return false;
    const theirs = saidOf(item);
    return theirs.length > 0 && (theirs.length >= mine.length || theirs.some((stem) => !mine.includes(stem)));
  });
}

function readWith(page: Page, text: string, opened: Opened, soft: readonly Word[]): TargetSearch | undefined {
  if (opened.count > 0 && !opened.isClosed && isOpened(text, opened)) return alreadySo();
  if (opened.isMenu && !opened.isClosed) return pointed(page, text, opened, soft);
  return (
    answerIn(page, text) ??
    labelledIn(page, text) ??
    cleared(page, text, opened, soft) ??
    valueOnly(page, text) ??
    stepIn(page, text) ??
    filterIn(page, text) ??
    switched(page, text, opened, soft) ??
    given(page, text, opened, soft) ??
    pointed(page, text, opened, soft)
  );
}

/** “open the file menu”: with its opening nothing is left. */
const isOpened = (text: string, opened: Opened): boolean =>
  /^(?:open|show|view|go to)\b/i.test(text) &&
  without(wordsOf(text), opened).every(
    ({ stem, isSoft, isQuoted }) =>
      isSoft === true || (isQuoted !== true && /^(?:menu|submenu|tab|page|view|section|panel)$/.test(stem)),
  );

/** What is asked is not done: “is there a delete button?” */
const QUESTION =
  /^(?:is|are|was|were|does|did|has|have|had|why|how|what|which|who|whose|where|when)\b(?!['’])|^(?:should|shall|can|could|may|must|do|did|will|would)\s+(?:i|we|it|they|he|she|this|that|the|there)\b/i;

/** “hover the lock icon, first article” */
function gestureOn(page: Page, intent: Action['intent'] & { kind: 'point' }, text: string): TargetSearch | undefined {
  const words = wordsOf(text.replace(GESTURE, ''), false);
  const { best: clicked } = fitting(page, words, TO_CLICK);
  // What only shows something may be pointed at as well.
  const shown = intent.gesture === 'hover' ? fitting(page, words, TO_POINT_AT).best : [];
  const best = (shown[0]?.score ?? 0) > (clicked[0]?.score ?? 0) + MARGIN ? shown : clicked;
  return best[0] && onBestFit(best, text, (item) => gesture(item, intent));
}

export const GESTURE =
  /^(?:double|right|long)?[\s-]?(?:click|tap|press|hover|mouse|hold|focus)(?:\s+(?:over|on|in|into))?\s+/i;

export const MARKS = /^mark\s.*\sas\s/i;

const OWNED = /\b(?:his|her|their|its)\b/i;

/** What is deleted is said itself, or by a word that stands for it. */
const IS_OBJECT = /\b(?:it|them|that one|this one|him|her)\b/i;
const REFERS = /\b(?:it|its|them|that one|this one|that|this|him|her|his|their|there|the same|record|entry|one)\b/i;

/** The words of a clause without its condition: what is done, then its place. */
export function textOf({ core, said, place }: Action): string {
  const words = (core ?? said).replace(PURPOSE, '').replace(CLICK_PURPOSE, '$1');
  return place === undefined ? words : `${words} ; ${place}`;
}

const CLEARS = /^(?:empty|clear|erase|blank|wipe)(?:\s+out)?\s+(.+)$/i;

/** "empty the phone number": a field whose whole name is said, where no button has these words. */
function cleared(page: Page, text: string, opened: Opened, soft: readonly Word[]): TargetSearch | undefined {
  const said = CLEARS.exec(text)?.[1];
  if (said === undefined || fitting(page, wordsOf(text), TO_CLICK).best.length > 0) return undefined;
  const { best } = fitting(page, [...without(wordsOf(said, false), opened), ...soft], TO_TYPE);
  return best[0] && onBestFit(best, text, (item) => acts.type(item, ''));
}

/** A value for a field, or an option of a list; what accounts for more of the words. */
function given(page: Page, text: string, opened: Opened, soft: readonly Word[]): TargetSearch | undefined {
  if (mayNameControl(page, text) || MAKES_IT.test(text)) return undefined;
  const settings = bestSettings(settingsIn(page, text.replace(INSTEAD, 'set $3 to $2'), opened.used, soft));
  const options = optionsIn(page, text, opened.used, soft);
  const clicked = fitting(page, [...without(wordsOf(text), opened), ...soft], TO_CLICK).best;
  const [setting] = settings;
  const [option] = options;
  if (setting !== undefined && (option === undefined || setting.isQuoted || setting.score >= option.score)) {
    const items = settings.map(({ item }) => item);
    return settings.length > 1 ? severalFor(text, items) : setting.resolution;
  }
  if (option === undefined && clicked.length === 0)
    return compoundIn(page, text, opened.used, soft) ?? newEntryIn(page, text, opened.used);
  if (option === undefined || (clicked[0] && clicked[0].score > option.score)) return undefined;
  if (options.length === 1) return withButton(page, text, option.item, option.resolution);
  return clicked.length === 1
    ? undefined
    : severalFor(
        text,
        options.map(({ item }) => item),
      );
}

/** “make the payment with tip 5” is done by more than a tip. */
const MAKES_IT =
  /^make\s+(?:the|an?|this|that|his|her|their)\s+(?:payment|booking|reservation|order|transfer|appointment|request|call|deposit|refund)\b/i;

function pointed(page: Page, text: string, opened: Opened, soft: readonly Word[]): TargetSearch | undefined {
  // In a menu it is the name of the item that counts, and not whether it is given, made or set.
  const all = without(wordsOf(text), opened);
  const words = opened.isMenu && all.length > 1 && LIGHT.test(all[0]!.stem) ? all.slice(1) : all;
  if (!words.some(({ isSoft, said }) => isSoft !== true && !REFERS.test(said))) return undefined;
  const { best: fits, nearest } = fitting(page, [...words, ...soft], TO_CLICK);
  // Only what has come with the menu is in it.
  const fresh = opened.count === 0 ? [] : fits.filter(({ item }) => isNew(item));
  const found = (opened.isMenu || fresh.length > 0 ? fresh : fits).filter(({ item }) => !isOpenerOf(item, opened));
  // Words without a verb are a name, and a whole one; “show only the cards of Ben” opens no menu of a card.
  const known = asOnPage(page, words, isDestructive(words));
  const isAct = (isDeed(text) || known[0]?.verb !== undefined) && !ONLY.test(text);
  const best = isAct ? found : found.filter(({ item }) => isNamedWhole(item, text, known));
  const isPart = opened.isMenu && best.some(({ item }) => opensPart(item));
  if (best[0] && !isPart) return onBestFit(best, text, acts.click);
  if (opened.isMenu) return partOfMenu(page, words) ?? changeInMenu(page, all, text, opened);
  const isRead = READS.test(text) || opened.count >= MOST_WAYS;
  const way = isRead
    ? undefined
    : (menuFor(page, known, text) ??
      partFor(page, known, text) ??
      editorFor(page, text) ??
      listFor(page, known, text, opened));
  return way ?? (nearest[0] && refused(leftOver(nearest[0].left)));
}

const LIGHT = /^(?:give|make|put|set|mark|change|let|have)$/;
const READS = /^(?:read|note|remember|look|count)\b/i;
const isDeed = (text: string): boolean => isVerb(/^\p{L}+/u.exec(text)?.[0]?.toLowerCase() ?? '');
