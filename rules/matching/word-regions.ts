import { NOUN, roleWord, THING } from '../language/role-words';
import { synonymsOf } from '../language/synonyms';
import { DESTRUCTIVE, isVerb, literalsIn, namesFor, signFor, stemsIn, type Word } from '../language/words';
import { isDestructive, isSaidBy } from './does-other';
import type { Surroundings } from './entry';
import { isCalledInSource, normal, SOURCE_NAME } from './name-match';
import { vocabularyOf } from './page-words';
import { ancestors, type Item, type Page } from './page-index';
import { isMenu, rankAs, TO_CLICK, type Purpose } from './purpose';

/** Where a word of a step is found: in the control itself, in its entry, above it, or as the word for its kind. */
export type Region = 'own' | 'entry' | 'section' | 'kind';
export const ENTRY_KINDS = /^(?:row|line|item|entry|record|card|result|element|product)$/;
export const FREE_KINDS =
  /^(?:page|screen|section|area|calendar|contenteditable|subtitle|list|table|form|site|app|panel|view|column|field|value|text|name|label|box|option|symbol|sign|icon|position|number|status|columnheader|aria|toolbar|header|heading|input|reason|role|body|context|submenu)$/;

/** “the second page” is opened by what is called so. */
export const PAGER = /^(?:(?:go to )?(?:page )?\d+|(?:next|last)(?: page)?\W*)$/i;

/** Whether other controls are inside: what they say is not what the whole does. */
export const isAround = (page: Page, item: Item): boolean =>
  /^(?:generic|listitem|row|article|group)$/.test(item.role) &&
  page.items
    .slice(item.index + 1, item.last + 1)
    .some(
      ({ role, node }) =>
        node?.ref !== undefined &&
        (/^(?:button|link|checkbox|radio|combobox|textbox)$/.test(role) ||
          (node.cursor === 'pointer' && role === 'generic')),
    );

/** “give it a star”, “put it in my favourites”: what is done is the name of the control. */
const LIGHT = /^(?:give|put|make|set|have|let)$/;
const isSaidWhole = ({ label, role }: Item, words: readonly Word[]): boolean =>
  /^(?:button|link|menuitem)$/.test(role) &&
  stemsIn(label).length > 0 &&
  stemsIn(label).every((name) => isVerb(name) && words.some((word) => word.verb === undefined && isSaidBy(word, name)));

/** “use the Nanny template”, “take the Team plan”, “filter vegetarian”: what is pressed has just this name. */
const TAKES = /^(?:use|take|apply|try|filter)$/;
const isNamedByAll = ({ label, role }: Item, words: readonly Word[]): boolean =>
  /^(?:button|link|radio|option|menuitem|tab|generic)$/.test(role) &&
  stemsIn(label).length > 0 &&
  !stemsIn(label).some(isVerb) &&
  stemsIn(label).every((name) => words.some((word) => word.verb === undefined && isSaidBy(word, name)));

