import { SessionStatus } from '../../contracts/session';
import { median, ms, percentile, printTable, type Row } from '../statistics';
import type { Judged } from './judge';
import type { Kill } from './kills';

export interface Outcome {
  title: string;
  kills: Kill[];
  sessions: Judged[];
  viewers: number;
  connections: number;
  leftovers: string[];
}

/** Prints the table and the lists below it; true when nothing was breached. */
export function report({ title, kills, sessions, viewers, connections, leftovers }: Outcome): boolean {
  const completed = sessions.filter(({ status }) => status === SessionStatus.COMPLETED);
  const failed = sessions.filter(({ status }) => status !== SessionStatus.COMPLETED);
  const recoveries = kills.flatMap((kill) => recoveryOf(kill, sessions) ?? []);
  const breaches = [
    ...sessions.flatMap(({ sessionId, breaches: list }) => list.map((text) => `${sessionId}: ${text}`)),
    ...leftovers.map((text) => `left over: ${text}`),
  ];
  const sum = (of: (session: Judged) => number): number => sessions.reduce((total, each) => total + of(each), 0);
  const unknowns = sessions.flatMap((session) => session.unknowns);
  const rows: Row[] = [
    { what: 'kills', measured: String(kills.length), compared: counted(kills.map(({ what }) => what)) },
    {
      what: 'sessions',
      measured: `${completed.length} completed, ${failed.length} failed`,
      compared: `${sum(({ orders }) => orders)} orders`,
    },
    { what: 'kill to all processes ready again', ...times(kills.map(({ wholeAfterMs }) => wholeAfterMs)) },
    { what: 'kill to next event, slowest session running', ...times(recoveries), goal: 'p50 <= 2500 ms' },
    { what: 'orders too many', measured: String(sum(({ orders }) => Math.max(0, orders - 1))), goal: '0' },
    { what: 'orders lost', measured: String(completed.filter(({ orders }) => orders === 0).length), goal: '0' },
    {
      what: 'events duplicated at a viewer',
      measured: String(sum(({ duplicatesSeen }) => duplicatesSeen)),
      compared: `${viewers} viewers, ${connections} connections`,
      goal: '0',
    },
    { what: 'events missed by a viewer', measured: String(sum(({ eventsMissed }) => eventsMissed)), goal: '0' },
    { what: 'unknown outcomes', measured: String(unknowns.length) },
    { what: 'left over', measured: String(leftovers.length), goal: '0' },
    { what: 'breaches', measured: String(breaches.length), goal: '0' },
  ];
  printTable(title, rows);
  list(
    'Sessions that failed',
    failed.map(({ reason, orders }) => `${orders} orders; ${reason}`),
  );
  list('Unknown outcomes', unknowns);
  list('Breaches', breaches);
  return breaches.length === 0;
}

/** Of the sessions that ran when it was made and were not at their end, the one that waited longest. */
function recoveryOf({ at, running }: Kill, sessions: readonly Judged[]): number | undefined {
  const waits = running.flatMap((id) => {
    const log = sessions.find(({ sessionId }) => sessionId === id)?.log ?? [];
    const next = log.find((record) => Date.parse(record.at) > at);
    return next === undefined ? [] : [Date.parse(next.at) - at];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function times(values: readonly number[]): Pick<Row, 'measured' | 'compared'> {
  if (values.length === 0) return { measured: 'none' };
  return {
    measured: `p50 ${ms(median(values))}`,
    compared: `p99 ${ms(percentile(values, 0.99))}, max ${ms(percentile(values, 1))}`,
  };
}

function counted(names: readonly string[]): string {
  const unique = [...new Set(names)].sort();
  return unique.map((name) => `${name} ${names.filter((each) => each === name).length}`).join(', ');
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const unique = [...new Set(lines)];
  console.log(`\n${title}`);
  for (const line of unique) console.log(`  ${lines.filter((each) => each === line).length} x ${line}`);
}
