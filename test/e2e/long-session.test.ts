/**
 * A long session over many runs of the workflow: real Temporal, Postgres, workflow, engine activities and log; only the
 * browser is left out, whose part keeps journal, variables and looks as the real one does.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { activityInfo, heartbeat } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { BrowserActivities, RunCommandsInput } from '../../activities/signatures/browser-activities';
import { createEngineActivities } from '../../activities/engine-worker';
import type { Model } from '../../contracts/model-port/port';
import { createPricing } from '../../activities/engine/models/calls/prices';
import { EFFECT_CLASS } from '../../contracts/commands/commands';
import type { LogRecord } from '../../contracts/events/log';
import { BROWSERS_QUEUE, ENGINE_QUEUE, SESSION_WORKFLOW } from '../../contracts/queues';
import type { Store } from '../../store/store';
import { aReply } from '../support/builders';
import { aToolRegistry } from '../support/engine-tools';
import { orderProblems } from '../support/event-order';
import { HOST_QUEUE, WORKER_QUEUE, aLease } from '../support/fake-activities';
import { IS_LONG_RUN } from '../support/long-run';
import { startTestStack, type TestStack } from '../support/stack';
import { quietRuntime } from '../support/workflow-harness';

const STEPS = IS_LONG_RUN ? 100 : 30;
const ITERATIONS = 3;
const BEAT_MS = 300;

let stack: TestStack;
let store: Store;
beforeAll(async () => {
  quietRuntime();
  stack = await startTestStack({ temporalSettings: { 'limit.historyCount.suggestContinueAsNew': '150' } });
  store = await stack.store();
}, 240_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

/** Saves a variable in each step, in three iterations. The size of the past in its requests is measured. */
function aModel(): { model: Model; sizes: number[] } {
  const sizes: number[] = [];
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  const model: Model = {
    assess: () => Promise.reject(new Error('Nothing here calls for an investigation.')),
    turn: () => Promise.reject(new Error('This model is asked for no task.')),
    async decide({ stepIndex, iteration, variables, snapshot: look, memory, earlierSteps: earlier }) {
      sizes.push(JSON.stringify({ memory, earlier }).length);
      // A variable that got lost would be missed here.
      const isComplete = variables.length >= stepIndex;
      const variableName = `step_${stepIndex}`;
      const save = { action: 'SAVE_VARIABLE' as const, parameters: { selector: `#${look.url.length}`, variableName } };
      const scroll = { action: 'SCROLL' as const, parameters: { to: 'down' as const } };
      const isLast = iteration === ITERATIONS - 1;
      const decision = !isComplete ? 'ABORT' : isLast ? 'PROCEED' : 'RETRY';
      return { reply: aReply({ decision, commands: [isLast ? save : scroll] }), usage, model: 'fake' };
    },
  };
  return { model, sizes };
}

/** Beats while it works, as the real one does: a database that is busy is no worker that died. */
async function runCommands(input: RunCommandsInput) {
  heartbeat();
  const beating = setInterval(() => heartbeat(), BEAT_MS);
  try {
    return await keepCommands(input);
  } finally {
    clearInterval(beating);
  }
}

/** Every command succeeds and is journaled; its events are left out. */
async function keepCommands({ sessionId, stepIndex, turn, lease, commands, outbox }: RunCommandsInput) {
  const { runId } = activityInfo().workflowExecution!;
  const { records, patch, stepResults } = outbox;
  await store.log.append(sessionId, records, { guard: { runId }, patch });
  for (const result of stepResults) await store.memory.saveStepResult(sessionId, result);
  for (const [position, { commandId, action, parameters }] of commands.entries()) {
    const pageUrl = 'https://shop.test/';
    const place = { commandId, stepIndex, turn, position, action, parameters, effect: EFFECT_CLASS[action], pageUrl };
    await store.journal.intend(sessionId, { runId }, place, []);
    const { variableName: name } = parameters;
    const variable = name === undefined ? undefined : { name, value: name, source: 'extracted' as const, stepIndex };
    const response = { success: true, commandId, screenshotId: '', duration: 1 };
    await store.journal.finish(sessionId, { runId }, { commandId, status: 'done', response }, [], variable);
  }
  const look = { snapshotId: randomUUID(), url: 'https://shop.test/', title: 'Shop', tabs: [], nodes: [] };
  await store.memory.saveSnapshot(sessionId, {}, look);
  return {
    outcomes: commands.map(({ commandId }) => ({ commandId, status: 'done' as const })),
    isInterrupted: false,
    lease,
    page: { screenshotId: '', url: look.url },
  };
}