/** How a control accounts for one word; undefined where it does not. */
export function regionOf(
  page: Page,
  item: Item,
  place: Surroundings,
  word: Word,
  purpose: Purpose,
  words: readonly Word[],
): Region | undefined {
  if (word.isQuoted) {
    if (SOURCE_NAME.test(word.said) && !place.ownText.includes(word.said))
      return isCalledInSource(item, word.said) ? 'own' : undefined;
    if (holds(place.ownText, word.said) || isCross(word.said, place)) return 'own';
    if (holds(place.entryText, word.said)) return 'entry';
    if (holds(place.sectionText, word.said)) return 'section';
    return roleWord(word.said) === undefined ? undefined : 'kind';
  }
  if (word.verb !== undefined) {
    if (isAround(page, item)) return undefined;
    // "send the order" is no tick in “Send me the newsletter”.
    const isTick = purpose === TO_CLICK && /^(?:checkbox|radio|switch)$/.test(item.role);
    if (isTick && !stemsIn(item.label).every((name) => words.some((each) => isSaidBy(each, name)))) return undefined;
    // “submit the application” does not tick “Email”, which to submit may be called as well.
    if (isTick && !place.own.has(word.stem)) return undefined;
    if ([...word.verb].some((name) => place.own.has(name) && isDeed(name, word, place))) return 'own';
    if (word.stem.startsWith('un') && undoes(item, place, word.stem.slice(2))) return 'own';
    // “take the favourite away” is what “Unfavourite” does.
    if (DESTRUCTIVE.has(word.stem) && words.some(({ stem }) => place.own.has(`un${stem}`))) return 'own';
    // “filter “web-1”” is typed.
    const isTyped = word.stem === 'filter' && words.some(({ isQuoted }) => isQuoted === true);
    if (TAKES.test(word.stem) && !isTyped && isNamedByAll(item, words)) return 'own';
    return LIGHT.test(word.stem) && isSaidWhole(item, words) ? 'own' : undefined;
  }
  const { stem } = word;
  if (stem === 'page' && (word.isCounted === true || words[words.indexOf(word) - 1]?.ordinal !== undefined))
    return PAGER.test(item.label.trim()) ? 'own' : undefined;
  if (word.isName && word.literal !== undefined) return regionOfLiteral(place, word.literal);
  const stems = [stem, ...(word.also ?? [])];
  const isIn = (some: ReadonlySet<string>): boolean => stems.some((each) => some.has(each));
  if (isCross(stem, place) || (stem === 'dot' && isMenu(item))) return 'own';
  if (isIn(place.own) || place.own.has(signFor(stem) ?? stem)) return 'own';
  if (place.own.has(`un${stem}`) && isDestructive(words)) return 'own';
  if (isRunTogether(place.own, stem)) return 'own';
  // “the trash icon” is what removes.
  const isIcon = words.some((each) => /^(?:icon|symbol)$/.test(each.stem));
  if (isIcon && isVerb(stem) && [...namesFor(stem)].some((name) => place.own.has(name))) return 'own';
  if (isIn(place.entry)) return 'entry';
  if (isIn(place.section)) return 'section';
  if (word.isMeans === true) return undefined;
  if (stem === 'top' || stem === 'bottom')
    return item.index < page.items.length / 2 === (stem === 'top') ? 'kind' : undefined;
  if (ENTRY_KINDS.test(stem) || (stem === 'menu' && isMenu(item))) return 'kind';
  const kind = roleWord(word.said) ?? roleWord(stem);
  if (kind && rankAs(item, kind, purpose) !== undefined) return 'kind';
  if (kind && [...ancestors(item)].some(({ role }) => kind.roles.includes(role) || kind.otherwise?.includes(role)))
    return 'kind';
  // “the icon next to the checkbox”
  if (
    kind &&
    place.parts.some((part) =>
      page.items.slice(part.index, part.last + 1).some(({ role }) => kind.roles.includes(role)),
    )
  )
    return 'kind';
  if (FREE_KINDS.test(stem)) return 'kind';
  // “open the new ticket dialog”: what a button opens is seen once it is open.
  if (OPENED_KINDS.test(stem) && words.some((each) => each.isSoft === true && OPENS.test(each.stem))) return 'kind';
  // “start a new thread”
  if (stem === 'new' && words.some(({ verb, isSoft }) => verb !== undefined && isSoft !== true && isCreating(verb)))
    return 'kind';
  // A kind of thing that the page nowhere names is that of the entry, unless the control says another one.
  const isThing =
    THINGS.test(stem) &&
    (word.isApposition === true || !isDestructive(words) || !vocabularyOf(page).stems.has(stem)) &&
    !saysOtherThing(item, stem);
  if (isThing) return 'kind';
  return place.parts.length > 0 && !isDestructive(words) && kindsMade(page).has(stem) ? 'kind' : undefined;
}

/** Words for whatever there are several of, and for somebody. */
const ANYTHING = /^(?:item|thing|element|record|card|entry|row|option)$/;
const SOMEBODY = /^(?:user|account|member|person|people|customer|client|contact|employee|guest|profile|tenant)$/;

/** “Delete user” is not what deletes somebody's comment. */
function saysOtherThing({ label }: Item, said: string): boolean {
  const isAlike = (name: string): boolean =>
    name === said ||
    ANYTHING.test(name) ||
    ANYTHING.test(said) ||
    (SOMEBODY.test(name) && SOMEBODY.test(said)) ||
    synonymsOf(said).includes(name);
  const named = stemsIn(label).filter((name) => THINGS.test(name) && !isVerb(name));
  return named.length > 0 && !named.some(isAlike);
}

