import { z } from 'zod';

export const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;

export const DAYS_OF_WEEK = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

/** A value, a range with both ends in it, several of them, or `*` for all. */
function fieldOf<T extends number | string>(unit: z.ZodType<T>, placeOf: (value: T) => number) {
  const range = z
    .strictObject({ start: unit, end: unit, step: z.int().min(1).max(60).optional() })
    .refine(({ start, end }) => placeOf(start) <= placeOf(end), {
      path: ['end'],
      error: 'a range does not go round: its end comes after its start; give two ranges',
    });
  const one = z.union([unit, range]);
  return z.union([one, z.array(one).min(1).max(60), z.literal('*')]).optional();
}

const numbers = (min: number, max: number) => fieldOf(z.int().min(min).max(max), (value) => value);
const names = <const N extends readonly [string, ...string[]]>(all: N) =>
  fieldOf<N[number]>(z.enum(all), (name) => all.indexOf(name));

/**
 * Times whose members all match, as CalendarSpec of Temporal has them. Seconds, minutes and hours that are left out are 0,
 * the others any.
 */
export const CalendarSchema = z
  .strictObject({
    second: numbers(0, 59),
    minute: numbers(0, 59),
    hour: numbers(0, 23),
    dayOfMonth: numbers(1, 31),
    month: names(MONTHS),
    year: numbers(2000, 2100),
    dayOfWeek: names(DAYS_OF_WEEK),
  })
  .refine((fields) => Object.keys(fields).length > 0, 'name at least one member, such as {"hour": 3}');
export type Calendar = z.infer<typeof CalendarSchema>;
