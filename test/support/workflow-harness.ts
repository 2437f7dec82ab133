import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import type { StandardError } from '../../contracts/errors/standard-error';
import { BROWSERS_QUEUE, ENGINE_QUEUE, SESSION_WORKFLOW } from '../../contracts/queues';
import { isForcedShutdown } from '../../client/agent/tools/tool-worker';
import type { RecoverSessionInput } from '../../activities/signatures/recovery-activities';
import { eventually } from './eventually';
import { createFakeRecovery } from './fake-recovery';
import { startTestStack, type TestStack } from './stack';
import { SYSTEM_VERSION_TEXT } from '../../contracts/modules/version';
import {
  CLIENT_QUEUE,
  createFakeActivities,
  HOST_QUEUE,
  WORKER_QUEUE,
  type Script,
  type Seen,
} from './fake-activities';

/** The real workflows on a real Temporal server; only the activities are fakes. */
export interface WorkflowHarness {
  client: Client;
  start(input: unknown, script: Script, options?: StartOptions): Promise<Session>;
  /** Ends the engine worker of one build; those of the others go on. */
  stopBuild(buildId: string): Promise<void>;
  stop(): Promise<void>;
}

interface StartOptions {
  workflowId?: string;
  /** Commits that the database says to have forgotten, once the session has it recovered. */
  forgotten?: string[];
}

export interface Session {
  workflowId: string;
  /** What the session had written again. */
  recovered: RecoverSessionInput[];
  handle: WorkflowHandle;
  seen: Seen;
  /** Event types that the workflow published, in order. */
  types(): string[];
  /** Waits until the workflow has published an event of this type, with this message if given. */
  published(type: string, message?: string): Promise<void>;
  /** The error that the session failed with; throws when it did not fail. */
  failure(): Promise<StandardError>;
  /** With RECORD_HISTORIES=1: keeps the history of this session for test/replay. Call it when the session has ended. */
  keepHistory(name: string): Promise<void>;
  /** Types of the events in the Temporal history, e.g. ACTIVITY_TASK_SCHEDULED. */
  history(): Promise<string[]>;
  /** How many events the history has between two starts of an activity, without tasks of a late machine. */
  eventsBetween(activity: string, starts: { from: number; to: number }): Promise<number>;
  /** Summaries of the timers that have fired. */
  firedTimers(): Promise<string[]>;
}

interface HarnessOptions {
  /** One engine worker of each, as versions of one deployment; its identity is its build. */
  builds?: readonly string[];
  /**
   * Ten seconds instead of the engine's one until a fake that is late counts as dead, where that is not what is proved:
   * a busy machine is late for one.
   */
  isPatient?: boolean;
}

/** Built by the global set-up. */
const BUNDLE = join(__dirname, '..', '..', 'dist', 'workflow-bundle.js');

/** The deployment that the builds of a harness are versions of. */
export const DEPLOYMENT = 'surefoot';

export const HISTORIES = join(__dirname, '..', 'replay', 'histories');

let isInstalled = false;
/** Before anything else of the native runtime in a test file. */
export function quietRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
    shutdownSignals: [],
  });
}

/** A stack and a harness on it for all tests of the calling file; also one that could not be stopped whole leaves no stack. */
export function useWorkflowHarness(options: HarnessOptions = {}): WorkflowHarness {
  let stack: TestStack;
  let harness: WorkflowHarness;
  beforeAll(async () => {
    stack = await startTestStack({ parts: ['temporal'] });
    harness = await startWorkflowHarness(stack.temporalAddress, options);
  }, 180_000);
  afterAll(async () => {
    try {
      await harness.stop();
    } finally {
      await stack.stop();
    }
  });
  return {
    get client() {
      return harness.client;
    },
    start: (input, script, options) => harness.start(input, script, options),
    stopBuild: (buildId) => harness.stopBuild(buildId),
    stop: () => harness.stop(),
  };
}

