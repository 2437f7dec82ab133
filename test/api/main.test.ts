import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { openStore } from '../../store/store';
import { eventually } from '../support/eventually';
import { startTestStack, type TestStack } from '../support/stack';
import { aSession, bodyOf, thought } from './fixture';
import { readStream } from './stream-reader';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.stop());

/** The built process of the API, on this file's servers. */
function startApi(readyFile: string, stderr: 'inherit' | 'pipe'): ChildProcess {
  return spawn(process.execPath, [join(__dirname, '..', '..', 'dist', 'api', 'main.js')], {
    env: {
      ...process.env,
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: stack.temporalAddress,
      SUREFOOT_HOME: stack.home,
      SUREFOOT_READY_FILE: readyFile,
      LOG_LEVEL: 'warn',
      HOST: '',
      PORT: '0',
      NODE_OPTIONS: '',
    },
    stdio: ['ignore', 'inherit', stderr],
  });
}

test('beside a worker of a version that it does not fit it does not start, and says beside whom', async () => {
  const store = await openStore({ databaseUrl: stack.databaseUrl, home: stack.home, maxConnections: 2 });
  const workerId = 'a worker of the next version';
  // It can go on with our sessions, but not work beside our API.
  const sessions = { supportedVersions: ['1.x'], deprecatedVersions: [], breakingChanges: [] };
  const supports = { 'step-processor': sessions };
  const party = { name: 'step-processor', moduleId: 'step-processor', version: '2.0.0', supports };
  await store.processes.join(workerId, party);
  const child = startApi(join(stack.home, 'refused.ready'), 'pipe');
  try {
    let output = '';
    child.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expect(output).toContain('step-processor (2.0.0) and frontend-api (1.0.0) can not work together.');
    expect(output).toContain('Run all processes in one version');
    expect(existsSync(join(stack.home, 'refused.ready'))).toBe(false);
  } finally {
    child.kill('SIGKILL');
    await store.processes.leave(workerId);
    await store.close();
  }
});

test('the process listens on loopback, serves, and ends cleanly on SIGTERM with streams open', async () => {
  const readyFile = join(stack.home, 'api.ready');
  const child = startApi(readyFile, 'inherit');
  const ended = once(child, 'exit');
  try {
    await eventually('the API is ready', () => existsSync(readyFile));
    const { pid, address } = JSON.parse(readFileSync(readyFile, 'utf8')) as { pid: number; address: string };
    expect(pid).toBe(child.pid);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await eventually('the API is healthy', async () => (await fetch(`${address}/health`)).status === 200);

    const started = await bodyOf(
      fetch(`${address}/v1/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ steps: ['look'] }),
      }),
    );
    expect(started.data.links.temporal).toContain(`/namespaces/default/workflows/${started.data.sessionId}`);

    const store = await openStore({ databaseUrl: stack.databaseUrl, home: stack.home, maxConnections: 2 });
    const sessionId = await aSession(store);
    await store.log.append(sessionId, [thought(1)]);
    await store.close();
    const headers = { accept: 'text/event-stream' };
    const stream = readStream(await fetch(`${address}/v1/sessions/${sessionId}/events`, { headers }));
    expect((await stream.next())?.id).toBe('1');
    const rest = stream.rest();
    child.kill('SIGTERM');
    expect(await rest).toEqual([]);
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a body over the limit is 413 however it is sent, and the next request is not lost', async () => {
  const readyFile = join(stack.home, 'limits.ready');
  const child = startApi(readyFile, 'inherit');
  const open = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await eventually('the API is ready', () => existsSync(readyFile));
    const { address } = JSON.parse(readFileSync(readyFile, 'utf8')) as { address: string };
    const send = async (agent: Agent, path: string, bytes: number, headers: Record<string, string> = {}) => {
      const options = {
        agent,
        method: bytes > 0 ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json', ...headers },
      };
      const sent = request(`${address}${path}`, options);
      Readable.from(inPieces(bytes)).pipe(sent);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      // What the server does not read it closes the connection of, once it has answered.
      sent.on('error', () => {});
      const { localPort } = answer.socket;
      await text(answer);
      return { status: answer.statusCode, localPort };
    };
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(await send(open(), '/v1/sessions', 2_000_000, chunked)).toMatchObject({ status: 413 });
    expect(await send(open(), '/v1/sessions', 20_000_000, { 'content-length': '20000000' })).toMatchObject({
      status: 413,
    });

    const store = await openStore({ databaseUrl: stack.databaseUrl, home: stack.home, maxConnections: 2 });
    const sessionId = await aSession(store);
    await store.close();
    const agent = open();
    const refused = await send(agent, '/v1/sessions', 2_000_000, { 'content-length': '2000000' });
    // It waits for longer than the server leaves a connection open whose body it has not read.
    const next = await send(agent, `/v1/sessions/${sessionId}/events?wait=2`, 0);
    expect([refused.status, next]).toEqual([413, { status: 200, localPort: refused.localPort }]);
  } finally {
    child.kill('SIGKILL');
  }
});

function* inPieces(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= 100_000) yield Buffer.alloc(100_000, 'x');
}
