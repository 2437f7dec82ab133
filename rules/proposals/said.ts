import { isVerb, namesFor, signFor, stemsIn, wordsOf, type Word } from '../language/words';
import { surroundingsOf, type Surroundings } from '../matching/entry';
import { isInside, type Item, type Page } from '../matching/page-index';
import { asOnPage, vocabularyOf } from '../matching/page-words';
import { TO_CLICK, TO_SET, type Purpose } from '../matching/purpose';
import { regionOf, type Region } from '../matching/word-regions';

/** A word of the text, the names that controls may have for it, and how much it says. */
export interface Said {
  word: Word;
  verb: ReadonlySet<string>;
  weight: number;
  /** Names one thing: quoted, a number, or written like a name. */
  isStrong: boolean;
  isOnPage: boolean;
}

/** What counts of a word, by where a control has it. */
const SHARE: Record<Region, number> = { own: 1, entry: 1, section: 0.5, kind: 0.2 };
/** A word that names one thing counts as so many others, and a verb that the control says twice. */
const STRONG = 2.5;
const VERB = 2;
/** What a word takes away that a control has not: one that names another thing, or another control, speaks against it. */
const AGAINST = { name: 1.5 * STRONG, control: 1.5, onPage: 0.3, nowhere: 0.1 };

export function saidIn(page: Page, text: string): Said[] {
  const { stems } = vocabularyOf(page);
  return asOnPage(page, wordsOf(text), false).map((word, at): Said => {
    const plain = word.said.toLowerCase();
    const verb = word.verb ?? (word.isQuoted !== true && isVerb(plain) ? namesFor(plain) : new Set<string>());
    const isStrong =
      word.isQuoted === true || /\d/.test(word.said) || (at > 0 && /^\p{Lu}/u.test(word.said)) || word.isName === true;
    const isOnPage = (word.isQuoted === true ? stemsIn(word.said) : [word.stem, ...(word.also ?? [])]).some((each) =>
      stems.has(each),
    );
    return { word, verb, isStrong, isOnPage, weight: isStrong ? STRONG : 1 };
  });
}

/** How well a control fits the words; undefined where none of them is its own. */
export function scoreOf(
  page: Page,
  item: Item,
  words: readonly Said[],
  soft: readonly Said[],
  purpose: Purpose,
): { score: number; used: Set<Word>; share: number } | undefined {
  const place = surroundingsOf(page, item);
  const used = new Set<Word>();
  const all = words.map(({ word }) => word);
  let score = 0;
  let isOwn = false;
  for (const said of words) {
    const region = regionFor(page, item, place, said, purpose, all);
    if (region !== undefined) {
      used.add(said.word);
      isOwn ||= region === 'own';
      score += SHARE[region] * said.weight * (region === 'own' && said.verb.size > 0 ? VERB : 1);
    } else if (!said.isOnPage) score -= AGAINST.nowhere;
    else if (said.isStrong) score -= AGAINST.name;
    else score -= namesBeside(page, item, said) ? AGAINST.control : AGAINST.onPage;
  }
  for (const said of soft) {
    const region = regionFor(page, item, place, said, purpose, all);
    if (region === 'entry') score += 0.5 * said.weight;
  }
  if (!isOwn) return undefined;
  const names = [item.label, ...item.hints].map((name) => stemsIn(name));
  const shares = names.map((stems) =>
    stems.length === 0 ? 0 : stems.filter((stem) => words.some((said) => isNamedBy(said, stem))).length / stems.length,
  );
  const share = Math.max(0, ...shares);
  return { score: score + 2 * share, used, share };
}

/** Whether a word is what another control of the same entry is called: “take off the star” is no Delete beside ★. */
function namesBeside(page: Page, item: Item, said: Said): boolean {
  const signs = [said.word.stem, signFor(said.word.stem) ?? said.word.stem];
  return surroundingsOf(page, item).parts.some((part) =>
    page.items
      .slice(part.index, part.last + 1)
      .some(
        (other) =>
          other !== item &&
          !isInside(other, item) &&
          (TO_CLICK.rank(other) === 0 || TO_SET.rank(other) === 0) &&
          [other.label, ...other.hints].some((name) => stemsIn(name).some((stem) => signs.includes(stem))),
      ),
  );
}

export const isNamedBy = ({ word, verb }: Said, stem: string): boolean =>
  word.isQuoted === true
    ? stemsIn(word.said).includes(stem)
    : word.stem === stem || verb.has(stem) || word.also?.includes(stem) === true;

function regionFor(
  page: Page,
  item: Item,
  place: Surroundings,
  { word, verb }: Said,
  purpose: Purpose,
  words: readonly Word[],
): Region | undefined {
  if ([...verb].some((name) => place.own.has(name))) return 'own';
  const noun: Word = { ...word };
  delete noun.verb;
  delete noun.isSoft;
  return regionOf(page, item, place, noun, purpose, words);
}
