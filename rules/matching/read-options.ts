import { stemsIn, wordsOf, type Word } from '../language/words';
import { stemOf } from '../language/stems';
import { fitOf, MARGIN } from './by-words';
import { isDestructive } from './does-other';
import * as acts from './element-commands';
import { surroundingsOf } from './entry';
import { ancestors, type Item, type Page } from './page-index';
import { asOnPage } from './page-words';
import { TO_SEE } from './purpose';
import { GIVING_VERBS } from './read-settings';
import type { TargetSearch } from './resolution';
import { choice } from './resolve-choice';
import { commandsOn } from './resolution';

interface Chosen {
  item: Item;
  score: number;
  resolution: TargetSearch;
}

const OPTION = /^(?:option|radio|menuitemradio)$/;
const LIST = /^(?:combobox|listbox|radiogroup|group|menu)$/;

/** What is done with more than a choice: “add that to the absences as sick”. */
const COMMITS = /^(?:add|create|save|send|submit|delete|remove|invite)$/i;

/** “every year” is the option “Yearly”. */
const EVERY = /\bevery\s+(year|month|week|day)\b/gi;

/**
 * The options that a clause can mean: some of its words are the name of an option, as no other option of the list has
 * them, and the others those of the list, its entry or its place.
 */
export function optionsIn(page: Page, text: string, used: ReadonlySet<string>, soft: readonly Word[]): Chosen[] {
  const said = wordsOf(
    text.replace(EVERY, (_, unit: string) => `${/^day$/i.test(unit) ? 'dai' : unit}ly`),
    false,
  ).filter(({ stem }) => !used.has(stem));
  const [first] = said;
  if (first !== undefined && COMMITS.test(first.said)) return [];
  const isChosen = first === undefined || !/^(?:put|set|make|give|mark|move|take)$/i.test(first.said);
  const isGiving = first !== undefined && GIVING_VERBS.has(first.said.toLowerCase());
  const words = asOnPage(page, isGiving ? said.slice(1) : said, isDestructive(said));
  if (words.length === 0) return [];
  const options: readonly Item[] = page.items.filter(
    (item) => OPTION.test(item.role) && !item.isHidden && item.node?.disabled !== true,
  );
  const chosen = options.flatMap((option) => chosenBy(page, option, words, soft, options, isChosen) ?? []);
  const together = chosen.length === 0 ? togetherIn(page, words, options) : undefined;
  if (together) return [together];
  const top = Math.max(...chosen.map(({ score }) => score));
  return chosen.filter(({ score }) => score > top - MARGIN);
}

/** Several options of one list that takes several: all words are their names, or those of the list and its place. */
function togetherIn(page: Page, words: readonly Word[], options: readonly Item[]): Chosen | undefined {
  const lists = new Set(options.flatMap((option) => listOf(option) ?? []).filter(({ role }) => role === 'listbox'));
  for (const list of lists) {
    const said = options.filter(
      (option) => listOf(option) === list && isSaid(option, words) && stemsIn(option.label).length > 0,
    );
    const names = said.flatMap(({ label }) => stemsIn(label));
    const rest = words.filter(
      (word) => !isOf(word, names) && !/^(?:option|value|list|and|plus|\+|&)$/.test(stemOf(word.said)),
    );
    const fit = said.length < 2 ? undefined : fitOf(page, list, rest, TO_SEE, true);
    if (fit === undefined || fit.left.length > 0) continue;
    const command = acts.act('SELECT_OPTION', list, { options: said.map(({ label }) => label) }, 'choose in');
    return { item: list, score: 4 * said.length + fit.score, resolution: commandsOn(list, command) };
  }
  return undefined;
}

const isSaid = ({ label }: Item, words: readonly Word[]): boolean =>
  stemsIn(label).every((name) =>
    words.some((word) => isOf(word, [name]) || (word.isQuoted === true && stemsIn(word.said).includes(name))),
  );

function chosenBy(
  page: Page,
  option: Item,
  words: readonly Word[],
  soft: readonly Word[],
  options: readonly Item[],
  isChosen: boolean,
): Chosen | undefined {
  const names = stemsIn(option.label);
  const own = words.filter((word) => isOf(word, names));
  if (own.length === 0 || names.length === 0) return undefined;
  const mentioned = names.filter((name) => own.some((word) => isOf(word, [name]))).length;
  const list = listOf(option);
  const rivals = options.filter((other) => other !== option && listOf(other) === list);
  const isOnly = !rivals.some(
    (other) => own.every((word) => isOf(word, stemsIn(other.label))) && stemsIn(other.label).length <= names.length,
  );
  if (mentioned < names.length && !isOnly) return undefined;
  // “put it under offer” is not “Offer made”.
  if (mentioned / names.length < (isChosen ? 0.34 : 0.51)) return undefined;
  const rest = words.filter(
    (word) => !own.includes(word) && !/^(?:option|choice|value|dropdown|select|list|radio)$/.test(stemOf(word.said)),
  );
  const fit = fitOf(page, list ?? option, [...rest, ...asOnPage(page, soft, false)], TO_SEE, true);
  if (fit === undefined || fit.left.some((word) => !isNameOfNameless(page, list, word, rest))) return undefined;
  const score = 4 * own.length + fit.score + mentioned / names.length;
  return { item: option, score, resolution: commandsOn(list ?? option, choice(option)) };
}

/** “set the stage of batch 302 to Done”: of the only list of that entry nothing says what it is called. */
function isNameOfNameless(page: Page, list: Item | undefined, word: Word, rest: readonly Word[]): boolean {
  // “T2” beside it is what the entry says, and no name.
  if (list === undefined || [list.label, ...list.hints].some((name) => /\p{Ll}{3}/u.test(name))) return false;
  if (word.isQuoted === true) return false;
  const { entry, parts } = surroundingsOf(page, list);
  const isOfEntry = rest.some(({ stem, said }) => entry.has(stem) && /\d|^\p{Lu}/u.test(said));
  const lists = parts.flatMap((part) =>
    page.items.slice(part.index, part.last + 1).filter(({ role }) => LIST.test(role) && role !== 'group'),
  );
  return isOfEntry && lists.length === 1 && /^\p{Ll}+$/u.test(word.said) && rest[0] === word;
}

function isOf(word: Word, names: readonly string[]): boolean {
  if (word.isQuoted) return stemsIn(word.said).every((stem) => names.includes(stem));
  return names.includes(word.stem) || word.also?.some((each) => names.includes(each)) === true;
}

const listOf = (option: Item): Item | undefined => [...ancestors(option)].find(({ role }) => LIST.test(role));
