/** A short run of the chaos bench: the processes of running sessions die at every named point, and its judge looks on. */
import { planFaults, planScenario, type FaultPlan } from '../../bench/chaos/faults/fault-plan';
import { SCENARIOS } from '../../bench/chaos/scenarios';
import { startInsistentModel, type InsistentModel } from '../../bench/chaos/scenarios/insistent-model';
import { verifySession } from '../../bench/chaos/verify/verify-session';
import { startSessionLoad, type WatchedSession } from '../../bench/chaos/load/session-load';
import { DEMO_POINTS } from '../../bench/chaos/faults/fault-points';
import { seededRandom } from '../../bench/chaos/random';
import { FAULTS_BY_FILE, type FaultPoint } from '../../runtime/fault-point';
import { everyNth, IS_LONG_RUN } from '../support/long-run';
import { startWholeStack, type WholeStack } from '../support/whole-stack';

/** Each point once; three times in the long run (`npm run chaos:scenarios`). */
const DEATHS = DEMO_POINTS.length * (IS_LONG_RUN ? 3 : 1);

const WANTED = Array.from({ length: DEATHS }, (_, index) => DEMO_POINTS[index % DEMO_POINTS.length]!);
const DEATHS_OF_A_SESSION = 6;
const SESSIONS_AT_ONCE = 3;
/** Those that are to die in a turn of a task are tasks, whose calls a person approves meanwhile; no others. */
const TASKS = 0;
const ROUNDS = 4;

let stack: WholeStack;
let model: InsistentModel;
beforeAll(async () => {
  model = await startInsistentModel();
  // So low that each session is handed over to a next run of its workflow.
  stack = await startWholeStack(
    { ...FAULTS_BY_FILE, ...model.env },
    { temporalSettings: { 'limit.historyCount.suggestContinueAsNew': '30' } },
  );
}, 120_000);
afterAll(async () => {
  await stack.stop();
  await model.stop();
}, 60_000);

/** Every third scenario once; each with each of its faults in the long run. */
const PLAYED = everyNth(3, SCENARIOS);
const SCENARIO_SESSIONS = PLAYED.length * (IS_LONG_RUN ? Math.max(...SCENARIOS.map(({ faults }) => faults.length)) : 1);

it('what a model tries again while workers, Chrome or the database fail reaches the server once', async () => {
  const { home, engineStore: store, engineTemporal: temporal, client: sessions, shop, api } = stack;
  const ground = { home, store, temporal, sessions, shop, api };
  const died: string[] = [];
  const planned: FaultPlan[] = [];
  const next = (): FaultPlan => planScenario(PLAYED, planned.length);
  // One at a time: a worker that dies in one session may pass the point of another's death before it is counted.
  const load = startSessionLoad(ground, {
    count: 1,
    random: seededRandom(1),
    tasks: TASKS,
    nextFaultPlan: () => (planned.length < SCENARIO_SESSIONS ? planned[planned.push(next()) - 1] : undefined),
    onKill: ({ what }) => died.push(what),
  });
  const judged = [];
  for (const each of await load.finish()) judged.push(await verifySession(ground, each));
  expect(judged.map(({ status, reason, orders, breaches }) => ({ status, reason, orders, breaches }))).toEqual(
    judged.map(() => ({ status: 'COMPLETED', reason: undefined, orders: 1, breaches: [] })),
  );
  expect(died).toHaveLength(planned.flatMap(({ faults }) => faults.split(',')).length);
}, 300_000);

/** So many deaths a session: at different points, as far as there are others. */
function inGroups(points: readonly FaultPoint[]): FaultPoint[][] {
  const groups = Array.from({ length: Math.ceil(points.length / DEATHS_OF_A_SESSION) }, (_, index) =>
    points.slice(index * DEATHS_OF_A_SESSION, (index + 1) * DEATHS_OF_A_SESSION),
  );
  return groups.map((group) => [...new Set(group)]);
}

it(`${DEATHS} deaths at all points, sessions side by side: one order each, seen by every viewer`, async () => {
  const { home, engineStore: store, engineTemporal: temporal, client: sessions, shop, api } = stack;
  const ground = { home, store, temporal, sessions, shop, api };
  const random = seededRandom(1);
  const died: string[] = [];
  const played: WatchedSession[] = [];
  const missing = (): FaultPoint[] => {
    const left = [...died];
    return WANTED.filter((point) => {
      const index = left.indexOf(point);
      if (index !== -1) left.splice(index, 1);
      return index === -1;
    });
  };
  // A session that fails early, with a reason, does not reach all of its points; the next round makes up for it.
  for (let round = 0; round < ROUNDS && missing().length > 0; round += 1) {
    const left = inGroups(missing());
    const lanes = startSessionLoad(ground, {
      count: SESSIONS_AT_ONCE,
      random,
      tasks: TASKS,
      nextFaultPlan: () => {
        const points = left.shift();
        return points && planFaults(points, random);
      },
      onKill: ({ what }) => died.push(what),
    });
    played.push(...(await lanes.finish()));
  }
  const judged = [];
  for (const each of played) judged.push(await verifySession(ground, each));
  expect(judged.flatMap(({ sessionId, breaches }) => breaches.map((breach) => `${sessionId}: ${breach}`))).toEqual([]);
  expect(judged.map(({ duplicatesSeen, eventsMissed }) => duplicatesSeen + eventsMissed)).toEqual(judged.map(() => 0));
  expect(missing()).toEqual([]);
}, 600_000);
