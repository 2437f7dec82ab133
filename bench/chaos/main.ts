import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultProcesses } from '../../local/processes';
import { FAULTS_BY_FILE, type FaultPoint } from '../../runtime/fault-point';
import { NAIVE_BUNDLE_VARIABLE } from '../naive/queue';
import { openStage, type Stage } from '../stage';
import { assaultAt } from './assault';
import { judge } from './judge';
import { killNaive, makeKills, type Kill } from './kills';
import { openLanes, type Played } from './lanes';
import { leftoversOf, remainsOf } from './leftovers';
import { bundleNaive, naiveProcesses, openNaiveLanes } from './naive-lanes';
import { readOptions, UsageError, type ChaosOptions } from './options';
import { OutcomeSchema, sumOutcomes, writeOutcome, type Outcome } from './outcome';
import { seededRandom, type Random } from './random';
import { report } from './report';
import { waitsOf } from './waits';

/** What the demo session signs in with. */
const SHOP_PASSWORD = 'lovelace';
/** So low that every session is handed over to a next run of its workflow now and then. */
const TEMPORAL_SETTINGS = { 'limit.historyCount.suggestContinueAsNew': '60' };

/** Kills processes under running sessions and compares, at the end, everything that was counted. */
async function runChaos(options: ChaosOptions): Promise<Outcome> {
  const { seed, targets, sessions: count, points, naive: naiveCount } = options;
  const random = seededRandom(seed);
  const scratch = mkdtempSync(join(tmpdir(), 'surefoot-chaos-'));
  const temporary = join(scratch, 'temporary');
  mkdirSync(temporary);
  // The database server runs as a user of its own when this runs as root.
  for (const folder of [scratch, temporary]) chmodSync(folder, 0o777);
  const bundle = join(scratch, 'naive.js');
  if (naiveCount > 0) await bundleNaive(bundle);
  const stage = await openStage(
    {
      SHOP_PASSWORD,
      TMPDIR: temporary,
      [NAIVE_BUNDLE_VARIABLE]: bundle,
      ...(points === undefined ? {} : FAULTS_BY_FILE),
    },
    {
      processes: [...defaultProcesses(), ...(naiveCount > 0 ? naiveProcesses(scratch) : [])],
      temporalSettings: TEMPORAL_SETTINGS,
    },
  );
  try {
    const startedAt = Date.now();
    const naive = openNaiveLanes(stage, naiveCount);
    const { kills, played } = await (points === undefined
      ? killAtRandom(stage, options, random)
      : killAtPoints(stage, options, points, random));
    const tookMs = Date.now() - startedAt;
    const naivePlayed = await naive.finish();
    const leftovers = await leftoversOf(stage, played);
    const sessions = [];
    for (const each of played) sessions.push(await judge(stage, each));
    await stage.stop(() => leftovers.push(...remainsOf(stage.home)));
    leftovers.push(...readdirSync(temporary).map((name) => `in the temporary folder: ${name}`));
    const logs = new Map(sessions.map(({ sessionId, log }) => [sessionId, log]));
    const viewings = played.flatMap((each) => each.viewings);
    return {
      title: `Chaos: seed ${seed}, ${points === undefined ? targets.join(', ') : `at ${points.join(', ')}`}, ${count} sessions at a time`,
      tookMs,
      kills: kills.map((kill) => ({ what: kill.what, backAfterMs: kill.backAfterMs, ...waitsOf(kill, logs) })),
      sessions: OutcomeSchema.shape.sessions.parse(sessions),
      naive: naivePlayed,
      viewers: viewings.length,
      connections: viewings.reduce((sum, { connections }) => sum + connections, 0),
      leftovers,
    };
  } finally {
    await stage.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Fought {
  kills: Kill[];
  played: Played[];
}

async function killAtRandom(stage: Stage, options: ChaosOptions, random: Random): Promise<Fought> {
  const lanes = openLanes(stage, { count: options.sessions, random });
  const kills = await makeKills(stage, lanes, options, random, ({ what }, number) =>
    console.log(`  kill ${number} of ${options.kills}: ${what}`),
  );
  return { kills, played: await lanes.finish('stop') };
}

/** Each session has its own point and dies there; the sessions beside it have to live with that. */
async function killAtPoints(
  stage: Stage,
  { kills: wanted, sessions: count }: ChaosOptions,
  points: readonly FaultPoint[],
  random: Random,
): Promise<Fought> {
  const kills: Kill[] = [];
  let turn = 0;
  const lanes = openLanes(stage, {
    count,
    random,
    nextAssault: () => (kills.length < wanted ? assaultAt([points[turn++ % points.length]!], random) : undefined),
    onKill: ({ sessionId, what, at }) => {
      kills.push({ at, what, affected: [sessionId] });
      killNaive(stage, `naive-${1 + (kills.length % 2)}`);
      console.log(`  kill ${kills.length} of ${wanted}: ${what}`);
    },
  });
  return { played: await lanes.finish(), kills };
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if ('sum' in options) return report(sumOutcomes(options.sum)) ? 0 : 1;
  const outcome = await runChaos(options);
  if (options.json !== undefined) writeOutcome(options.json, outcome);
  return report(outcome) ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof UsageError ? error.message : error);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
