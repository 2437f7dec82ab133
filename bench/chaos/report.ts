import { SessionStatus } from '../../contracts/sessions/session';
import { median, ms, percentile, printTable, type Row } from '../harness/statistics';
import type { Outcome } from './outcome';
import { BY_CHECK } from './verify/verify-session';

type Session = Outcome['sessions'][number];

/** Prints the table and the lists; returns true without breaches. */
export function report(outcome: Outcome): boolean {
  const { title, sessions, missing, leftovers } = outcome;
  const breaches = [
    ...sessions.flatMap(({ sessionId, breaches: list }) => list.map((text) => `${sessionId}: ${text}`)),
    ...missing.map((name) => `${name} was killed and did not become ready again`),
    ...leftovers.map((text) => `left over: ${text}`),
  ];
  const unknowns = sessions.flatMap((session) => session.unknowns);
  printTable(title, [
    ...runRows(outcome),
    ...waitRows(outcome),
    ...bookRows(outcome),
    ...recipeRows(outcome),
    { what: 'unknown outcomes', measured: String(unknowns.length) },
    ...checkRows(unknowns),
    { what: 'left over', measured: String(leftovers.length), goal: '0' },
    { what: 'breaches', measured: String(breaches.length), goal: '0' },
  ]);
  const failed = sessions.filter(({ status }) => status !== SessionStatus.COMPLETED);
  list(
    'Sessions that failed',
    failed.map(({ reason, orders }) => `${orders} orders; ${reason}`),
  );
  list('Unknown outcomes', unknowns);
  list('Breaches', breaches);
  return breaches.length === 0;
}

function runRows({ kills, sessions, naive, tookMs }: Outcome): Row[] {
  const completed = sessions.filter(({ status }) => status === SessionStatus.COMPLETED).length;
  const tasks = sessions.filter(({ form }) => form === 'task');
  const minutes = tookMs / 60_000;
  return [
    { what: 'kills', measured: String(kills.length), compared: counted(kills.map(({ what }) => what)) },
    {
      what: 'duration',
      measured: `${minutes.toFixed(1)} min`,
      compared: `${(kills.length / minutes).toFixed(1)} kills a minute`,
    },
    {
      what: 'sessions',
      measured: `${completed} completed, ${sessions.length - completed} failed`,
      compared: naiveText(naive, `${naive.filter(({ isCompleted }) => isCompleted).length} completed`),
    },
    {
      what: '  of them tasks',
      measured: `${tasks.filter(({ status }) => status === SessionStatus.COMPLETED).length} completed, ${tasks.filter(({ status }) => status !== SessionStatus.COMPLETED).length} failed`,
      compared: `${tasks.reduce((sum, { approvals }) => sum + approvals, 0)} approvals decided`,
    },
  ];
}

function waitRows({ kills }: Outcome): Row[] {
  const defined = (values: (number | undefined)[]): number[] => values.filter((value) => value !== undefined);
  const whats = [...new Set(kills.map(({ what }) => what))].sort();
  const back = defined(kills.map(({ backAfterMs }) => backAfterMs));
  return [
    { what: 'kill to the next command', ...times(defined(kills.map((kill) => kill.toCommandMs))) },
    ...whats.map((what) => ({
      what: `  ${what}`,
      ...times(defined(kills.filter((kill) => kill.what === what).map((kill) => kill.toCommandMs))),
      ...(what === 'worker' ? { goal: 'p50 <= 2500 ms' } : {}),
    })),
    { what: 'kill of a Chrome to its page restored', ...times(defined(kills.map((kill) => kill.toRestoredMs))) },
    { what: 'kill to the process ready again', ...times(back) },
  ].filter(({ measured }) => measured !== 'none');
}

function bookRows({ sessions, naive, viewers, connections }: Outcome): Row[] {
  const sum = (of: (session: Session) => number): string =>
    String(sessions.reduce((total, each) => total + of(each), 0));
  const tooMany = naive.reduce((total, { orders }) => total + Math.max(0, orders - 1), 0);
  const lost = naive.filter(({ orders }) => orders === 0).length;
  return [
    { what: 'orders', measured: sum(({ orders }) => orders) },
    {
      what: 'orders too many',
      measured: sum(({ orders }) => Math.max(0, orders - 1)),
      compared: naiveText(naive, String(tooMany)),
      goal: '0',
    },
    {
      what: 'orders lost (completed without one)',
      measured: sum(({ orders, status }) => (orders === 0 && status === SessionStatus.COMPLETED ? 1 : 0)),
      compared: naiveText(naive, String(lost)),
      goal: '0',
    },
    {
      what: 'events duplicated at a viewer',
      measured: sum(({ duplicatesSeen }) => duplicatesSeen),
      compared: `${viewers} viewers, ${connections} connections`,
      goal: '0',
    },
    { what: 'events missed by a viewer', measured: sum(({ eventsMissed }) => eventsMissed), goal: '0' },
  ];
}

function checkRows(unknowns: readonly string[]): Row[] {
  const byCheck = unknowns.filter((text) => text.includes(BY_CHECK)).length;
  const share = `${Math.round((100 * byCheck) / unknowns.length)} %`;
  return byCheck === 0
    ? []
    : [{ what: '  resolved by a check', measured: String(byCheck), compared: share, goal: '>= 95 %' }];
}

function recipeRows({ sessions }: Outcome): Row[] {
  const outcomes = sessions.flatMap(({ recipes }) => recipes);
  return outcomes.length === 0
    ? []
    : [{ what: 'steps that had a recipe', measured: String(outcomes.length), compared: counted(outcomes) }];
}

function naiveText(naive: Outcome['naive'], text: string): string {
  return naive.length === 0 ? '' : `naive engine: ${text} of ${naive.length}`;
}

function times(values: readonly number[]): { measured: string; compared?: string } {
  if (values.length === 0) return { measured: 'none' };
  return {
    measured: `p50 ${ms(median(values))}`,
    compared: `p99 ${ms(percentile(values, 0.99))}, max ${ms(percentile(values, 1))}, of ${values.length}`,
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
