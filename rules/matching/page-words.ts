import { rootOf, stemOf } from '../language/stems';
import { synonymsOf } from '../language/synonyms';
import { DESTRUCTIVE, isVerb, literalsIn, namesFor, stemsIn, type Word } from '../language/words';
import type { Page } from './page-index';

/** All words of a page, by their stems. */
interface Vocabulary {
  stems: ReadonlySet<string>;
  byRoot: ReadonlyMap<string, readonly string[]>;
  /** The words as they are written, by their stems. */
  literals: ReadonlyMap<string, ReadonlySet<string>>;
}

const known = new WeakMap<Page, Vocabulary>();

export function vocabularyOf(page: Page): Vocabulary {
  const found = known.get(page);
  if (found) return found;
  const texts = [page.title, ...page.items.map(({ text, label, hints }) => [text, label, ...hints].join(' '))];
  const stems = new Set(texts.flatMap(stemsIn));
  const byRoot = Map.groupBy(stems, rootOf);
  const written = Map.groupBy(new Set(texts.flatMap(literalsIn)), stemOf);
  const literals = new Map([...written].map(([stem, forms]) => [stem, new Set(forms)]));
  const made = { stems, byRoot, literals };
  known.set(page, made);
  return made;
}

/**
 * The words of a step with what the page calls them: other names of the same thing, other forms of a word, an
 * abbreviation, and a small typing error where only one word of the page can be meant. What is destroyed is named exactly.
 */
export function asOnPage(page: Page, words: readonly Word[], isExact: boolean): Word[] {
  const { stems, byRoot, literals } = vocabularyOf(page);
  const written = words.flatMap((word): Word | Word[] =>
    word.parts === undefined || stems.has(word.stem)
      ? word
      : word.parts.map((part) => ({ said: part, stem: part, isOfCode: true as const })),
  );
  return written.map((said, at) => {
    // A verb with a letter wrong, where the page has what is meant.
    const verb = at === 0 && !isExact ? verbNear(said, stems) : undefined;
    const plain = verb === undefined ? said : { ...said, verb: namesFor(verb) };
    if (plain.isQuoted || plain.verb || /\d/.test(plain.stem)) return plain;
    const word = { ...plain, ...asWritten(plain, literals, written[at - 1]) };
    if (word.isName) return word;
    // “Ann” is not “Anne”, and “Hansen” not “Jansen”.
    const isName = at > 0 && /^\p{Lu}\p{Ll}/u.test(word.said);
    // “Mill Street” is not “Mill Road”.
    const isOfName = isName && CAPITALIZED.test(written[at - 1]?.said ?? '');
    const also = new Set(isOfName ? [] : synonymsOf(word.stem).filter((each) => stems.has(each)));
    if (!isExact && !isName) for (const each of byRoot.get(rootOf(word.stem)) ?? []) also.add(each);
    if (!isExact && !isName && also.size === 0 && !stems.has(word.stem))
      for (const each of nearTo(word.stem, stems)) also.add(each);
    also.delete(word.stem);
    return also.size === 0 ? word : { ...word, also: [...also] };
  });
}

/** The form of a word of which the page has another one too. “Brooks” is not “Brook”, and “Amelia Brook” not “Amelia Brooks”. */
function asWritten(
  { said, stem }: Word,
  literals: Vocabulary['literals'],
  before: Word | undefined,
): Pick<Word, 'literal' | 'isName'> {
  const forms = literals.get(stem);
  const [literal, ...more] = literalsIn(said);
  if (forms === undefined || literal === undefined || more.length > 0) return {};
  if (forms.size === 1 && forms.has(literal)) return {};
  const isName = CAPITALIZED.test(said) && (said.endsWith('s') || CAPITALIZED.test(before?.said ?? ''));
  return { literal, ...(isName && { isName }) };
}

const CAPITALIZED = /^\p{Lu}\p{Ll}+$/u;

function verbNear({ isQuoted, verb, stem }: Word, stems: ReadonlySet<string>): string | undefined {
  if (isQuoted || verb !== undefined || stem.length < 5 || stems.has(stem)) return undefined;
  const alike = [...stems].filter((each) => isVerb(each) && !DESTRUCTIVE.has(each) && isTypo(stem, each));
  return alike.length === 1 ? alike[0] : undefined;
}

/** The only word that a stem abbreviates, or from which it differs by one letter. */
function nearTo(stem: string, stems: ReadonlySet<string>): string[] {
  if (isVerb(stem)) return [];
  const letters = [...stems].filter((each) => !/\d/.test(each));
  const longer = stem.length < 3 ? [] : letters.filter((each) => each.startsWith(stem));
  if (longer.length > 0) return longer.length === 1 ? longer : [];
  const alike = stem.length < 5 ? [] : letters.filter((each) => isTypo(stem, each));
  return alike.length === 1 ? alike : [];
}

/** Whether two words differ by one letter: left out, added, another, or two that changed places. */
function isTypo(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length < 5 || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const swapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return short.slice(at + 1) === long.slice(at + 1) || swapped;
}
