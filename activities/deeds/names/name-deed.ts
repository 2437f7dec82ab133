import { DEED_WORDS, type Deed } from './deed-words';
import { disguiseIn, foldedForms, lookOf, withoutAccents, writtenForm } from './fold-name';

/** What a name says that its control does. */
export interface NamedDeed {
  deed: Deed;
  /** The word of the name that says so, and its language. */
  word: string;
  locale: string;
}

/** Scripts that put no spaces between words. */
const WITHOUT_SPACES =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u;
/** Words with accents that are shorter may be other words without them. */
const LEAST_WITHOUT_ACCENTS = 4;
/** Articles, conjunctions and prepositions that are written in one with the word. */
const PREFIXES = [
  { script: /\p{Script=Arabic}/u, prefix: '(?:و?ال|لل|[وبل])?' },
  { script: /\p{Script=Hebrew}/u, prefix: '[והלבמש]{0,2}' /* cspell:disable-line */ },
];
const PICTURES: Record<string, Deed> = { '🗑': 'delete', '🚮': 'delete', '💳': 'pay', '💸': 'transfer', '🛒✓': 'buy' };

class WordList {
  private readonly known = new Map<string, NamedDeed>();
  private readonly pattern: RegExp;

  constructor(words: readonly (NamedDeed & { form: string })[]) {
    for (const { form, ...named } of words) if (!this.known.has(form)) this.known.set(form, named);
    const forms = [...this.known.keys()].sort((one, other) => other.length - one.length);
    const whole = forms.filter((form) => !WITHOUT_SPACES.test(form)).map((form) => prefixOf(form) + wordPattern(form));
    const inside = forms.filter((form) => WITHOUT_SPACES.test(form)).map(wordPattern);
    this.pattern = new RegExp(
      `(?<![\\p{L}\\p{M}])(?:${whole.join('|')})(?![\\p{L}\\p{M}])|(?:${inside.join('|') || '(?!)'})`,
      'gu',
    );
  }

  *matches(text: string): Generator<NamedDeed> {
    for (const [found] of text.matchAll(this.pattern)) {
      const named = this.known.get(found) ?? [...this.known].find(([form]) => found.endsWith(form))?.[1];
      if (named !== undefined) yield named;
    }
  }
}

function prefixOf(form: string): string {
  return PREFIXES.find(({ script }) => script.test(form))?.prefix ?? '';
}

function wordPattern(form: string): string {
  const written = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  // “Sign in”, “sign up” and “sign out” are harmless; “sign” alone may sign a contract.
  return /^s[il]gn$/.test(form) ? `${written}(?!\\s?(?:[il]n|on|up|out|off)(?![\\p{L}\\p{N}]))` : written;
}

const WORDS = Object.entries(DEED_WORDS).flatMap(([deed, locales]) =>
  Object.entries(locales).flatMap(([locale, words]) =>
    words.split(' ').map((word): NamedDeed => ({ deed: deed as Deed, word: word.replaceAll('_', ' '), locale })),
  ),
);
const isLong = ({ word }: NamedDeed): boolean =>
  word.length >= LEAST_WITHOUT_ACCENTS || WITHOUT_SPACES.test(word) || withoutAccents(word) === word;
const AS_WRITTEN = new WordList(WORDS.map((each) => ({ ...each, form: writtenForm(each.word) })));
const WITHOUT_ACCENTS = new WordList(
  WORDS.filter(isLong).map((each) => ({ ...each, form: withoutAccents(each.word) })),
);
const AS_IT_LOOKS = new WordList(WORDS.filter(isLong).map((each) => ({ ...each, form: lookOf(each.word) })));

/** The deeds that a name speaks of, in any of the languages and disguises that are known. */
export function deedsNamed(name: string): NamedDeed[] {
  const [lower = '', ...looks] = foldedForms(name);
  const pictures = Object.entries(PICTURES).flatMap(([picture, deed]) =>
    name.includes(picture) ? [{ deed, word: picture, locale: '' }] : [],
  );
  return [
    ...AS_WRITTEN.matches(writtenForm(name)),
    ...WITHOUT_ACCENTS.matches(lower),
    ...looks.flatMap((look) => [...AS_IT_LOOKS.matches(look)]),
    ...pictures,
  ];
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });

/** Why a name makes one ask, as a sentence; undefined where it does not. `ignored`: deeds that do not count here. */
export function whyNamed(name: string, ignored: readonly Deed[] = ['bin']): string | undefined {
  const named = deedsNamed(name).find(({ deed }) => !ignored.includes(deed));
  if (named === undefined) {
    const disguise = disguiseIn(name);
    return disguise === undefined ? undefined : `${disguise}.`;
  }
  const { deed, word, locale } = named;
  if (locale === '') return `Its name shows “${word}”.`;
  if (locale === 'en') return `Its name says “${word}”.`;
  return `Its name, “${word}”, means “${deed}” in ${LANGUAGES.of(locale)}.`;
}
