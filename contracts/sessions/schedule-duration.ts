import { z } from 'zod';

const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;
type Unit = keyof typeof UNIT_MS;

/** A time as Temporal's command line writes it. */
export const DurationSchema = z
  .string()
  .regex(/^[1-9]\d{0,5}(?:s|m|h|d)$/, 'expected a number with s, m, h or d, such as "10m" or "36h"');

export function durationMs(text: string): number {
  return Number.parseInt(text, 10) * UNIT_MS[text.at(-1) as Unit];
}

/** The same in the largest unit that fits whole. */
export function durationText(ms: number): string {
  const unit = (Object.keys(UNIT_MS) as Unit[]).find((each) => ms % UNIT_MS[each] === 0) ?? 's';
  return `${ms / UNIT_MS[unit]}${unit}`;
}
