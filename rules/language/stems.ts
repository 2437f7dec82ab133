/** A word as it is compared: without case, accents and a possessive. */
export function plainWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s$/u, '');
}

/** The stem of a word, so that one and several are alike. */
export function stemOf(word: string): string {
  const plain = plainWord(word);
  if (/\d/.test(plain) || plain.length < 4) return plain;
  return plain
    .replace(/ies$/, 'y')
    .replace(/(x|ss|sh|ch|o)es$/, '$1')
    .replace(/(?<![su])s$/, '')
    .replace(/our(?=$|s$)/, 'or');
}

const ENDINGS = /(?:(?:at)?ion|ing|er|ed|al)s?$/;

/** What is left of a stem without the endings of its form: "pausing" and "pause", "renewal" and "renew". */
export function rootOf(stem: string): string {
  if (/\d/.test(stem) || stem.length < 5) return stem.length < 4 ? stem : stem.replace(/e$/, '');
  const root = stem.replace(ENDINGS, '');
  return (root.length < 4 ? stem : root).replace(/([b-df-hj-np-tv-z])\1$/, '$1').replace(/[ei]$/, '');
}
