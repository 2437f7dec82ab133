import { targetsOf, type Action } from '../language/intent';
import { isQuoted, protectQuotes, restore, unquote, type Spans } from '../language/protected-text';
import { stemsIn, wordsOf, type Word } from '../language/words';
import { fitOf, fitting, isDestructive, type Fit } from './by-words';
import * as acts from './element-commands';
import { surroundingsOf } from './entry';
import { truncate } from './item-text';
import { ancestors, isField, isInside, nearestNamed, type Item, type Page } from './page-index';
import { TO_CHECK, TO_CLICK, TO_SET, type Purpose } from './purpose';
import { commandsOn, refused, several, type TargetSearch } from './resolution';
import { settingOf } from './resolve-choice';

const ON =
  /^(?:(?:check|tick|enable|activate|turn on|switch on|mark)\s+(.+)|(?:turn|switch|set|toggle)\s+(.+?)\s+(?:to\s+)?on|(.+?)\s+(?:to\s+)?on)$/i;
const OFF =
  /^(?:(?:uncheck|untick|disable|deactivate|turn off|switch off|unmark)\s+(.+)|(?:turn|switch|set|toggle)\s+(.+?)\s+(?:to\s+)?off|(.+?)\s+(?:to\s+)?off|(?:(?:i|we)\s+)?(?:do not|don['’]t)\s+want\s+(?:to\s+(?:get|receive)\s+)?(.+)|no\s+(.+))$/i;

const TYPES =
  'type|enter|write|put|input|insert|add|paste|key in|fill in|fill|use|note|give|make it|choose|select|pick|set|take|say|record';
/** Value, then field; field, then value. Where the words between them occur more than once, each place is tried. */
const VALUE_FIRST = new RegExp(`^(?:${TYPES})\\s+(.+)$`, 'i');
const FIELD_FIRST =
  /^(?:set|change|update|correct|adjust|fill(?:\s+(?:in|out))?|complete|populate|replace|enter|type|write|choose|select|pick)\s+(.+)$/i;
const INTO = /\s+(?:into|in|to|for|as|on|at|under)\s+/gi;
const BECOMES = /\s*(?:\s(?:to|with|by|as|=)\s|:\s)\s*/gi;
const LEADING = /^(?:in|into|for|under|at|as|on)\s+(.+)$/i;

/** "replace “a” with “b” in F" */
const INSTEAD =
  /^(?:replace|change|swap|set)\s+(["“].+?["”])\s+(?:with|by|to|for)\s+(["“].+?["”])\s+(?:in|into|of|on)\s+(.+)$/i;

/** A value and the words for its field, as one way of cutting a clause. */
interface Cut {
  field: string;
  value: string;
  isQuoted: boolean;
}

/**
 * Reads a clause by the words that the page has: a control is meant where it, its entry and its place account for every
 * word. Undefined where nothing of it is on the page.
 */
export function readByWords(
  page: Page,
  action: Action,
  opened: ReadonlySet<string> = new Set(),
): TargetSearch | undefined {
  const text = textOf(action);
  if (opened.size > 0) return pointed(page, text, opened);
  return switched(page, text) ?? valued(page, text) ?? pointed(page, text, opened);
}

/** The words of a clause without its condition: what is done, then its place. */
export function textOf({ core, said, place }: Action): string {
  const words = (core ?? said).replace(PURPOSE, '');
  return place === undefined ? words : `${words} ${place}`;
}

/** "the bin to delete it": what it is clicked for. */
const PURPOSE = /\s+(?:in order\s+)?to\s+\w+\s+(?:it|them|this|that)(?:\s+as\s+\w+)?$/i;

function switched(page: Page, text: string): TargetSearch | undefined {
  for (const [form, checked] of [
    [OFF, false],
    [ON, true],
  ] as const) {
    const named = form
      .exec(text)
      ?.slice(1)
      .find((part) => part !== undefined);
    if (named === undefined) continue;
    const { best } = fitting(page, wordsOf(named, false), TO_CHECK);
    if (best[0]) return oneOf(best, named, (item) => acts.check(item, checked));
  }
  return undefined;
}

function valued(page: Page, text: string): TargetSearch | undefined {
  const { text: plain, spans } = protectQuotes(text.replace(INSTEAD, 'set $3 to $2'));
  const readings = cutsOf(plain, spans).flatMap((cut) => {
    const words = wordsOf(cut.field, false).filter(
      ({ stem }) => !/^(?:field|box|input|textbox|text|area|textarea)$/.test(stem),
    );
    if (words.length === 0 || cut.value === '' || (!cut.isQuoted && /["“”«»]/.test(cut.value))) return [];
    const { best } = fitting(page, words, TO_SET);
    if (best.length === 0 || !isNamedWhole(best, words) || namesAnother(page, cut, best)) return [];
    const own = best.flatMap(({ item }) => stemsIn([item.label, ...item.hints].join(' ')));
    const others = words.filter(({ stem }) => !own.includes(stem)).map(({ said }) => said);
    if (namesAnother(page, { ...cut, value: others.join(' '), isQuoted: false }, best)) return [];
    return [{ cut, best, weight: words.length }];
  });
  const most = Math.max(...readings.map(({ weight }) => weight));
  const [first, ...others] = readings.filter(({ weight }) => weight === most);
  if (first === undefined) return undefined;
  if (first.best.length > 1)
    return several(
      { said: first.cut.field, isQuoted: false, readings: [] },
      first.best.map(({ item }) => item),
    );
  const { item } = first.best[0]!;
  if (others.some(({ best, cut }) => best[0]!.item !== item || cut.value !== first.cut.value))
    return refused(`“${truncate(text)}” can be read in several ways; put the value in quotes.`);
  return settingOf(page, item, first.cut.value);
}

/** A field is meant by its whole name, but for what stands in brackets: a value may hold a word of another. */
function isNamedWhole(best: readonly Fit[], words: readonly Word[]): boolean {
  const said = new Set(words.flatMap((word) => stemsIn(word.said)));
  return best.some(({ item }) =>
    [item.label, ...item.hints].some((name) => {
      const stems = stemsIn(name.replace(/\(.*?\)|\b(?:optional|your|the|a|of)\b/gi, ' '));
      return stems.length > 0 && stems.every((stem) => said.has(stem));
    }),
  );
}

/** A value without quotes that holds the name of another field may be two of them. */
function namesAnother(page: Page, { value, isQuoted: isSafe }: Cut, best: readonly Fit[]): boolean {
  if (isSafe) return false;
  const stems = stemsIn(value);
  return page.items.some((item) => {
    if (TO_SET.rank(item) === undefined || item.isHidden || best.some((fit) => fit.item === item)) return false;
    const names = stemsIn(item.label || (item.hints[0] ?? ''));
    return names.length > 0 && names.every((name) => stems.includes(name));
  });
}

function cutsOf(text: string, spans: Spans): Cut[] {
  const cut = (field: string, value: string): Cut => ({
    field: restore(field, spans),
    value: unquote(value.replace(/^(?:the\s+)?(?:text|value|name|words?)\s+(?=\S)/i, ''), spans),
    isQuoted: isQuoted(value),
  });
  const cuts: Cut[] = [];
  const first = VALUE_FIRST.exec(text)?.[1];
  for (const match of first?.matchAll(INTO) ?? [])
    cuts.push(cut(first!.slice(match.index + match[0].length), first!.slice(0, match.index)));
  const after = FIELD_FIRST.exec(text)?.[1] ?? (VALUE_FIRST.test(text) ? undefined : text);
  for (const match of after?.matchAll(BECOMES) ?? [])
    cuts.push(cut(after!.slice(0, match.index), after!.slice(match.index + match[0].length)));
  const leading = LEADING.exec(text)?.[1];
  for (const match of leading?.matchAll(new RegExp(`,?\\s+(?:${TYPES})\\s+`, 'gi')) ?? [])
    cuts.push(cut(leading!.slice(0, match.index), leading!.slice(match.index + match[0].length)));
  // "quantity 4", "type the name Bob": only spaces between them.
  const bare = after ?? first ?? '';
  if (cuts.length === 0)
    for (const { index } of bare.matchAll(/\s+/g)) cuts.push(cut(bare.slice(0, index), bare.slice(index).trim()));
  return cuts;
}

function pointed(page: Page, text: string, opened: ReadonlySet<string>): TargetSearch | undefined {
  const words = wordsOf(text).filter(({ stem }) => !opened.has(stem));
  if (words.length === 0) return undefined;
  const { best: all, nearest } = fitting(page, words, TO_CLICK);
  // Only what has come with the menu is in it.
  const best =
    opened.size === 0
      ? all
      : all.filter(({ item }) => [item, ...ancestors(item)].some(({ node }) => node?.since === 'new'));
  if (best[0]) return oneOf(best, text, acts.click);
  if (opened.size > 0) return undefined;
  return menuFor(page, words) ?? (nearest[0] && refused(proposalFor(page, nearest)));
}

const MENU =
  /^(?:more(?: (?:actions|options))?|actions|options|menu|(?:row|open)? ?(?:actions?|menu)|[…⋯⋮•.︙☰]{1,3})$/i;

/** The menu of the entry that the words name: what is to be done may be in it. Its entry must have all of them. */
function menuFor(page: Page, words: readonly Word[]): TargetSearch | undefined {
  const [verb, ...object] = words;
  if (verb?.verb === undefined || object.length === 0) return undefined;
  const menus = page.items.filter((item) => TO_CLICK.rank(item) === 0 && !item.isHidden && isMenu(item));
  const meant = menus.filter((item) => {
    const { entryText, ownText } = surroundingsOf(page, item);
    // A long entry may speak of others: its name stands at its beginning.
    const names = [...stemsIn(ownText), ...stemsIn(entryText).slice(0, NAME_WORDS)];
    return object.every(({ stem, said, isQuoted: isWhole }) =>
      isWhole ? stemsIn(said).every((each) => names.includes(each)) : names.includes(stem),
    );
  });
  const [menu] = meant;
  if (menu === undefined || meant.length > 1) return undefined;
  return { kind: 'commands', commands: [acts.click(menu)], target: menu, opens: object.map(({ stem }) => stem) };
}

const NAME_WORDS = 12;

const isMenu = ({ label, node }: Item): boolean =>
  MENU.test(label.trim()) || node?.states?.includes('popup') === true || /\b(?:actions|options|menu)\b/i.test(label);

/** Closes a menu that does not have what was looked for. */
export const CLOSED = '(closed)';
export const closeMenu = (): TargetSearch => ({
  kind: 'commands',
  commands: [{ action: 'PRESS_KEY', parameters: { key: 'Escape' } }],
  opens: [CLOSED],
});

function oneOf(best: readonly Fit[], said: string, act: (item: Item) => ReturnType<typeof acts.click>): TargetSearch {
  const [first] = best;
  if (best.length > 1)
    return several(
      { said, isQuoted: false, readings: [] },
      best.map(({ item }) => item),
    );
  return commandsOn(first!.item, act(first!.item));
}

/** Whether the control that was found accounts for all words; else what does, or a proposal. */
export function accountedFor(
  page: Page,
  action: Action,
  resolution: TargetSearch & { kind: 'commands' },
): TargetSearch {
  const { target, commands } = resolution;
  const { kind } = action.intent;
  const [command] = commands;
  if (target === undefined || command === undefined || commands.length > 1 || !JUDGED.has(kind)) return resolution;
  if (targetsOf(action.intent).some(({ every }) => every !== undefined) || PRONOUN.test(textOf(action)))
    return resolution;
  const purpose: Purpose = command.action === 'SET_CHECKED' ? TO_CHECK : isField(target) ? TO_SET : TO_CLICK;
  const { text = '', option = '', options = [], key = '' } = command.parameters;
  const values = stemsIn([text, option, ...options, key].join(' '));
  const words = wordsOf(textOf(action)).filter(({ stem, said, isQuoted: isValue }) =>
    isValue ? !stemsIn(said).every((each) => values.includes(each)) : !values.includes(stem),
  );
  const clicked = nearestNamed(target) ?? target;
  if (purpose !== TO_CLICK) {
    const rest = words.filter(({ stem }) => !GIVING.has(stem));
    const left = fitOf(page, target, rest, purpose, true)!.left.filter(({ ordinal }) => ordinal === undefined);
    const own = stemsIn([target.label, ...target.hints].join(' '));
    const others = rest.filter(({ stem }) => !own.includes(stem)).map(({ said }) => said);
    const isOther = namesAnother(page, { field: '', value: others.join(' '), isQuoted: false }, [
      { item: target, score: 0, left },
    ]);
    if (left.length === 0 && (purpose !== TO_SET || !isOther || action.place !== undefined)) return resolution;
    const read = switched(page, textOf(action)) ?? valued(page, textOf(action));
    const item = [{ item: target, score: 0, left }];
    return read?.kind === 'commands' ? read : refused(proposalFor(page, item));
  }
  const { left } = fitOf(page, target, words, purpose, true)!;
  if (kind !== 'click' || left.length === 0) return resolution;
  // The ordinal of a control was counted when it was found; what is taken away is counted in one list.
  if (left.every((word) => word.ordinal !== undefined) && !isDestructive(words)) return resolution;
  const { best, nearest } = fitting(page, words, purpose);
  const same = best.find(({ item }) => isInside(item, clicked) || isInside(clicked, item));
  if (best.length === 1 && same === undefined) return commandsOn(best[0]!.item, acts.click(best[0]!.item));
  if (same !== undefined && best.length === 1) return resolution;
  if (best.length > 1)
    return several(
      { said: textOf(action), isQuoted: false, readings: [] },
      best.map(({ item }) => item),
    );
  return menuFor(page, words) ?? refused(proposalFor(page, nearest[0] ? nearest : [{ item: target, score: 0, left }]));
}

/** What it refers to was found with the action before. */
const PRONOUN = /^\w+(?:\s+on)?\s+(?:it|that|this|them|there)$/i;

const JUDGED = new Set<string>(['click', 'check', 'either', 'choose', 'type', 'set']);

/** Words that say that a control gets a value or a state, and not which. */
const GIVING = new Set(
  (
    'type enter write put input insert paste fill set change update make use note give check tick uncheck untick enable disable turn switch ' +
    'toggle clear erase replace complete populate choose select pick off mark unmark activate deactivate option value text field box input ' +
    'checkbox dropdown list empty key keyed correct adjust number filter sort order upper lower case uppercase lowercase letter all'
  ).split(' '),
);

/** A step that is understood on this page, and what it leaves out of the given one. */
export function proposalFor(page: Page, nearest: readonly Fit[]): string {
  const [first] = nearest;
  if (first === undefined) return 'Nothing on the page has these words.';
  const proposals = nearest.slice(0, 3).map(({ item }) => `click ${nameOf(page, item)}`);
  const left = first.left.map(({ said }) => said).join(' ');
  return `Not every word of the step is accounted for on this page, so nothing was done. Did you mean: ${proposals.join(', or ')}? Left out: “${truncate(left)}”.`;
}

function nameOf(page: Page, item: Item): string {
  const alike = page.items.filter((other) => other.role === item.role && other.label === item.label && other.node?.ref);
  const name = `"${truncate(item.label || item.hints[0] || item.text)}"`;
  if (alike.length < 2) return name;
  const around = surroundingsOf(page, item).entryText.trim().replace(/\s+/g, ' ');
  return around === '' ? `the ${alike.indexOf(item) + 1}. ${name}` : `${name} in "${truncate(around, 40)}"`;
}
