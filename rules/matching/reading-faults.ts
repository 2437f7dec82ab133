import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import { isReason } from '../language/fillers';
import { clausesIn } from '../language/parse-instruction';
import { roleWord } from '../language/role-words';
import { synonymsOf } from '../language/synonyms';
import { isVerb, namesFor, stemsIn, wordsOf, type Word } from '../language/words';
import { surroundingsOf } from './entry';
import { selectorOf } from './item-text';
import { isField, type Item, type Page } from './page-index';
import { asOnPage } from './page-words';
import { TO_TYPE } from './purpose';
import { ENTRY_KINDS, FREE_KINDS, THINGS } from './word-regions';

/** Words that say that something is given or shown, by whatever deed. */
const LIGHT = new Set(
  (
    'put set make give take let have want need get see say do go come choose select pick click press tap hit type enter write fill check tick uncheck ' +
    'untick open show turn switch change use keep leave mark find look please then there here only just also still now new it its one all some any ' +
    'verify expect ensure sure assert read save store remember note under name as more than'
  ).split(' '),
);
const ANSWERS = /\b(?:yes|ok|okay|confirm|accept|agree|answer|sure|no|cancel|dismiss|dialog|question|prompt)\b/i;

/**
 * What speaks against a model's reading of a person's step: words of the step that neither the reading nor what it would
 * act on has, and names, values and deeds that neither the step nor the values of its variables have.
 */
export function readingFaults(
  page: Page,
  [instruction = '', ...values]: readonly string[],
  reading: string,
  commands: readonly AIGeneratedCommand[],
): { left: string[]; added: string[] } {
  const clauses = clausesIn(instruction);
  const asking = clauses.length > 1 ? clauses.filter((clause) => !isReason(clause)) : clauses;
  const words = asking.flatMap((clause) => asOnPage(page, wordsOf(clause), false));
  const targets = commands.flatMap(({ parameters: { selector } }) =>
    selector === undefined ? [] : page.items.filter((item) => item.node?.ref && selectorOf(item) === selector),
  );
  const read = new Set([...stemsIn(reading), ...commands.flatMap(wordsOfState)]);
  const left = words.filter(
    (word) => !isLight(word) && !isRead(word, read) && !targets.some((item) => isOf(page, item, word)),
  );
  const all = new Set([instruction, ...values].flatMap(stemsIn).concat(words.flatMap(stemsOf)));
  const isSaid = (text: string): boolean => stemsIn(text).every((stem) => hasMeaning(stem, all));
  const given = commands.flatMap(({ parameters: { text, option, options = [], key } }) => [
    text,
    option,
    key,
    ...options,
  ]);
  const unsaid = given.filter((value) => value !== undefined && !isSaid(value)) as string[];
  const quoted = [...reading.matchAll(/[“"]([^”"]+)[”"]/g)].map(([, text = '']) => text);
  const strange = quoted.filter(
    (text) => stemsIn(text).length > 0 && !stemsIn(text).some((stem) => hasMeaning(stem, all)),
  );
  const others = commands.flatMap(({ action, parameters: { selector } }) => {
    if (action === 'HANDLE_DIALOG') return ANSWERS.test(instruction) ? [] : ['an answer to a dialog'];
    const item = targets.find((each) => selectorOf(each) === selector);
    const isNamed = item === undefined || action === 'SELECT_OPTION' || isNamedIn(page, item, all);
    return isNamed || (NAMED_BY_PLACE.has(action) && isNamedByPlace(page, item, all)) ? [] : [item.label];
  });
  return { left: left.map(({ said }) => said), added: [...new Set([...unsaid, ...strange, ...others])] };
}

/** How a step says to what a box or switch is set: a reading ticks it, or unticks it. */
function wordsOfState({ action, parameters: { checked } }: AIGeneratedCommand): string[] {
  if (action !== 'SET_CHECKED') return [];
  return checked === false ? ['off', 'out', 'disable', 'deactivate'] : ['on', 'in', 'enable', 'activate'];
}

function isLight({ stem, said, isQuoted, isSoft }: Word): boolean {
  if (isQuoted === true) return false;
  return (
    isSoft === true ||
    LIGHT.has(said.toLowerCase()) ||
    LIGHT.has(stem) ||
    FREE_KINDS.test(stem) ||
    ENTRY_KINDS.test(stem) ||
    THINGS.test(stem) ||
    roleWord(said) !== undefined
  );
}

const stemsOf = ({ said, stem, also = [], verb = new Set(), isQuoted }: Word): string[] =>
  isQuoted === true
    ? [...stemsIn(said)]
    : [stem, ...also, ...verb, ...(isVerb(said.toLowerCase()) ? namesFor(said.toLowerCase()) : [])];

const isRead = (word: Word, read: ReadonlySet<string>): boolean =>
  word.isQuoted === true ? stemsOf(word).every((stem) => read.has(stem)) : stemsOf(word).some((stem) => read.has(stem));

function isOf(page: Page, item: Item, word: Word): boolean {
  const { own, entry, section } = surroundingsOf(page, item);
  return stemsOf(word).some((stem) => own.has(stem) || entry.has(stem) || section.has(stem));
}

const hasMeaning = (stem: string, said: ReadonlySet<string>): boolean =>
  said.has(stem) || synonymsOf(stem).some((each) => said.has(each));

const NAMED_BY_PLACE: ReadonlySet<AIGeneratedCommand['action']> = new Set(['EXPECT', 'SAVE_VARIABLE']);

/** “the State shows …”: what is looked at is named by what stands before it, or by its row. */
function isNamedByPlace(page: Page, item: Item, said: ReadonlySet<string>): boolean {
  const { entry, section } = surroundingsOf(page, item);
  return [...entry, ...section].some((stem) => hasMeaning(stem, said));
}

/** Whether the step has a word for what is acted on; the only field of a page needs none. */
function isNamedIn(page: Page, item: Item, said: ReadonlySet<string>): boolean {
  const { own, entry } = surroundingsOf(page, item);
  if ([...own].some((stem) => hasMeaning(stem, said))) return true;
  if (!isField(item)) return false;
  const fields = page.items.filter((each) => TO_TYPE.rank(each) === 0 && !each.isHidden);
  return fields.length === 1 || [...entry].some((stem) => hasMeaning(stem, said));
}
