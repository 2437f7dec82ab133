// cspell:disable
import { DEED_WORDS } from '../../../activities/deeds/names/deed-words';
import { whyNamed } from '../../../activities/deeds/names/name-deed';

test.each([
  ['Delete', 'Its name says “delete”.'],
  ['Usuń', 'Its name, “usuń”, means “delete” in Polish.'],
  ['USUN KONTO', 'Its name, “usuń”, means “delete” in Polish.'],
  ['Удалить аккаунт', 'Its name, “удалить”, means “delete” in Russian.'],
  ['立即支付', 'Its name, “支付”, means “pay” in Chinese.'],
  ['お支払いへ進む', 'Its name, “お支払い”, means “pay” in Japanese.'],
  ['삭제하기', 'Its name, “삭제”, means “delete” in Korean.'],
  ['ชำระเงินตอนนี้', 'Its name, “ชำระเงิน”, means “pay” in Thai.'],
  ['احذف الحساب', 'Its name, “احذف”, means “delete” in Arabic.'],
  ['למחיקה', 'Its name, “מחיקה”, means “delete” in Hebrew.'],
  ['Ödeme yap', 'Its name, “ödeme yap”, means “pay” in Turkish.'],
  ['🗑', 'Its name shows “🗑”.'],
] as const)('“%s” asks: %s', (name, why) => {
  expect(whyNamed(name)).toBe(why);
});

test.each([
  ['Dеlеtе', 'Cyrillic e'],
  ['РАУ', 'Cyrillic capitals'],
  ['ΡΑΥ', 'Greek capitals'],
  ['𝐃𝐞𝐥𝐞𝐭𝐞', 'mathematical letters'],
  ['Ｄｅｌｅｔｅ', 'wide letters'],
  ['De\u200blete', 'a space of no width'],
  ['De\u00adlete', 'a soft hyphen'],
  ['D e l e t e', 'spaces between the letters'],
  ['d.e.l.e.t.e', 'dots between the letters'],
  ['De1ete', 'a digit for a letter'],
  ['DELETE_ALL', 'an underline'],
  ['deleteAccount', 'camel case'],
  ['Dèlète', 'accents'],
  ['etele\u202eD', 'turned direction'],
  ['ǝʇǝʃǝᗡ', 'turned letters'],
  ['Рay by card', 'one letter of another script'],
])('“%s” asks in spite of %s', (name) => {
  expect(whyNamed(name)).toMatch(/\.$/);
});

test('every word of every locale is found as it is written, in capitals and in a sentence', () => {
  const missed: string[] = [];
  for (const [deed, locales] of Object.entries(DEED_WORDS))
    for (const [locale, words] of Object.entries(locales))
      for (const word of words.split(' ').map((each) => each.replaceAll('_', ' ')))
        for (const name of [word, word.toUpperCase(), `${word} 7 €`, `→ ${word}`])
          if (whyNamed(name, []) === undefined) missed.push(`${deed} ${locale} ${name}`);
  expect(missed).toEqual([]);
  expect(new Set(Object.values(DEED_WORDS).flatMap((locales) => Object.keys(locales))).size).toBeGreaterThan(25);
});

test.each([
  'Sign in',
  'Sign-up',
  'Sign out',
  'Next',
  'Search',
  'Add to cart',
  'Show more',
  'Payment methods',
  'Orders',
  'Sender',
  'Settings',
  'Wi-Fi сеть',
  'GUI',
  'Terms',
  'Übersicht',
  'Suivant',
  'Далее',
  '次へ',
  '下一步',
  'Details',
  'Menu',
])('“%s” is no deed by its name', (name) => {
  expect(whyNamed(name)).toBeUndefined();
});
