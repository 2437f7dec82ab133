import { DESTRUCTIVE, literalsIn, stemsIn, type Word } from '../language/words';
import { doesOther, isDestructive } from '../matching/does-other';
import { surroundingsOf } from '../matching/entry';
import { isField, type Item, type Page } from '../matching/page-index';
import { TO_CHECK, TO_CLICK, TO_SET, TO_TYPE } from '../matching/purpose';
import { isSearch } from '../matching/read-settings';
import { isAround, regionOfLiteral } from '../matching/word-regions';
import { nameOf } from './name';
import { isNamedBy, saidIn, scoreOf, type Said } from './said';
import { valuesIn } from './values';

/** Something that can be done on a page, as a step says it, and how much of other words it accounts for. */
export interface Deed {
  said: string;
  item: Item;
  score: number;
  /** The words that it accounts for. */
  used: ReadonlySet<Word>;
}

/** A deed before its control is named, which takes a look at all its namesakes. */
interface Fitting extends Omit<Deed, 'said'> {
  say(name: string): string;
}

const MOST_DEEDS = 3;
const LEAST = 2;
/** Of the name of a field so much is said: “the house” is no “Street or house number”. */
const MOST_OF_NAME = 0.6;
/** Of all deeds only those that are nearly as good as the best one. */
const NEARLY = 0.8;
const MOST_VALUES = 4;

/**
 * The deeds on this page that are nearest to a text of which not every word is accounted for, the best first. They are
 * only asked about, so words may be left over. Of `about` it is known only that it helps to choose.
 */
export function deedsNear(page: Page, text: string, about = ''): Deed[] {
  const words = saidIn(page, text);
  const soft = about === '' ? [] : saidIn(page, about).filter(({ isOnPage }) => isOnPage);
  const candidates = page.items.filter((item) => !item.isHidden && item.node?.disabled !== true);
  const settings = bestOf(
    page,
    words,
    candidates.flatMap((item) => settingsOf(page, item, text, words, soft)),
  );
  // What is given to a field is no press of a button that only has the other words.
  const presses =
    GIVES.test(text) && valuesIn(text).length > 0
      ? []
      : bestOf(
          page,
          words,
          candidates.flatMap((item) => pressOf(page, item, text, words, soft) ?? []),
        );
  const [setting] = settings;
  const [press] = presses;
  if (setting !== undefined && (press === undefined || setting.score >= press.score)) {
    return settings.length > 1 ? settings : [withMore(page, text, words, soft, setting)];
  }
  return presses;
}

const GIVES = /^(?:(?:please|kindly|now)\s+)*(?:type|enter|write|put|fill|set|change|correct|update|rename)\b/i;

/** “the name is Ingrid Falk and the town Penryn”: the other fields that are named with a value. */
function withMore(page: Page, text: string, words: readonly Said[], soft: readonly Said[], first: Deed): Deed {
  const deeds = [first];
  while (deeds.length < MOST_VALUES) {
    const used = new Set(deeds.flatMap(({ used: some }) => [...some]));
    const left = words.filter(({ word }) => !used.has(word));
    const items = page.items.filter(
      (item) => !item.isHidden && item.node?.disabled !== true && !deeds.some((deed) => deed.item === item),
    );
    const [next, ...others] = bestOf(
      page,
      words,
      items.flatMap((item) => settingsOf(page, item, text, left, soft)),
    );
    if (next === undefined || others.length > 0) break;
    deeds.push(next);
  }
  return {
    ...first,
    said: deeds.map(({ said }) => said).join(', then '),
    used: new Set(deeds.flatMap(({ used }) => [...used])),
  };
}

/** The best ones and those that are nearly as good, named. */
function bestOf(page: Page, words: readonly Said[], all: readonly Fitting[]): Deed[] {
  const sorted = all.filter(({ score }) => score >= LEAST).toSorted((a, b) => b.score - a.score);
  const near = sorted.filter(({ score }) => score > sorted[0]!.score * NEARLY && score > sorted[0]!.score - 1);
  return near.slice(0, MOST_DEEDS).flatMap(({ say, ...deed }) => {
    const name = nameOf(page, deed.item, words);
    return name === undefined ? [] : { ...deed, said: say(name) };
  });
}

