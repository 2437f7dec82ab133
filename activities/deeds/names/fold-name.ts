import unhomoglyph from 'unhomoglyph';

/** Characters that are not seen, and those that turn the direction of what is seen. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
const TURNING = /[\u202a-\u202e\u2066-\u2069]/u;
/** Single letters with something between each: “D e l e t e”, “p.a.y”. */
const SPACED = /(?<![\p{L}\p{N}])\p{L}(?:[ \u00a0._*·-]\p{L}){2,}(?![\p{L}\p{N}])/gu;

/** Letters of one look: i, l, 1 and |, which Unicode's table has only in part as equals. */
function withOneLook(text: string): string {
  return text
    .replaceAll(/[iı1|!ǀ]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('0', 'o')
    .replaceAll('vv', 'w');
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .replaceAll(SPACED, (letters) => letters.replaceAll(/[ \u00a0._*·-]/g, ''))
    .replaceAll(/([\p{Ll}])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[\s_\-‐-―/]+/gu, ' ')
    .trim();
}

/** A text without accents, and without points of Hebrew and Arabic. */
export function withoutAccents(text: string): string {
  // Vowel signs of other scripts are letters, not accents.
  return text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o');
}

/** A name in lower case as it is written, without what is not seen. */
export function writtenForm(name: string): string {
  return plain(name).toLowerCase();
}

/** A name in the forms in which words are looked for: without accents, and as it looks (UTS 39). */
export function foldedForms(name: string): string[] {
  const text = plain(name);
  const lower = withoutAccents(text.toLowerCase());
  const look = (given: string): string => withOneLook(withoutAccents(unhomoglyph(given)).toLowerCase());
  return [...new Set([lower, look(withoutAccents(text)), look(lower)])];
}

/** How a word of the table looks. */
export function lookOf(word: string): string {
  const lower = withoutAccents(word.toLowerCase());
  return withOneLook(withoutAccents(unhomoglyph(lower)).toLowerCase());
}

const ALIKE = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic'] as const;
const SCRIPTS = ALIKE.map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }));
/** Letters of phonetic alphabets that stand for others in disguises, upside down for example. */
const PHONETIC =
  /[\u0250-\u0252\u0255\u0256\u0258\u025a\u025c-\u0262\u0264-\u0271\u0273-\u02af\u1d00-\u1d7f\u2c60-\u2c7f\ua730-\ua7ff]/u;

/** What makes a name a disguise, as a sentence about it; undefined where it is none. */
export function disguiseIn(name: string): string | undefined {
  if (TURNING.test(name)) return 'Its name has characters that turn the direction of what is read';
  for (const word of name.normalize('NFKC').split(/[^\p{L}\p{M}]+/u)) {
    const scripts = SCRIPTS.filter(({ pattern }) => pattern.test(word)).map((script) => script.name);
    if (scripts.length > 1) return `Its name mixes letters of scripts that look alike (${scripts.join(' and ')})`;
    if (PHONETIC.test(word) && /\p{L}{3}/u.test(word)) return 'Its name is written with phonetic letters';
  }
  return undefined;
}
