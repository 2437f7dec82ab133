import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { activityInfo } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { RelayCallInput } from '../../activities/signatures/relay-activities';
import { activity } from '../../activities/activity/activity';
import { relayCall } from '../../activities/relay';
import type { RelayCallOutput } from '../../contracts/relay/relay-call';
import { ENGINE_QUEUE } from '../../contracts/queues';
import type { Store } from '../../store/store';
import { aPlan } from './builders';
import { eventually } from './eventually';
import { relayProbe } from './relay-workflow';
import { startTestStack, type TestStack } from './stack';
import { quietRuntime } from './workflow-harness';

/** An API process of its own. */
export interface ApiProcess {
  url: string;
  /** What it has written so far. */
  output(): string;
  kill(): Promise<void>;
}

/** Real servers, real API processes, and a worker whose workflow calls tools over the relay. */
export interface RelayStage {
  stack: TestStack;
  store: Store;
  startApi(env?: NodeJS.ProcessEnv): Promise<ApiProcess>;
  /** A browser session, and the token that its browser has. */
  pair(api: ApiProcess, body?: object): Promise<{ browserSessionId: string; sessionToken: string }>;
  aSession(): Promise<string>;
  /** Has a workflow make these calls in turn; each is of `sessionId`. */
  begin(
    sessionId: string,
    calls: ProbeCall[],
  ): Promise<{ result(): Promise<RelayCallOutput[]>; cancel(): Promise<void> }>;
  stop(): Promise<void>;
}

export type ProbeCall = Omit<RelayCallInput, 'sessionId'>;

export async function startRelayStage(): Promise<RelayStage> {
  quietRuntime();
  const stack = await startTestStack();
  const [store, client] = [await stack.store(), await stack.temporal()];
  const native = await NativeConnection.connect({ address: stack.temporalAddress });
  const worker = await Worker.create({
    connection: native,
    taskQueue: ENGINE_QUEUE,
    workflowsPath: require.resolve('./relay-workflow'),
    activities: {
      relayCall: activity('TL004', 'executor', (input: RelayCallInput, call) => relayCall({ store }, input, call)),
      claim: async (sessionId: string) => {
        await store.sessions.assignRun(sessionId, activityInfo().workflowExecution!.runId, undefined);
      },
    },
  });
  const running = worker.run();
  const children = new Set<ChildProcess>();

  async function startApi(env: NodeJS.ProcessEnv = {}): Promise<ApiProcess> {
    const readyFile = join(stack.home, `api-${randomUUID()}.ready`);
    const child = spawn(process.execPath, [join(__dirname, '..', '..', 'dist', 'api', 'main.js')], {
      env: {
        ...process.env,
        DATABASE_URL: stack.databaseUrl,
        TEMPORAL_ADDRESS: stack.temporalAddress,
        SUREFOOT_HOME: stack.home,
        SUREFOOT_READY_FILE: readyFile,
        LOG_LEVEL: 'warn',
        HOST: '',
        PORT: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    children.add(child);
    // Whatever fails after it fails for no reason of its own.
    child.once('close', (code, signal) => {
      if (children.has(child)) process.stderr.write(`An API process ended by itself (${signal ?? code}):\n${output}\n`);
    });
    await eventually('the API is ready', () => existsSync(readyFile));
    const { address } = JSON.parse(readFileSync(readyFile, 'utf8')) as { address: string };
    return { url: address, output: () => output, kill: () => end(child) };
  }

  async function end(child: ChildProcess): Promise<void> {
    children.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  return {
    stack,
    store,
    startApi,
    async pair({ url }, body = {}) {
      const { pairing_token } = await postTo(`${url}/v1/browser-sessions/pair`, body);
      const registered = await postTo(`${url}/v1/browser-sessions/register`, { pairing_token });
      return { browserSessionId: registered['browser_session_id']!, sessionToken: registered['session_token']! };
    },
    async aSession() {
      const sessionId = randomUUID();
      await store.sessions.create({ sessionId, workflowId: sessionId, plan: aPlan() });
      return sessionId;
    },
    async begin(sessionId, calls) {
      const handle = await client.workflow.start(relayProbe, {
        workflowId: sessionId,
        taskQueue: ENGINE_QUEUE,
        args: [calls.map((call) => ({ ...call, sessionId }))],
      });
      return { result: () => handle.result(), cancel: async () => void (await handle.cancel()) };
    },
    async stop() {
      for (const child of children) await end(child);
      worker.shutdown();
      await running;
      await native.close();
      await stack.stop();
    },
  };
}

export async function postTo(url: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: Record<string, string> }).data;
}

/** A way to a server that can be cut: every socket through it ends at once, without a word. */
export interface CuttableWay {
  url: string;
  cut(): void;
  /** Where it leads from now on. */
  lead(to: string): void;
  close(): void;
}

export async function startCuttableWay(to: string): Promise<CuttableWay> {
  const sockets = new Set<Socket>();
  let target = new URL(to);
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    lead: (next) => (target = new URL(next)),
    close() {
      cut();
      server.close();
    },
  };
}
