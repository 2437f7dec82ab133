import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogRecord } from '../../contracts/events/log';
import { SessionStatus } from '../../contracts/sessions/session';
import { defaultProcesses } from '../../cli/stack/processes';
import { FAULTS_BY_FILE } from '../../runtime/fault-point';
import { NAIVE_BUNDLE_VARIABLE } from '../naive/queue';
import { openHarness, SHOP_PASSWORD, type Harness } from '../harness/harness';
import { planFaults, planScenario, type FaultPlan } from './faults/fault-plan';
import { verifySession, type VerifiedSession } from './verify/verify-session';
import { killNaive, killAtRandomMoments, type Kill } from './faults/random-kills';
import { startSessionLoad, type WatchedSession } from './load/session-load';
import { findLeftovers, findRemains } from './verify/leftovers';
import { learnDemo, REPLAY_ENV, type ReplayedDemo } from './load/replayed-demo';
import { bundleNaive, naiveProcesses, startNaiveLoad } from './load/naive-load';
import { startInsistentModel } from './scenarios/insistent-model';
import type { ChaosOptions } from './options';
import { OutcomeSchema, type Outcome } from './outcome';
import { seededRandom, type Random } from './random';
import { recoveryTimes } from './verify/recovery-times';

/** So low that every session continues as new several times. */
const TEMPORAL_SETTINGS = { 'limit.historyCount.suggestContinueAsNew': '30' };

/**
 * Kills processes under running sessions, then verifies log, journal, orders and viewers. Rejects when `ending` aborts;
 * in both cases everything it started is ended and removed.
 */