/** A press of a button or link, or a tick of a box. */
function pressOf(
  page: Page,
  item: Item,
  text: string,
  words: readonly Said[],
  soft: readonly Said[],
): Fitting | undefined {
  const isBox = TO_CHECK.rank(item) !== undefined;
  const purpose = isBox ? TO_CHECK : TO_CLICK;
  if (purpose.rank(item) === undefined || isField(item) || item.role === 'option' || isAround(page, item))
    return undefined;
  const known = words.map(({ word, verb }) => (verb.size > 0 ? { ...word, verb } : word));
  if (doesOther(item, known)) return undefined;
  const fit = scoreOf(page, item, words, soft, purpose);
  if (fit === undefined || fit.score < LEAST) return undefined;
  // “move Anna to the second page” is no click on Anna; what a sign does is not in its name.
  const [first] = words;
  const hasOther = first?.word.verb !== undefined && first.word.isSoft !== true && !fit.used.has(first.word);
  if (hasOther && !isBox && /[\p{L}\p{N}]{2}/u.test(item.label)) return undefined;
  // Of what is named and is nowhere on the page another one is no proposal.
  const strong = words.filter(({ isStrong }) => isStrong);
  if (strong.some(({ isOnPage }) => !isOnPage) && !strong.some(({ word }) => fit.used.has(word))) return undefined;
  // What takes something away is proposed for nothing but what is said.
  const takesAway = stemsIn([item.label, ...item.hints].join(' ')).some((stem) => DESTRUCTIVE.has(stem));
  const isSaid = isDestructive(known) && words.every(({ word, isOnPage }) => !isOnPage || fit.used.has(word));
  if (takesAway && !isSaid) return undefined;
  const isRadio = item.role.endsWith('radio');
  const verb = !isBox ? 'click' : isRadio ? 'choose' : OFF.test(text) ? 'uncheck' : 'check';
  return { say: (name) => `${verb} ${name}`, item, score: fit.score, used: fit.used };
}

const OFF = /\b(?:off|un(?:check|tick|mark|select)|disable|deactivate|not|no longer|don['’]?t)\b/i;

/** The values that a text may give to a field or a list. */
function settingsOf(page: Page, item: Item, text: string, words: readonly Said[], soft: readonly Said[]): Fitting[] {
  if (TO_SET.rank(item) === undefined || /^(?:checkbox|radio|switch|menuitem.*)$/.test(item.role)) return [];
  if (isSearch(item) && !/\b(?:search|find|filter|look)\b/i.test(text)) return [];
  const options = item.children.filter(({ role }) => role === 'option');
  if (options.length > 0) {
    return options.flatMap((option) => {
      const stems = stemsIn(option.label);
      const naming = words.filter((said) => stems.some((stem) => isNamedBy(said, stem)));
      const isWhole = stems.length > 0 && stems.every((stem) => naming.some((said) => isNamedBy(said, stem)));
      if (!isWhole) return [];
      const rest = words.filter((said) => !naming.includes(said));
      const fit = scoreOf(page, item, rest, soft, TO_SET);
      if (fit === undefined) return [];
      const score = fit.score + 2 + naming.reduce((sum, { weight }) => sum + weight, 0);
      const used = new Set([...fit.used, ...naming.map(({ word }) => word)]);
      return [{ say: (name: string) => `choose "${option.label}" in ${name}`, item, score, used }];
    });
  }
  if (TO_TYPE.rank(item) === undefined || item.role === 'combobox') return [];
  return valuesIn(text).flatMap(({ value, stems }) => {
    const naming = words.filter(({ word }) =>
      word.isQuoted === true
        ? word.said === value
        : stems.includes(word.stem) || stems.includes(word.said.toLowerCase()),
    );
    if (naming.length === 0 || (item.role === 'spinbutton' && !/^[\d.,+-]+$/.test(value))) return [];
    const place = surroundingsOf(page, item);
    if (regionOfLiteral({ ...place, sectionText: '' }, literalsIn(value).join(' ')) !== undefined) return [];
    const rest = words.filter((said) => !naming.includes(said));
    const fit = scoreOf(page, item, rest, soft, TO_SET);
    if (fit === undefined || fit.share < MOST_OF_NAME) return [];
    const used = new Set([...fit.used, ...naming.map(({ word }) => word)]);
    return [{ say: (name: string) => `type "${value}" into ${name}`, item, score: fit.score + 2, used }];
  });
}
