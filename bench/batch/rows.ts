import { between, type Random } from '../chaos/random';

/** The list that is submitted: what becomes of each row is known by its invoice. */
export interface BatchList {
  csv: string;
  /** As a script sees the rows: a bad one has no invoice. */
  invoices: readonly string[];
  good: readonly string[];
  /** Paid by a person while the batch runs. */
  byHand: readonly string[];
  bad: number;
}

const BAD = 3;
const SHARE_BY_HAND = 0.02;

/** Rows that a person pays stand in the last half, and bad ones anywhere. */
export function makeList(count: number, random: Random): BatchList {
  const names = Array.from({ length: count }, (_, index) => `inv-${String(index + 1).padStart(5, '0')}`);
  const draw = (wanted: number, from: number, taken: ReadonlySet<number>): Set<number> => {
    const drawn = new Set<number>();
    while (drawn.size < wanted) {
      const row = Math.floor(between(random, from, count));
      if (!taken.has(row)) drawn.add(row);
    }
    return drawn;
  };
  const bad = draw(BAD, 0, new Set());
  const hand = draw(Math.max(2, Math.round(count * SHARE_BY_HAND)), Math.floor(count / 2), bad);
  const invoices = names.map((name, row) => (bad.has(row) ? '' : name));
  return {
    csv: ['invoice,amount', ...invoices.map((invoice) => `${invoice},30`)].join('\n'),
    invoices,
    good: names.filter((_, row) => !bad.has(row) && !hand.has(row)),
    byHand: names.filter((_, row) => hand.has(row)),
    bad: BAD,
  };
}
