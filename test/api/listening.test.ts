import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { startTestStack, type TestStack } from '../support/stack';

const DIST = join(__dirname, '..', '..', 'dist');
const TOKEN = 'a token of thirty-two characters'.replaceAll(' ', '-');
let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres', 'temporal'] });
});
afterAll(() => stack.stop());

function start(script: string[], env: Record<string, string>) {
  const readyFile = join(stack.home, `${Math.random()}.ready`);
  const child = spawn(process.execPath, [join(DIST, ...script)], {
    env: {
      ...process.env,
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: stack.temporalAddress,
      SUREFOOT_HOME: stack.home,
      SUREFOOT_READY_FILE: readyFile,
      LOG_LEVEL: 'warn',
      PORT: '0',
      NODE_OPTIONS: '',
      ...env,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, readyFile, output: () => output };
}

test.each([
  ['0.0.0.0 without token and names', { HOST: '0.0.0.0' }, /Set SUREFOOT_API_TOKEN to .* Set SUREFOOT_API_NAMES to /],
  [':: without a token', { HOST: '::', SUREFOOT_API_NAMES: 'engine.corp.example' }, /Set SUREFOOT_API_TOKEN to /],
  ['0.0.0.0 without names', { HOST: '0.0.0.0', SUREFOOT_API_TOKEN: TOKEN }, /reach it\. Set SUREFOOT_API_NAMES to /],
])('the API does not start at %s, and says what to set', async (_, env, sentence) => {
  const { child, readyFile, output } = start(['api', 'main.js'], env);
  const [code] = (await once(child, 'close')) as [number];
  expect([code, output()]).toEqual([1, expect.stringMatching(sentence)]);
  expect(existsSync(readyFile)).toBe(false);
});

test('a worker does not offer its metrics to other machines unless its operator says so', async () => {
  const { child, output } = start(['worker', 'engine-main.js'], { SUREFOOT_METRICS: '0.0.0.0:0' });
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(1);
  expect(output()).toContain('SUREFOOT_METRICS is 0.0.0.0, so other machines could reach it.');
  expect(output()).toContain('SUREFOOT_METRICS_EXPOSED=on');
});

function statusOf(port: number, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: '/v1/sessions', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject).end();
  });
}

test('with token and names the API listens at 0.0.0.0, and serves its names alone to who has the token', async () => {
  const env = { HOST: '0.0.0.0', SUREFOOT_API_TOKEN: TOKEN, SUREFOOT_API_NAMES: 'engine.corp.example' };
  const { child, readyFile } = start(['api', 'main.js'], env);
  try {
    await eventually('the API is ready', () => existsSync(readyFile));
    const { port } = JSON.parse(readFileSync(readyFile, 'utf8')) as { port: number };
    const Authorization = `Bearer ${TOKEN}`;
    expect(await statusOf(port, { Host: 'engine.corp.example', Authorization })).toBe(200);
    expect(await statusOf(port, { Host: `127.0.0.1:${port}`, Authorization })).toBe(200);
    expect(await statusOf(port, { Host: 'engine.corp.example' })).toBe(401);
    expect(await statusOf(port, { Host: 'rebound.example', Authorization })).toBe(403);
  } finally {
    child.kill('SIGKILL');
  }
});
