/** A day of the calendar; months count from 1. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = `(?<name>(?:${MONTHS.join('|')})[a-z]*)`;
const FORMS = [
  /(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})/,
  new RegExp(`${MONTH}\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})`, 'i'),
  new RegExp(`(?<day>\\d{1,2})(?:st|nd|rd|th)?\\.? (?:of )?${MONTH}\\.?,? (?<year>\\d{4})`, 'i'),
];

/** The day that a text of a page names, by its month's English name or year first; undefined where it names none. */
export function dayIn(text: string): Day | undefined {
  for (const form of FORMS) {
    const { year, month, name, day } = form.exec(text.replaceAll(/\s+/g, ' '))?.groups ?? {};
    if (year === undefined || day === undefined) continue;
    const number = name === undefined ? Number(month) : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
    if (number >= 1 && number <= 12) return { year: Number(year), month: number, day: Number(day) };
  }
  return undefined;
}

/** The month that the heading of a calendar names. */
export function monthIn(heading: string): Pick<Day, 'year' | 'month'> | undefined {
  const name = new RegExp(`\\b${MONTH}\\b`, 'i').exec(heading)?.groups?.['name'];
  const year = /\b(?:19|20|21)\d{2}\b/.exec(heading)?.[0];
  if (name === undefined || year === undefined) return undefined;
  return { year: Number(year), month: MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1 };
}

/** The text in the notation that a placeholder such as dd/mm/yyyy asks for; undefined where it asks for none. */
export function inNotation(day: Day, placeholder: string): string | undefined {
  const notation = /\b(?:d{1,2}|m{1,2}|y{2,4})([./-])(?:d{1,2}|m{1,2})\1(?:d{1,2}|y{2,4})\b/i.exec(placeholder)?.[0];
  return notation?.replaceAll(/[dmy]+/gi, (part) => {
    const number = /d/i.test(part) ? day.day : /m/i.test(part) ? day.month : day.year;
    return String(number).padStart(part.length, '0').slice(-Math.max(part.length, 2));
  });
}

/** Whether a text shows this day, in whichever notation. */
export function showsDay(shown: string, wanted: Day): boolean {
  const named = dayIn(shown);
  if (named !== undefined)
    return named.year === wanted.year && named.month === wanted.month && named.day === wanted.day;
  const numbers = (shown.match(/\d+/g) ?? []).map(Number);
  const isMonthNamed = new RegExp(`\\b${MONTHS[wanted.month - 1]!}`, 'i').test(shown);
  const hasYear = numbers.includes(wanted.year) || numbers.includes(wanted.year % 100);
  return hasYear && numbers.includes(wanted.day) && (isMonthNamed || numbers.includes(wanted.month));
}

/** Whether a text shows the same numbers in the same order: 4/8/2016 and 04.08.2016. */
export function hasSameNumbers(one: string, other: string): boolean {
  const [numbers, others] = [one, other].map((text) => (text.match(/\d+/g) ?? []).map(Number).join(' '));
  return numbers !== '' && numbers === others;
}

/** Runs in the page: the order of dates that a field asks for, else the one in which the browser draws them. */
export function orderOfDates(node: Element): 'monthFirst' | 'dayFirst' {
  const asked = /\b([dm])[dm]?[./-][dm]{1,2}[./-]y{2,4}\b/i.exec(node.getAttribute('placeholder') ?? '')?.[1];
  if (asked !== undefined) return asked.toLowerCase() === 'm' ? 'monthFirst' : 'dayFirst';
  const parts = new Intl.DateTimeFormat(navigator.language).formatToParts().map(({ type }) => type);
  return parts.indexOf('month') < parts.indexOf('day') ? 'monthFirst' : 'dayFirst';
}
