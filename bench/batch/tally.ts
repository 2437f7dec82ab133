import type { ApiClient } from '../../client/http/api-client';
import type { Row } from '../harness/statistics';
import type { Bank } from './bank';
import type { PlainResults } from './plain';
import type { BatchList } from './rows';
import { allRows, SUBMISSIONS, type BatchRow, type Submitted } from './submit';

/** What came of a list. */
export interface Tally {
  lines: { what: string; measured: string }[];
  /** Each row was counted once, and each row that was not says why. */
  isRight: boolean;
}

interface Run {
  bank: Bank;
  list: BatchList;
  killed: readonly string[];
  tookMs: number;
}

export function tallyOf({ submitted, ...run }: Run & { submitted: readonly Submitted[] }): Tally {
  const { list } = run;
  const byInvoice = new Map<string, BatchRow[]>();
  for (const { rows } of submitted)
    for (const row of rows) {
      const invoice = row.variables['invoice'] ?? '';
      byInvoice.set(invoice, [...(byInvoice.get(invoice) ?? []), row]);
    }
  const states = (invoice: string) =>
    (byInvoice.get(invoice) ?? [])
      .map(({ state }) => state)
      .sort()
      .join();
  const done = 'already-done,already-done';
  const results = list.good.filter((invoice) => states(invoice) === `${done},completed`);
  const noticed = list.byHand.filter((invoice) => states(invoice) === `${done},already-done`);
  const reasons = submitted.map(({ rows }) => rows.filter(({ state, reason }) => state === 'invalid' && reason).length);
  for (const invoice of [...list.good, ...list.byHand])
    if (!results.includes(invoice) && !noticed.includes(invoice)) printRow(invoice, byInvoice.get(invoice) ?? []);
  const counts = countsOf(run);
  return {
    lines: [
      ...counts.lines,
      { what: 'results', measured: `${results.length} of ${list.good.length}` },
      { what: 'rows done by hand that say so', measured: `${noticed.length} of ${list.byHand.length}` },
      { what: 'bad rows with a reason', measured: `${Math.min(...reasons)} of ${list.bad}` },
      {
        what: 'rows that failed and ran again',
        measured: String(submitted.reduce((sum, { retried }) => sum + retried, 0)),
      },
      ...timesOf(run),
    ],
    isRight:
      counts.isRight &&
      results.length === list.good.length &&
      noticed.length === list.byHand.length &&
      reasons.every((count) => count === list.bad),
  };
}

export function plainTally({ results, ...run }: Run & { results: PlainResults }): Tally {
  const { list } = run;
  const of = (invoices: readonly string[]) =>
    invoices.filter((invoice) => 'receipt' in (results.get(invoice) ?? {})).length;
  const counts = countsOf(run);
  return {
    lines: [
      ...counts.lines,
      { what: 'results', measured: `${of(list.good)} of ${list.good.length}` },
      { what: 'rows done by hand that say so', measured: `0 of ${list.byHand.length}` },
      { what: 'bad rows with a reason', measured: 'reason' in (results.get('') ?? {}) ? 'a timeout' : 'none' },
      { what: 'rows that failed and ran again', measured: 'by Temporal' },
      ...timesOf(run),
    ],
    isRight: counts.isRight,
  };
}

export function tallyRow({ lines }: Tally): Row[] {
  return lines;
}

function countsOf({ bank, list }: Run) {
  const { payments } = bank;
  const paid = (invoice: string) => payments.get(invoice) ?? 0;
  const once = list.good.filter((invoice) => paid(invoice) === 1).length;
  const twice = list.good.filter((invoice) => paid(invoice) > 1).length;
  const again = list.byHand.filter((invoice) => paid(invoice) > 0).length;
  const { length } = list.good;
  return {
    lines: [
      { what: 'rows that the server counts once', measured: `${once} of ${length}` },
      { what: 'more than once', measured: String(twice) },
      { what: 'never', measured: String(length - once - twice) },
      { what: 'done by hand, and again', measured: `${again} of ${list.byHand.length}` },
    ],
    isRight: once === length && again === 0,
  };
}

function timesOf({ killed, tookMs }: Run) {
  return [
    { what: 'kills', measured: String(killed.length) },
    { what: 'time', measured: `${(tookMs / 60_000).toFixed(1)} min` },
  ];
}

function printRow(invoice: string, rows: readonly BatchRow[]): void {
  const each = rows.map(({ state, sessionId = '-', reason = '' }) => `${state} ${sessionId} ${reason}`);
  console.log(`  ${invoice}: ${each.join('; ')}`);
}

/** Prints the rows that are open: of a batch that does not end. */
export async function printOpen(api: ApiClient): Promise<void> {
  for (const id of SUBMISSIONS)
    for (const row of await allRows(api, id))
      if (row.state === 'running' || row.state === 'waiting') printRow(`${id} ${row.row}`, [row]);
}
