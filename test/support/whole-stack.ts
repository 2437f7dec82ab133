import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { createSessions } from '../../service/sessions';
import type { Sessions } from '../../service/port/port';
import { isTerminal, type LogRecord } from '../../contracts/events/log';
import { isOpen } from '../../contracts/sessions/session';
import type { StartRequest } from '../../contracts/sessions/start-request';
import type { ProcessSpec } from '../../cli/stack/processes';
import { STOP_ORDER } from '../../cli/stack/supervisor/stop-order';
import type { Store } from '../../store/store';
import { eventually } from './eventually';
import { startTestStack, type TestStack } from './stack';

const DIST = join(__dirname, '..', '..', 'dist');

export const SHOP_PASSWORD = 'lovelace';

/** The real thing: every process of the product, on servers of this test file's own. */
export interface WholeStack extends TestStack {
  client: Sessions;
  engineStore: Store;
  engineTemporal: Client;
  shop: string;
  api: string;
  pidOf(name: string): number;
  /** The whole log of a session, once it has ended; rejects when it has not within the limit. */
  logOf(sessionId: string, limitMs?: number): Promise<LogRecord[]>;
  orders(run: string): Promise<{ number: string }[]>;
}

/** A stand-in for a vendor may be asked as often as a test likes. */

/** For tests in which no worker needs a twin to take over from it: each process costs seconds of a start. */
export const ONE_OF_EACH: WholeStackOptions = { wants: (name) => !name.endsWith('-2') };
/** For tests in which nothing but engine workers dies. */
export const ONE_BROWSER_WORKER: WholeStackOptions = { wants: (name) => name !== 'browser-2' };

interface WholeStackOptions {
  wants?: (name: string) => boolean;
  /** Dynamic config values of its Temporal server. */
  temporalSettings?: Record<string, string>;
  /** As `surefoot dev` does. */
  encryptsPayloads?: boolean;
}

/** The stack of `npm run dev`, on any free ports; of its processes only those that are wanted. */
export async function startWholeStack(
  env: NodeJS.ProcessEnv = {},
  { wants = () => true, temporalSettings = {}, encryptsPayloads = false }: WholeStackOptions = {},
): Promise<WholeStack> {
  const own = processes().filter(({ name }) => wants(name));
  const base = await startTestStack({
    processes: own,
    env: { SHOP_PASSWORD, ...env },
    temporalSettings,
    encryptsPayloads,
  });
  const [engineStore, engineTemporal] = [await base.store(), await base.temporal()];
  const client = createSessions({ store: engineStore, temporal: engineTemporal });
  const shop = base.stack.addresses.shop!;
  return {
    ...base,
    client,
    engineStore,
    engineTemporal,
    shop,
    api: base.stack.addresses.api!,
    pidOf: (name) => base.stack.processes().find((row) => row.name === name)!.pid,
    async logOf(sessionId, limitMs = 120_000) {
      const records: LogRecord[] = [];
      const limit = AbortSignal.timeout(limitMs);
      for await (const batch of client.follow(sessionId, 0, limit)) records.push(...batch);
      const last = records.at(-1);
      if (last === undefined || !isTerminal(last.type))
        throw new Error(`The log of ${sessionId} has not ended within ${limitMs} ms; last: ${last?.type ?? 'none'}`);
      return records;
    },
    async orders(run) {
      const answer = await fetch(`${shop}/admin/orders?run=${run}`);
      return ((await answer.json()) as { orders: { number: string }[] }).orders;
    },
  };
}

function processes(): ProcessSpec[] {
  const entry = (...path: string[]): string => join(DIST, ...path);
  const worker = (name: string, script: string): ProcessSpec => ({
    name,
    script: entry('worker', script),
    stopOrder: STOP_ORDER.worker,
  });
  return [
    { name: 'keeper', script: entry('worker', 'keeper', 'main.js'), stopOrder: STOP_ORDER.keeper },
    worker('engine-1', 'engine-main.js'),
    worker('engine-2', 'engine-main.js'),
    worker('browser-1', 'browser-main.js'),
    worker('browser-2', 'browser-main.js'),
    {
      name: 'api',
      script: entry('api', 'main.js'),
      port: { variable: 'PORT', preferred: 3000 },
      stopOrder: STOP_ORDER.api,
    },
    {
      name: 'shop',
      script: entry('examples', 'shop', 'main.js'),
      port: { variable: 'SHOP_PORT', preferred: 4000 },
      stopOrder: STOP_ORDER.shop,
    },
  ];
}

/** Which of the demo's commands places the order, counted from 1. */
export const COMMIT_OF_DEMO = 18;

/** The demo session against this stack's shop; `run` labels its orders so that tests can count them. */
export function demoWithPictures(stack: WholeStack, run: string): StartRequest {
  const request = JSON.parse(
    readFileSync(join(__dirname, '..', '..', 'examples', 'demo-session.json'), 'utf8'),
  ) as StartRequest;
  const [first, ...rest] = request.steps as string[];
  return { ...request, steps: [`${first}?run=${run}`, ...rest], variables: { ...request.variables, shop: stack.shop } };
}

/** For tests that are not about pictures, which cost more than all the rest. */
export function demoRequest(stack: WholeStack, run: string): StartRequest {
  return { ...demoWithPictures(stack, run), config: { executorConfig: { screenshotsEnabled: false } } };
}

/** Waits until the log holds a record that fits, and resolves to it. */
export async function recordOf(
  stack: WholeStack,
  sessionId: string,
  what: string,
  fits: (record: LogRecord) => boolean,
): Promise<LogRecord> {
  let seen = 0;
  const found = eventually(`${what} in the log of ${sessionId}`, async () => {
    const records = await stack.client.events(sessionId, seen, 1000);
    seen = records.at(-1)?.seq ?? seen;
    return records.find(fits);
  });
  return await orEndOfLog(stack, sessionId, found);
}

/** The status with which it ended; rejects with the last of its log when it has not within the limit. */
export async function endOf(stack: WholeStack, sessionId: string, limitMs = 120_000): Promise<string> {
  const ended = eventually(
    `the end of ${sessionId}`,
    async () => {
      const { session } = await stack.client.get(sessionId);
      return isOpen(session.status) ? undefined : session.status;
    },
    limitMs,
  );
  return await orEndOfLog(stack, sessionId, ended);
}

/** Rejects as the work does, with the end of the session's log. */
export async function orEndOfLog<T>(stack: WholeStack, sessionId: string, work: Promise<T>): Promise<T> {
  return await work.catch(async (cause: Error) => {
    const log = await stack.client.events(sessionId, 0, 1000).catch(() => []);
    throw new Error(`${cause.message}; its log ends with\n${endOfLog(log)}`, { cause });
  });
}

function endOfLog(log: readonly LogRecord[]): string {
  const last = log
    .slice(-8)
    .map(({ seq, at, type, stepIndex, data }) => JSON.stringify({ seq, at, type, stepIndex, data }));
  return last.join('\n');
}
