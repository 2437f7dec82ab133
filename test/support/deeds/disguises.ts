// cspell:disable
import { oneOf, type Random } from '../../../bench/chaos/random';
import { DEED_WORDS } from '../../../activities/deeds/names/deed-words';
import { writtenForm } from '../../../activities/deeds/names/fold-name';

const LOOKALIKES: Record<string, string> = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' };

/** Ways to write a word so that a person reads it and a plain search does not find it. */
const DISGUISES: ((word: string) => string)[] = [
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.charAt(0).toUpperCase() + word.slice(1),
  (word) => `${word} 3`,
  (word) => `→ ${word} »`,
  (word) => Array.from(word).join('\u200b'),
  (word) => word.slice(0, 1) + '\u00ad' + word.slice(1),
  (word) =>
    Array.from(word)
      .map((letter) => LOOKALIKES[letter] ?? letter)
      .join(''),
  (word) =>
    Array.from(word)
      .map((letter, at) => (at === 1 ? (LOOKALIKES[letter] ?? letter) : letter))
      .join(''),
  (word) =>
    Array.from(word)
      .map((letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97) : letter))
      .join(''),
  (word) =>
    Array.from(word)
      .map((letter) => (/[!-~]/.test(letter) ? String.fromCodePoint(letter.charCodeAt(0) + 0xfee0) : letter))
      .join(''),
  (word) => word.normalize('NFD'),
  (word) => (/^[a-z]{4,}$/.test(word) ? Array.from(word).join(' ') : word),
];

/** The name of a deed in a language, disguised. */
export function deedName(random: Random): string {
  const locales = oneOf(
    random,
    Object.entries(DEED_WORDS).filter(([deed]) => deed !== 'bin'),
  )![1] as Record<string, string>;
  const words = oneOf(random, Object.values(locales))!.split(' ');
  return oneOf(random, DISGUISES)!(writtenForm(oneOf(random, words)!.replaceAll('_', ' ')));
}

export function binName(random: Random): string {
  return oneOf(random, DISGUISES.slice(0, 5))!(
    oneOf(random, Object.values(DEED_WORDS.bin))!.split(' ')[0]!.replaceAll('_', ' '),
  );
}

/** Names that say nothing of what is done. */
export function neutralName(random: Random): string {
  return oneOf(random, [
    'OK',
    'Yes',
    'Alright',
    'Los',
    'Fertig',
    'Oui',
    'Sí',
    'Так',
    'はい',
    '好',
    'Tamam',
    'Do it',
    '›',
    'Finish',
    'Let’s go!',
    'Great',
  ])!;
}
