import { EngineError } from '../../../activity/failures';

/** How fields whose value has one notation want it, in the words of an error. */
const NOTATIONS: Record<string, string> = {
  date: 'a date, as 2026-02-03',
  time: 'a time, as 14:30',
  'datetime-local': 'a date and a time, as 2026-02-03T14:30',
  month: 'a month, as 2026-02',
  week: 'a week, as 2026-W06',
};
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The value that a field of this type takes for what a person would write; undefined for a type without a notation. */
export function pickerValue(type: string, text: string): string | undefined {
  const wanted = NOTATIONS[type];
  if (wanted === undefined) return undefined;
  if (text.trim() === '') return '';
  const value = parse(type, text.trim().replaceAll(/\s+/g, ' '));
  if (value !== undefined) return value;
  throw new EngineError('SM002', `This field takes ${wanted}; “${text}” could mean another one, or none.`);
}

/** The day and the time, as fields with a notation take them, that the whole text is; undefined for any other text. */
export function writtenDate(text: string): { date: string; time?: string } | undefined {
  const plain = text.trim().replaceAll(/\s+/g, ' ');
  const date = dateOf(plain);
  if (date !== undefined) return { date };
  const [day, time] = parse('datetime-local', plain)?.split('T') ?? [];
  return day === undefined || time === undefined ? undefined : { date: day, time };
}

/** A date such as 04/08/2016, written so that each of the two days that it may be can be read in one way alone. */
export interface TwoDays {
  monthFirst: string;
  dayFirst: string;
}

/** The days that a text with such a date may mean; undefined for any other text. */
export function twoDaysIn(text: string): TwoDays | undefined {
  const [, first = '', second = '', year = '', time = ''] =
    /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(\D.*)?$/.exec(text.trim()) ?? [];
  const [monthFirst, dayFirst] = [`${year}-${first}-${second}`, `${year}-${second}-${first}`];
  if (first === second || dateOf(monthFirst) === undefined || dateOf(dayFirst) === undefined) return undefined;
  return { monthFirst: monthFirst + time, dayFirst: dayFirst + time };
}

function parse(type: string, text: string): string | undefined {
  if (type === 'date') return dateOf(text);
  if (type === 'time') return timeOf(text);
  if (type === 'week') return /^\d{4}-W\d{2}$/i.test(text) ? text.toUpperCase() : undefined;
  if (type === 'month') return /^\d{4}-\d{2}$/.test(text) ? text : dateOf(`1 ${text}`)?.slice(0, 7);
  const [, day = '', time = ''] =
    /^(.*?)(?:T|,? at |, | )(\d{1,2}(?::\d{2}){0,2} ?(?:[ap]\.?m\.?)?)$/i.exec(text) ?? [];
  const [date, clock] = [dateOf(day), timeOf(time)];
  return date === undefined || clock === undefined ? undefined : `${date}T${clock}`;
}

/** Dates that can be read in one way alone: 3/4/2026 is two dates. */
function dateOf(text: string): string | undefined {
  const parts =
    /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})$/.exec(text) ??
    /^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})$/.exec(text) ??
    /^(?<day>\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?(?<name>[a-z]{3,9})\.?,? (?<year>\d{4})$/i.exec(text) ??
    /^(?<name>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/i.exec(text) ??
    unambiguousSlashes(text);
  const { year = '', month, name, day = '' } = parts?.groups ?? {};
  const number = name === undefined ? Number(month) : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  const iso = `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const isReal = year !== '' && new Date(`${iso}T00:00:00Z`).toJSON()?.startsWith(iso) === true;
  return isReal ? iso : undefined;
}

function unambiguousSlashes(text: string): RegExpExecArray | null {
  const [, first = '', second = ''] = /^(\d{1,2})[/-](\d{1,2})[/-]\d{4}$/.exec(text) ?? [];
  if (Number(first) > 12 || first === second)
    return /^(?<day>\d{1,2})[/-](?<month>\d{1,2})[/-](?<year>\d{4})$/.exec(text);
  return Number(second) > 12 ? /^(?<month>\d{1,2})[/-](?<day>\d{1,2})[/-](?<year>\d{4})$/.exec(text) : null;
}

function timeOf(text: string): string | undefined {
  const [, hours = '', minutes = '00', seconds = '', half = ''] =
    /^(\d{1,2})(?::(\d{2}))?(:\d{2})? ?([ap])?\.?(?:m\.?)?$/i.exec(text) ?? [];
  if (hours === '' || (half === '' && !text.includes(':'))) return undefined;
  const isAfternoon = half.toLowerCase() === 'p';
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes}${seconds}`;
}