const OPENED_KINDS = /^(?:dialog|modal|window|popup|form|drawer)$/;
const OPENS = /^(?:open|show|view)$/;

const MAKES_ONE = /^\W*(?:new|add|create)\s+(?:an?\s+|another\s+|new\s+)?(\p{L}+)\W*$/iu;
const made = new WeakMap<Page, ReadonlySet<string>>();

/** “Shifts”, “6 of 8 invoices” */
const MANY = /^(?:\p{L}+\s+)?(\p{L}{3,}s)(?:\s*\(\d+\))?$|^\d+(?:\s+of\s+\d+)?\s+(\p{L}{3,}s)\b/u;

/** What the entries of a page are, by what it makes, and by the names of its parts: “New appointment”, “Shifts”. */
export function kindsMade(page: Page): ReadonlySet<string> {
  const known = made.get(page);
  if (known) return known;
  const kinds = new Set(
    page.items.flatMap((item) => {
      const [, part, counted] = item.isHidden || item.text.length > 40 ? [] : (MANY.exec(item.text.trim()) ?? []);
      const many = counted ?? (isPart(item) ? part : undefined) ?? '';
      return [...stemsIn(MAKES_ONE.exec(item.label.trim())?.[1] ?? ''), ...stemsIn(many)];
    }),
  );
  made.set(page, kinds);
  return kinds;
}

const isPart = (item: Item): boolean =>
  /^(?:tab|heading)$/.test(item.role) || [item, ...ancestors(item)].some(({ role }) => role === 'navigation');

/** “Orders” is no name of what buys; where the step says the word itself, it may be, and “Add to favourites” is one. */
const isDeed = (name: string, { stem }: Word, { ownText }: Surroundings): boolean =>
  name === stem ||
  /^add\b/i.test(ownText) ||
  ownText
    .toLowerCase()
    .match(/\p{L}+/gu)
    ?.includes(`${name}s`) !== true;

/** A button that stays pressed, or that says what is so: “Liked”, “Following”. */
const undoes = ({ node }: Item, { own }: Surroundings, done: string): boolean =>
  (node?.pressed === true && own.has(done)) ||
  [...own].some((stem) => new RegExp(`^${done.replace(/e$/, '')}.?(?:ed|ing)$`).test(stem));

const isCreating = (verb: ReadonlySet<string>): boolean =>
  ['new', 'start', 'compose', 'write'].some((each) => verb.has(each));

export const THINGS = new RegExp(
  `^(?:${THING}|${NOUN}|guest|booking|file|folder|contact|employee|supplier|vendor|client|lead|deal|message|thing|event|option|attachment|document|day|role|draft|thread|reminder|repair|template|card|room|tenant|album|invitation|job|request|transfer|article|class|course|session|lesson|workshop|parcel|package|shipment|prescription|recipe|flight|trip|tariff|loan|reservation|application|letter|song|film|movie|episode|patient|pupil|student|child|reader|driver|vehicle|car|bike|machine|device|port|rule|subscription|company|flat|apartment|house|property|batch|exam|slot|candidate|applicant|volunteer|donation|payment|expense|receipt|contract)$`,
);

/** Where a word stands in just this form. */
export function regionOfLiteral(
  { ownText, entryText, sectionText }: Surroundings,
  literal: string,
): Region | undefined {
  const isIn = (text: string): boolean => literalsIn(text).includes(literal);
  return isIn(ownText) ? 'own' : isIn(entryText) ? 'entry' : isIn(sectionText) ? 'section' : undefined;
}

/** What people call the button that is named Close. */
const isCross = (said: string, { own }: Surroundings): boolean => /^[x×✕✖]$/i.test(said) && own.has('close');

/** "username" is the field “User name”. */
function isRunTogether(own: ReadonlySet<string>, said: string): boolean {
  const wanted = said.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return (
    wanted.length > 4 &&
    own.size > 1 &&
    [...own].some((one) => [...own].some((other) => one !== other && one + other === wanted))
  );
}

/** Whether a text has these words in a row, whole. */
function holds(text: string, said: string): boolean {
  const [there, sought] = [literalsIn(text), literalsIn(said)];
  if (sought.length === 0) return normal(text).includes(normal(said));
  return there.some((_, at) => sought.every((word, offset) => there[at + offset] === word));
}
