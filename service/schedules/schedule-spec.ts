import type {
  CalendarSpec,
  CalendarSpecDescription,
  Range,
  ScheduleOverlapPolicy,
  ScheduleSpec,
  ScheduleSpecDescription,
} from '@temporalio/client';
import type { Schedule, ScheduleOverlap, ScheduleRequest } from '../../contracts/sessions/schedule';
import { DAYS_OF_WEEK, MONTHS, type Calendar } from '../../contracts/sessions/schedule-calendar';
import { durationMs, durationText } from '../../contracts/sessions/schedule-duration';

export const OVERLAP_POLICIES = {
  skip: 'SKIP',
  'buffer-one': 'BUFFER_ONE',
  'buffer-all': 'BUFFER_ALL',
  'cancel-other': 'CANCEL_OTHER',
  'terminate-other': 'TERMINATE_OTHER',
  'allow-all': 'ALLOW_ALL',
} as const satisfies Record<ScheduleOverlap, ScheduleOverlapPolicy>;

export function overlapOf(policy: ScheduleOverlapPolicy): ScheduleOverlap {
  const names = Object.keys(OVERLAP_POLICIES) as ScheduleOverlap[];
  return names.find((name) => OVERLAP_POLICIES[name] === policy) ?? 'skip';
}

/** When a schedule starts sessions, as Temporal takes it. */
export function toSpec({
  cron = [],
  every = [],
  calendar = [],
  timeZone,
}: Pick<ScheduleRequest, 'cron' | 'every' | 'calendar' | 'timeZone'>): ScheduleSpec {
  return {
    cronExpressions: [cron].flat(),
    intervals: [every].flat().map((text) => {
      const [interval = '', offset] = text.split('/');
      return { every: durationMs(interval), ...(offset === undefined ? {} : { offset: durationMs(offset) }) };
    }),
    calendars: [calendar].flat().map(toCalendarSpec),
    ...(timeZone === undefined ? {} : { timezone: timeZone }),
  };
}

/** The client reads a range without a step as one that ends at 1. */
function toCalendarSpec(calendar: Calendar): CalendarSpec {
  const fields = Object.entries(calendar).map(([name, value]) => {
    if (value === '*') return [name, value];
    return [name, [value].flat().map((each) => (typeof each === 'object' ? { step: 1, ...each } : each))];
  });
  return Object.fromEntries(fields) as CalendarSpec;
}

/** The same back: Temporal keeps a cron expression as the calendar that it means. */
export function fromSpec({
  calendars = [],
  intervals = [],
  timezone,
}: Partial<ScheduleSpecDescription>): Pick<Schedule, 'cron' | 'every' | 'timeZone'> {
  return {
    cron: calendars.map(cronOf),
    every: intervals.map(({ every, offset }) =>
      offset ? `${durationText(every)}/${durationText(offset)}` : durationText(every),
    ),
    timeZone: timezone || 'UTC',
  };
}

function cronOf({ second, minute, hour, dayOfMonth, month, year, dayOfWeek }: CalendarSpecDescription): string {
  const seconds = fieldText(second, 0, 59);
  const years = year.length === 0 ? '*' : fieldText(year, Number.NEGATIVE_INFINITY, Infinity);
  const fields = [
    fieldText(minute, 0, 59),
    fieldText(hour, 0, 23),
    fieldText(dayOfMonth, 1, 31),
    fieldText(ofNames(month, MONTHS, 1), 1, 12),
    daysText(ofNames(dayOfWeek, DAYS_OF_WEEK, 0)),
  ];
  if (seconds !== '0') return [seconds, ...fields, years].join(' ');
  return years === '*' ? fields.join(' ') : [...fields, years].join(' ');
}

function ofNames<N extends string>(ranges: Range<N>[], names: readonly N[], first: number): Range<number>[] {
  return ranges.map(({ start, end, step }) => ({
    start: names.indexOf(start) + first,
    end: names.indexOf(end) + first,
    step,
  }));
}

function fieldText(ranges: Range<number>[], min: number, max: number): string {
  return ranges
    .map(({ start, end, step }) => {
      const by = step > 1 ? `/${step}` : '';
      if (start === min && end === max) return `*${by}`;
      return start === end ? `${start}` : `${start}-${end}${by}`;
    })
    .join(',');
}

/** Days by name: whether a week begins with 0 or 1 is known to few. */
function daysText(ranges: Range<number>[]): string {
  return fieldText(ranges, 0, 6).replace(/(?<!\/)\d/g, (day) => DAYS_OF_WEEK[Number(day)]!.slice(0, 3));
}