export async function runChaos(options: ChaosOptions, ending: AbortSignal): Promise<Outcome> {
  const { seed, points, scenarios, isReplay, naive: naiveCount } = options;
  const scratch = mkdtempSync(join(tmpdir(), 'surefoot-chaos-'));
  try {
    const temporary = join(scratch, 'temporary');
    mkdirSync(temporary);
    // The database server runs as another user when this process runs as root.
    for (const folder of [scratch, temporary]) chmodSync(folder, 0o777);
    const bundle = join(scratch, 'naive.js');
    if (naiveCount > 0) await bundleNaive(bundle);
    const model = scenarios === undefined ? undefined : await startInsistentModel();
    const harness = await openHarness(
      {
        SHOP_PASSWORD,
        TMPDIR: temporary,
        [NAIVE_BUNDLE_VARIABLE]: bundle,
        ...(points === undefined && scenarios === undefined ? {} : FAULTS_BY_FILE),
        ...model?.env,
        ...(isReplay ? REPLAY_ENV : {}),
      },
      {
        processes: [...defaultProcesses(), ...(naiveCount > 0 ? naiveProcesses(scratch) : [])],
        temporalSettings: TEMPORAL_SETTINGS,
        signal: ending,
      },
    );
    try {
      const injecting = injectFaults(harness, options, seededRandom(seed), ending);
      return await rejectOnAbort(
        injecting.then((run) => verifyRun(harness, options, run, temporary)),
        ending,
      );
    } finally {
      await harness.stop();
      await model?.stop();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Rejects at the abort. The work itself is not awaited: its stack stops and this process ends. */
async function rejectOnAbort<T>(work: Promise<T>, ending: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    ending.addEventListener('abort', () => reject(ending.reason), { once: true });
    if (ending.aborted) reject(ending.reason);
    work.then(resolve, reject);
  });
}

interface FaultRun {
  kills: Kill[];
  watched: WatchedSession[];
  naive: Outcome['naive'];
  tookMs: number;
}

async function injectFaults(
  harness: Harness,
  options: ChaosOptions,
  random: Random,
  ending: AbortSignal,
): Promise<FaultRun> {
  const { points, scenarios, isReplay, naive: naiveCount } = options;
  const replayed = isReplay ? await learnDemo(harness) : undefined;
  const startedAt = Date.now();
  const naive = startNaiveLoad(harness, naiveCount);
  const planOf =
    scenarios === undefined
      ? points && ((nth: number) => planFaults([points[nth % points.length]!], random))
      : (nth: number) => planScenario(scenarios, nth);
  const run = await (planOf === undefined
    ? killAtRandom(harness, options, replayed, random, ending)
    : killAtPoints(harness, options, planOf, replayed, random));
  return { ...run, tookMs: Date.now() - startedAt, naive: await naive.finish() };
}

async function verifyRun(
  harness: Harness,
  { seed, targets, points, scenarios, isReplay, sessions: concurrent }: ChaosOptions,
  { kills, watched, naive, tookMs }: FaultRun,
  temporary: string,
): Promise<Outcome> {
  const leftovers = await findLeftovers(harness, watched);
  const sessions = [];
  for (const each of watched) sessions.push(await verifySession(harness, each));
  await harness.stop(() => leftovers.push(...findRemains(harness.home)));
  leftovers.push(...readdirSync(temporary).map((name) => `in the temporary folder: ${name}`));
  const logs = new Map(sessions.map(({ sessionId, log }) => [sessionId, log]));
  const viewings = watched.flatMap((each) => each.viewings);
  const atPoints = points === undefined ? targets.join(', ') : `at ${points.join(', ')}`;
  const what = scenarios?.map(({ name }) => name).join(', ') ?? atPoints;
  return {
    title: `Chaos: seed ${seed}, ${what}, ${concurrent} sessions at a time${isReplay ? ', by recipe' : ''}`,
    tookMs,
    kills: kills.map((kill) => ({ what: kill.what, backAfterMs: kill.backAfterMs, ...recoveryTimes(kill, logs) })),
    sessions: OutcomeSchema.shape.sessions.parse(sessions.map(withoutGoodLog)),
    naive,
    viewers: viewings.length,
    connections: viewings.reduce((sum, { connections }) => sum + connections, 0),
    missing: kills.flatMap(({ missing }) => missing ?? []),
    leftovers,
  };
}

function withoutGoodLog({ log, ...verified }: VerifiedSession): Omit<VerifiedSession, 'log'> & { log?: LogRecord[] } {
  const isGood = verified.status === SessionStatus.COMPLETED && verified.breaches.length === 0;
  return isGood ? verified : { ...verified, log };
}

async function killAtRandom(
  harness: Harness,
  options: ChaosOptions,
  replayed: ReplayedDemo | undefined,
  random: Random,
  ending: AbortSignal,
): Promise<Pick<FaultRun, 'kills' | 'watched'>> {
  const load = startSessionLoad(harness, { count: options.sessions, random, tasks: options.tasks, replayed });
  const report = ({ what }: Kill, number: number): void => console.log(`  kill ${number} of ${options.kills}: ${what}`);
  const kills = await killAtRandomMoments(harness, load, options, random, report, ending);
  return { kills, watched: await load.finish('stop') };
}

/** Kills each session's process at a fault point of its own, while other sessions run. */
async function killAtPoints(
  harness: Harness,
  { kills: wanted, sessions: count, tasks }: ChaosOptions,
  planOf: (nth: number) => FaultPlan,
  replayed: ReplayedDemo | undefined,
  random: Random,
): Promise<Pick<FaultRun, 'kills' | 'watched'>> {
  const kills: Kill[] = [];
  let turn = 0;
  const load = startSessionLoad(harness, {
    count,
    random,
    tasks,
    replayed,
    nextFaultPlan: () => (kills.length < wanted ? planOf(turn++) : undefined),
    onKill: ({ sessionId, what, at }) => {
      kills.push({ at, what, affected: [sessionId] });
      killNaive(harness, `naive-${1 + (kills.length % 2)}`);
      console.log(`  kill ${kills.length} of ${wanted}: ${what}`);
    },
  });
  return { watched: await load.finish(), kills };
}
