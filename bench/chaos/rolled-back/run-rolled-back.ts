import { setTimeout as sleep } from 'node:timers/promises';
import { SessionStatus } from '../../../contracts/sessions/session';
import { openHarness, SHOP_PASSWORD, type Harness } from '../../harness/harness';
import { printTable } from '../../harness/statistics';
import { between, seededRandom, type Random } from '../random';
import { takeFrozenCopy, type PutBackServer } from './frozen-copy';
import { endOfRound, startRound, type RoundSession } from './watched-round';

/** The name of the scenario on the command line. */
export const ROLLED_BACK_STORE = 'rolled-back-store';

const LEAST_BACK_MS = 500;
const MOST_BACK_MS = 10_000;
/** From the first session's start to the moment that the server is put back to. */
const MOST_BEFORE_MS = 4000;
/** What an error says of a store that was put back. */
const NAMES_THE_LOSS = /was put back|restored to an earlier time/;

export interface Round {
  server: PutBackServer;
  backMs: number;
  /** From the first start to the last end. */
  durationMs: number;
  sessions: RoundSession[];
  breaches: string[];
}

export interface RolledBackOptions {
  rounds: number;
  seed: number;
  /** Sessions of a round. */
  sessions: number;
  /** Put back in turn. */
  servers: readonly PutBackServer[];
}

/** Runs rounds of sessions that place an order each while Postgres, or Temporal, is put back by 0.5 to 10 s under them. */
export async function runRolledBack(options: RolledBackOptions, ending: AbortSignal): Promise<Round[]> {
  const harness = await openHarness({ SHOP_PASSWORD }, { signal: ending });
  try {
    const random = seededRandom(options.seed);
    const rounds: Round[] = [];
    for (let number = 0; number < options.rounds && !ending.aborted; number += 1) {
      const server = options.servers[number % options.servers.length]!;
      const round = await runRound(harness, server, options.sessions, random);
      rounds.push(round);
      console.log(`  round ${number + 1} of ${options.rounds}: ${roundText(round)}`);
    }
    return rounds;
  } finally {
    await harness.stop();
  }
}

async function runRound(harness: Harness, server: PutBackServer, count: number, random: Random): Promise<Round> {
  const backMs = Math.round(between(random, LEAST_BACK_MS, MOST_BACK_MS));
  const beforeMs = between(random, 0, MOST_BEFORE_MS);
  const begun = performance.now();
  const starting = startRound(harness, count, random);
  starting.catch(() => {});
  await sleep(beforeMs);
  const copy = takeFrozenCopy(harness, server);
  await sleep(backMs);
  copy.putBack();
  const runs = await starting;
  const sessions = await Promise.all(runs.map(({ run }) => endOfRound(harness, run)));
  const durationMs = performance.now() - begun;
  return { server, backMs, durationMs, sessions, breaches: sessions.flatMap((session) => breachesOf(session)) };
}

function breachesOf({ sessionId, orders, status, held, reason }: RoundSession): string[] {
  return [
    ...(orders > 1 ? [`${sessionId}: ${orders} orders instead of one`] : []),
    ...(status === 'lost' && held.length === 0
      ? [`${sessionId}: neither ended nor held for a person (${reason})`]
      : []),
    ...(status === SessionStatus.COMPLETED && orders === 0 ? [`${sessionId}: completed without its order`] : []),
    ...(status === SessionStatus.FAILED && !NAMES_THE_LOSS.test(reason ?? '')
      ? [`${sessionId}: failed without naming the loss: ${reason}`]
      : []),
  ];
}

function roundText({ server, backMs, durationMs, sessions, breaches }: Round): string {
  const states = sessions.map(
    ({ status, orders, held }) => `${status} ${orders} order(s)${held.length > 0 ? ' held' : ''}`,
  );
  const breach = breaches.length > 0 ? ` BREACH ${breaches.join('; ')}` : '';
  return `${server} put back by ${seconds(backMs)}: ${states.join(', ')} (${seconds(durationMs)})${breach}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Prints what happened; true without a breach. */
export function reportRolledBack(rounds: readonly Round[], { seed }: Pick<RolledBackOptions, 'seed'>): boolean {
  const sessions = rounds.flatMap((round) => round.sessions);
  const breaches = rounds.flatMap((round) => round.breaches);
  const held = sessions.filter((session) => session.held.length > 0);
  const count = (status: RoundSession['status']): number => sessions.filter((each) => each.status === status).length;
  printTable(`Chaos: seed ${seed}, ${ROLLED_BACK_STORE}`, [
    {
      what: 'put back',
      measured: String(rounds.length),
      compared: `Postgres ${rounds.filter(({ server }) => server === 'postgres').length}, Temporal ${rounds.filter(({ server }) => server === 'temporal').length}`,
    },
    {
      what: 'sessions',
      measured: String(sessions.length),
      compared: `${count(SessionStatus.COMPLETED)} completed, ${count(SessionStatus.FAILED)} failed`,
    },
    { what: 'held for a person', measured: String(held.length) },
    { what: 'orders', measured: String(sessions.reduce((sum, { orders }) => sum + orders, 0)) },
    { what: 'orders too many', measured: String(sessions.filter(({ orders }) => orders > 1).length), goal: '0' },
    { what: 'neither ended nor answered in time', measured: String(count('lost')) },
    { what: 'breaches', measured: String(breaches.length), goal: '0' },
  ]);
  for (const { held: reasons } of held) for (const reason of reasons) console.log(`  held: ${reason}`);
  for (const { status, reason } of sessions) if (status === SessionStatus.FAILED) console.log(`  failed: ${reason}`);
  for (const breach of breaches) console.log(`  breach: ${breach}`);
  return breaches.length === 0;
}
