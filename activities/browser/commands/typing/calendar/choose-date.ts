import type { ElementHandle, JSHandle, Page } from 'playwright';
import { EngineError } from '../../../../activity/failures';
import { clickHandle } from '../../pointer/usable';
import { pollUntil } from '../../poll-until';
import { readField } from '../field-facts';
import { dayIn, monthIn, type Day } from '../written-date';
import { findCalendar, findClock, type CalendarParts } from './calendar-page';

const SHOWN_LIMIT_MS = 1500;
/** The calendar is drawn already: only a machine that is very busy takes this long. */
const CLICK_LIMIT_MS = 5000;
/** A page of the calendar at a time: 20 years of months. */
const MOST_TURNS = 240;

type Field = ElementHandle<Element>;

/** A calendar as it is drawn now. */
interface Shown extends Omit<CalendarParts, 'elements'> {
  handles: JSHandle<Element[]>;
}

/** Reads the calendar that has come since `before`; undefined where there is none. */
export async function readCalendar(field: Field, before: JSHandle<Element[]>): Promise<Shown | undefined> {
  const found = await field.evaluateHandle(findCalendar, before);
  const facts = await found.evaluate(
    (parts) => parts && { days: parts.days, heading: parts.heading, turns: parts.turns },
  );
  if (facts === null) return undefined;
  return { ...facts, handles: await found.evaluateHandle((parts) => parts!.elements) };
}

/** Chooses a day, and a time beside it, in the calendar that a click on the field shows. */
export async function chooseDate(
  page: Page,
  field: Field,
  wanted: Day,
  time: string | undefined,
  before: JSHandle<Element[]>,
  signal: AbortSignal,
): Promise<void> {
  let shown = await readCalendar(field, before);
  if (shown === undefined) {
    await clickHandle(field, { timeout: CLICK_LIMIT_MS });
    const isThere = async (): Promise<boolean> => (shown = await readCalendar(field, before)) !== undefined;
    await pollUntil(isThere, SHOWN_LIMIT_MS, signal);
  }
  for (let turns = 0; shown !== undefined && turns < MOST_TURNS; turns += 1) {
    signal.throwIfAborted();
    const place = placeOf(shown, wanted);
    if (place !== undefined) {
      if (shown.days[place]!.isDisabled)
        throw new EngineError('EX003', 'The calendar of this field does not let this day be chosen.');
      await clickAt(shown, place);
      await setClock(page, field, time, before);
      return;
    }
    const month = monthOf(shown);
    if (month === undefined) break;
    const distance = (wanted.year - month.year) * 12 + wanted.month - month.month;
    const turn = distance === 0 ? undefined : turnTowards(shown.turns, distance);
    if (turn === undefined) break;
    await clickAt(shown, shown.days.length + turn);
    const isTurned = async (): Promise<boolean> => {
      shown = await readCalendar(field, before);
      const now = shown && monthOf(shown);
      return now !== undefined && (now.year !== month.year || now.month !== month.month);
    };
    if (!(await pollUntil(isTurned, SHOWN_LIMIT_MS, signal))) break;
  }
  throw new EngineError(
    'EX003',
    shown === undefined
      ? 'This field is read-only, and a click on it shows no calendar: nothing can be typed into it.'
      : 'The calendar of this field does not lead to this day.',
    { suggestedAction: 'Look at what a click on the field opens, and choose there.' },
  );
}

async function clickAt({ handles }: Shown, place: number): Promise<void> {
  const element = (await handles.evaluateHandle((list, at) => list[at]!, place)).asElement() as ElementHandle<Element>;
  await clickHandle(element, { timeout: CLICK_LIMIT_MS });
}

/** The place of a day: by its whole date, else by its number between the first of this month and that of the next. */
function placeOf(shown: Shown, { year, month, day }: Day): number | undefined {
  const dates = shown.days.map(({ said }) => dayIn(said));
  const exact = dates.findIndex((each) => each?.year === year && each.month === month && each.day === day);
  if (exact !== -1) return exact;
  const now = monthOf(shown);
  if (dates.some((each) => each !== undefined) || now?.year !== year || now.month !== month) return undefined;
  const first = shown.days.findIndex(({ number }) => number === 1);
  const place = first + day - 1;
  return shown.days[place]?.number === day ? place : undefined;
}

/** The month of most days, else the one in the heading. */
function monthOf({ days, heading }: Shown): Pick<Day, 'year' | 'month'> | undefined {
  return dayIn(days[Math.floor(days.length / 2)]?.said ?? '') ?? monthIn(heading);
}

const NEXT = /\b(?:next|forward|later)\b|next|[›»>→]|chevron.?right|arrow.?right/i;
const BACK = /\b(?:prev|previous|back|earlier|last)\b|prev|[‹«<←]|chevron.?left|arrow.?left/i;
const OF_YEARS = /year|super|decade|[«»]/i;

/** The control that turns towards later or earlier months: by years where that is nearer. */
function turnTowards(turns: readonly string[], distance: number): number | undefined {
  const way = distance > 0 ? NEXT : BACK;
  const other = distance > 0 ? BACK : NEXT;
  const named = (said: string): string => said.split(' | ').find((part) => way.test(part) || other.test(part)) ?? '';
  const leading = turns.flatMap((said, at) => {
    const name = named(said);
    return way.test(name) && !other.test(name) ? [{ at, isOfYears: OF_YEARS.test(said) }] : [];
  });
  const years = Math.abs(distance) >= 12 ? leading.find(({ isOfYears }) => isOfYears) : undefined;
  return (years ?? leading.find(({ isOfYears }) => !isOfYears))?.at;
}

/** Sets the time beside a calendar, and closes it with its own button where it has one. */
async function setClock(
  page: Page,
  field: Field,
  time: string | undefined,
  before: JSHandle<Element[]>,
): Promise<void> {
  const found = await field.evaluateHandle(findClock, before);
  const kinds = await found.evaluate((clock) => clock.kinds);
  const [hour = '', minute = ''] = (time ?? '').split(':');
  const values: Record<string, string> = { hour, minute };
  for (const [at, kind] of kinds.entries()) {
    const part = (await found.evaluateHandle((clock, index) => clock.parts[index]!, at)).asElement() as Field;
    if (kind === 'end') await part.click({ timeout: CLICK_LIMIT_MS }).catch(() => {});
    else if (time !== undefined && values[kind] !== '') {
      if (await part.evaluate((each) => each instanceof HTMLSelectElement)) await part.selectOption(values[kind]!);
      else {
        await part.focus();
        await page.keyboard.press('ControlOrMeta+A');
        await page.keyboard.type(values[kind]!);
        await page.keyboard.press('Tab');
      }
    }
  }
}

/** Leaves a field that shows a calendar, as a person does who has typed a date; resolves to what stands in it then. */
export async function leaveCalendar(
  page: Page,
  field: Field,
  before: JSHandle<Element[]>,
  signal: AbortSignal,
): Promise<string> {
  const isClosed = async (): Promise<boolean> => (await readCalendar(field, before)) === undefined;
  await page.keyboard.press('Tab');
  if (!(await pollUntil(isClosed, 300, signal)))
    await field.evaluate(
      (node) => (document.activeElement as HTMLElement | null)?.blur() ?? (node as HTMLElement).blur(),
    );
  if (!(await pollUntil(isClosed, 300, signal))) await page.keyboard.press('Escape');
  if (!(await pollUntil(isClosed, 300, signal))) {
    // One that opened again when the day was chosen hears keys only in its field.
    await field.focus();
    await page.keyboard.press('Escape');
    await pollUntil(isClosed, 300, signal);
  }
  return await field.evaluate(readField);
}
