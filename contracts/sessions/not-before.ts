import { z } from 'zod';

/** A workflow may wait for a year in all, for people too. */
const MOST_DAYS = 180;
const DAY_MS = 86_400_000;

/** From when on a session does anything: ISO 8601 with an offset. One in the past holds nothing up. */
export const NotBeforeSchema = z.iso
  .datetime({ offset: true, error: 'expected a time with its offset, such as 2026-03-01T03:00:00+01:00' })
  .refine(
    (text) => Date.parse(text) - Date.now() <= MOST_DAYS * DAY_MS,
    `expected a time in the next ${MOST_DAYS} days; what is later is for a schedule`,
  );