test(`${STEPS} steps of three iterations go from run to run without a gap or a lost variable`, async () => {
  const { model, sizes } = aModel();
  const engine = createEngineActivities({
    store,
    ...aToolRegistry(store),
    resolveModel: () => model,
    pricing: createPricing(undefined),
    defaultModel: 'rules',
    hasSearchAttributes: false,
    pauseReleaseMs: 0,
    requestCancel: async () => {},
  });
  // The browser worker of this test decides nothing.
  const activities: typeof engine = {
    ...engine,
    async openSession(input) {
      const opened = await engine.openSession(input);
      return opened && { ...opened, decidesAtBrowser: false };
    },
  };
  const browser: Partial<BrowserActivities> = {
    acquireBrowser: async () => aLease(),
    closeBrowser: async () => {},
    runCommands,
  };
  const connection = await NativeConnection.connect({ address: stack.temporalAddress });
  const codePath = join(__dirname, '..', '..', 'dist', 'workflow-bundle.js');
  const workers = await Promise.all([
    Worker.create({ connection, taskQueue: ENGINE_QUEUE, workflowBundle: { codePath }, activities }),
    ...[BROWSERS_QUEUE, HOST_QUEUE, WORKER_QUEUE].map((taskQueue) =>
      Worker.create({ connection, taskQueue, activities: browser, maxHeartbeatThrottleInterval: BEAT_MS }),
    ),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));
  const own = await Connection.connect({ address: stack.temporalAddress });
  const client = new Client({ connection: own });
  const sessionId = randomUUID();
  const steps = Array.from({ length: STEPS }, (_, index) => `Save the number of step ${index}`);
  const heapBefore = process.memoryUsage().heapUsed;
  const startedAt = performance.now();
  const handle = await client.workflow.start(SESSION_WORKFLOW, {
    workflowId: sessionId,
    taskQueue: ENGINE_QUEUE,
    args: [{ steps, config: { enableReflection: false, timeouts: { workflowTimeoutMs: 1_800_000 } } }],
  });
  expect(await handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: STEPS });
  const seconds = (performance.now() - startedAt) / 1000;

  const log: LogRecord[] = [];
  for (let batch = await store.log.read(sessionId, 0, 1000); batch.length > 0;) {
    log.push(...batch);
    batch = await store.log.read(sessionId, log.length, 1000);
  }
  expect(orderProblems(log)).toEqual([]);
  const replies = log
    .filter(({ type }) => type === 'AI_RESPONSE_RECEIVED')
    .map(({ stepIndex, turn }) => `${stepIndex}.${turn}`);
  expect(replies).toEqual(steps.flatMap((_, step) => [0, 1, 2].map((turn) => `${step}.${turn}`)));
  const variables = await store.variables.ofSession(sessionId);
  expect(variables.map(({ name }) => name).sort()).toEqual(steps.map((_, index) => `step_${index}`).sort());

  const runs: { events: number; bytes: number }[] = [];
  let runId: string | undefined = handle.firstExecutionRunId;
  while (runId !== undefined) {
    const { events }: Awaited<ReturnType<typeof handle.fetchHistory>> = await client.workflow
      .getHandle(sessionId, runId)
      .fetchHistory();
    runs.push({ events: events?.length ?? 0, bytes: JSON.stringify(events).length });
    runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
  }
  expect(runs.length).toBeGreaterThan(2);
  // Neither the model's request nor a run's history grows with the steps that lie behind.
  const perStep = (at: number): number => Math.max(...sizes.slice(at * ITERATIONS, (at + 1) * ITERATIONS));
  expect(perStep(STEPS - 1)).toBeLessThan(perStep(8) * 1.5);
  const [second, last] = [runs[1]!, runs.at(-2)!];
  expect(last.events).toBeLessThan(second.events * 1.5);
  expect(last.bytes).toBeLessThan(second.bytes * 1.5);
  const heapMb = (process.memoryUsage().heapUsed - heapBefore) / 1e6;
  console.info(
    `${STEPS} steps, ${replies.length} iterations in ${seconds.toFixed(1)} s; ${runs.length} runs of ${runs.map(({ events }) => events).join(', ')} events; the past in requests: ${perStep(1)} characters in step 2, ${perStep(8)} in step 9, ${perStep(STEPS - 1)} in the last; heap ${heapMb.toFixed(1)} MB more`,
  );
  for (const worker of workers) worker.shutdown();
  await running;
  await own.close();
  await connection.close();
}, 290_000);
