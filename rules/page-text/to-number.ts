/** Groups of thousands with a decimal part, plain digits with one, or a decimal part alone. */
const NUMBER = String.raw`\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d+)?(?![\d]|[.,]\d)|\d+(?:[.,]\d+)?|[.,]\d+`;
const NUMBERS = new RegExp(NUMBER, 'g');
/** “4.5 out of 5” and “4.5/5” are 4.5. */
const OF_MOST = new RegExp(
  String.raw`^(.*?(?:${NUMBER}))\s*(?:/|out of|of|von|sur)\s*(?:${NUMBER})(?:\s*\p{L}+)?$`,
  'iu',
);

const MULTIPLIERS: [RegExp, number][] = [
  [/^(?:k(?!\p{L})| ?(?:thousand|tsd)(?!\p{L}))/iu, 1e3],
  [/^(?:M(?!\p{L})| ?(?:millions?|Millions?|[Mm]io)(?!\p{L}))/u, 1e6],
  [/^(?:bn(?!\p{L})| ?(?:billions?|mrd)(?!\p{L}))/iu, 1e9],
];

/**
 * The one number that a text has, with its sign, without its unit: −5 °C, (1,250), 42-, 10k, £49.00, 1.234,56. Undefined
 * where it has several, as phone numbers and dates do, or where the digits are part of a name, as in INV-2024030 and 007.
 */
export function toNumber(text: string): number | undefined {
  const said = text
    .normalize('NFKC')
    .replaceAll(/[−–﹣]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const whole = OF_MOST.exec(said)?.[1] ?? said;
  const [found, another] = whole.matchAll(NUMBERS);
  if (found === undefined || another !== undefined) return undefined;
  const [before, after] = [whole.slice(0, found.index), whole.slice(found.index + found[0].length)];
  const isPart = /[\p{L}\p{N}][-._/]?$/u.test(before) && !CURRENCY_BEFORE.test(before) && !/\p{L}\.$/u.test(before);
  const isNumbered = /^0\d/.test(found[0]) && !/^0[.,]/.test(found[0]);
  const [, times = 1] = MULTIPLIERS.find(([pattern]) => pattern.test(after)) ?? [];
  const isNamed = times === 1 && /^(?:[-_/]?[\p{L}\p{N}](?!\p{L})|[-_/]\p{L})/u.test(after);
  if (isPart || isNumbered || isNamed) return undefined;
  const value = Number(plainDigits(found[0])) * times;
  if (!Number.isFinite(value)) return undefined;
  const isInBrackets = /^\([^()]*\)$/.test(whole) && !/[\p{L}]{4}/u.test(whole);
  const isNegative = /(?:^|[^\p{L}\p{N}])-(?:\p{Sc} ?)?$/u.test(before) || /^-(?![\p{L}\p{N}])/u.test(after);
  return isNegative || isInBrackets ? -value : value;
}

const CURRENCY_BEFORE = /(?:^|[^\p{L}])(?:[A-Z]{3}|Rs|kr|Fr|x)\.?$/u;

/** The last separator is the decimal one, unless exactly three digits follow it in a number of groups. */
function plainDigits(number: string): string {
  const found = number.replaceAll(/[' ]/g, '');
  const last = Math.max(found.lastIndexOf('.'), found.lastIndexOf(','));
  const isDecimal = last !== -1 && !(found.length - last - 1 === 3 && /^\d{1,3}(?:[.,]\d{3})+$/.test(found));
  const whole = isDecimal ? found.slice(0, last) : found;
  return whole.replaceAll(/[.,]/g, '') + (isDecimal ? `.${found.slice(last + 1)}` : '');
}