export async function startWorkflowHarness(
  temporalAddress: string,
  { builds = [], isPatient = true }: HarnessOptions = {},
): Promise<WorkflowHarness> {
  quietRuntime();
  const code = bundleOf(isPatient);
  const connection = await Connection.connect({ address: temporalAddress });
  const native = await NativeConnection.connect({ address: temporalAddress });
  const client = new Client({ connection, identity: 'test' });
  const fakes = createFakeActivities((workflowId) => client.workflow.getHandle(workflowId).cancel());
  const recovery = createFakeRecovery();
  const common = {
    connection: native,
    identity: 'test',
    maxHeartbeatThrottleInterval: '100 milliseconds',
    shutdownGraceTime: '500 milliseconds',
    shutdownForceTime: '5 seconds',
  } as const;
  const engine = (version: WorkerOptions['workerDeploymentOptions'], identity: string): Promise<Worker> =>
    Worker.create({
      ...common,
      identity,
      taskQueue: ENGINE_QUEUE,
      workflowBundle: { code },
      activities: { ...fakes.engine, ...fakes.parallel, ...recovery.activities },
      // A build that was stopped is given up soon; a worker that is only late is not.
      stickyQueueScheduleToStartTimeout: builds.length > 0 ? '300 milliseconds' : '3 seconds',
      ...(version === undefined ? {} : { workerDeploymentOptions: version }),
    });
  const engines = new Map<string, Worker>();
  for (const buildId of builds) {
    const version = { deploymentName: DEPLOYMENT, buildId };
    const options = { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } as const;
    engines.set(buildId, await engine(options, buildId));
  }
  if (builds.length === 0) engines.set('test', await engine(undefined, 'test'));
  const browsers = await Promise.all(
    [BROWSERS_QUEUE, HOST_QUEUE, WORKER_QUEUE].map((taskQueue) =>
      Worker.create({ ...common, taskQueue, activities: fakes.browser }),
    ),
  );
  browsers.push(await Worker.create({ ...common, taskQueue: CLIENT_QUEUE, activities: fakes.client }));
  const workers = [...engines.values(), ...browsers];
  const runs = new Map(workers.map((worker) => [worker, runToItsEnd(worker)]));
  const running = Promise.all(runs.values());
  running.catch(() => {});

  return {
    client,
    async start(input, script, options = {}) {
      const workflowId = options.workflowId ?? randomUUID();
      const seen = fakes.script(workflowId, script);
      recovery.forgets(workflowId, options.forgotten ?? []);
      const args = input === undefined ? [] : [input];
      const handle = await client.workflow.start(SESSION_WORKFLOW, { workflowId, taskQueue: ENGINE_QUEUE, args });
      return {
        workflowId,
        recovered: recovery.of(workflowId),
        handle,
        seen,
        types: () => seen.log.map((record) => record.type),
        async published(type, message) {
          await eventually(`${type} ${message ?? ''} is published`, () =>
            seen.log.some((record) => record.type === type && (message ?? record.data.message) === record.data.message),
          );
        },
        async failure() {
          const cause = await handle.result().then(
            (value) => new Error(`The session was expected to fail, but ended with ${JSON.stringify(value)}.`),
            (error: unknown) => (error instanceof WorkflowFailedError ? error.cause : error),
          );
          const error = (cause as ApplicationFailure).details?.[0] as StandardError | undefined;
          if (error === undefined) throw cause;
          return error;
        },
        async keepHistory(name) {
          if (process.env['RECORD_HISTORIES'] !== '1') return;
          const json: unknown = JSON.parse(historyToJSON(await handle.fetchHistory()));
          // Stack traces name the folder of the machine that recorded.
          const text = JSON.stringify(json, (key, value: unknown) => (key === 'stackTrace' ? '' : value));
          writeFileSync(join(HISTORIES, `v${SYSTEM_VERSION_TEXT}-${name}.json`), `${text}\n`);
        },
        async history() {
          const { events } = await handle.fetchHistory();
          return (events ?? []).map((event) => EVENT_TYPES[Number(event.eventType)] ?? String(event.eventType));
        },
        async eventsBetween(activity, { from, to }) {
          const { events } = await handle.fetchHistory();
          const starts = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }, index) =>
            scheduled?.activityType?.name === activity ? [index] : [],
          );
          return lengthOf((events ?? []).slice(starts[from - 1], starts[to - 1]));
        },
        async firedTimers() {
          const { events } = await handle.fetchHistory();
          const summaries = new Map(
            (events ?? []).map(({ eventId, userMetadata }) => [
              String(eventId),
              JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString() || '""') as string,
            ]),
          );
          return (events ?? [])
            .flatMap((event) => event.timerFiredEventAttributes ?? [])
            .map(({ startedEventId }) => summaries.get(String(startedEventId)) ?? '');
        },
      };
    },
    async stopBuild(buildId) {
      const worker = engines.get(buildId)!;
      worker.shutdown();
      await runs.get(worker);
    },
    async stop() {
      fakes.stop();
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
      await connection.close();
      await native.close();
    },
  };
}

/** The workflows as they are built, or with more time for activities to beat and to be picked up. */
function bundleOf(isPatient: boolean): string {
  if (!existsSync(BUNDLE)) throw new Error(`There is no workflow bundle at ${BUNDLE}; run \`npm run build\` first.`);
  const built = readFileSync(BUNDLE, 'utf8');
  // What is recorded is what the engine does.
  if (!isPatient || process.env['RECORD_HISTORIES'] === '1') return built;
  return ['RULES_HEARTBEAT_MS', 'HEARTBEAT_MS', 'WORKER_PICKUP_MS'].reduce((code, name) => {
    const [before, after, ...more] = code.split(`const ${name} = 1000;`);
    if (after === undefined || more.length > 0)
      throw new Error(`Expected one ${name} of a second in ${BUNDLE}; bring this in line with activity-limits.ts.`);
    return `${before}const ${name} = 10_000;${after}`;
  }, built);
}

/** On a busy machine a worker is stopped by force. */
async function runToItsEnd(worker: Worker): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    if (!isForcedShutdown(error)) throw error;
  }
}

/** The length of a history but for the workflow tasks that led to nothing: a late machine adds some of those. */
function lengthOf(events: readonly object[]): number {
  const others = events.filter((event) => !Object.keys(event).some((name) => name.startsWith('workflowTask')));
  const ledOn = others.flatMap((event) =>
    Object.values(event).flatMap((value: { workflowTaskCompletedEventId?: unknown } | null) =>
      value?.workflowTaskCompletedEventId ? [Number(value.workflowTaskCompletedEventId)] : [],
    ),
  );
  return others.length + 3 * new Set(ledOn).size;
}

/** Temporal's numbers of the event types that tests look at (temporal.api.enums.v1.EventType). */
const EVENT_TYPES: Record<number, string> = {
  5: 'WORKFLOW_TASK_SCHEDULED',
  6: 'WORKFLOW_TASK_STARTED',
  7: 'WORKFLOW_TASK_COMPLETED',
  8: 'WORKFLOW_TASK_TIMED_OUT',
  9: 'WORKFLOW_TASK_FAILED',
  10: 'ACTIVITY_TASK_SCHEDULED',
  17: 'TIMER_STARTED',
  18: 'TIMER_FIRED',
  19: 'TIMER_CANCELED',
};
