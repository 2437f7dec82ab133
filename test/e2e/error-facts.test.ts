/** What is shown of real failures: the code that began each, in the log, over REST, in S3's error_type and in Temporal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { WorkflowFailedError } from '@temporalio/client';
import { originOf } from '../../contracts/errors/standard-error';
import { encodeAll } from '../../contracts/events/formats/format';
import { FORMATS } from '../../contracts/events/formats/formats';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { calls, plays } from '../support/agent-stack';
import { silent, startModelServer, vertexAt, type ModelServer, type Play } from '../support/model-server/server';
import { ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

const MODEL = 'vertexai/gemini-2.5-flash';
const hanging = createServer(() => {});
let folder: string;
let hangs: string;
let refused: string;
let model: ModelServer;
let stack: WholeStack;
beforeAll(async () => {
  await new Promise<void>((done) => hanging.listen(0, '127.0.0.1', done));
  hangs = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/hangs`;
  const gone = createServer();
  await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done));
  refused = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/`;
  await new Promise((done) => gone.close(done));
  folder = mkdtempSync(join(tmpdir(), 'surefoot-mcp-'));
  const mcpServers = { bad: { command: process.execPath, args: [resolve('test/support/mcp-server.js')] } };
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
  model = await startModelServer();
  stack = await startWholeStack({ ...vertexAt(model), SUREFOOT_MCP: join(folder, 'mcp.json') }, ONE_OF_EACH);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await model.stop();
  hanging.closeAllConnections();
  hanging.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

interface Shown {
  code: string;
  errorType: string;
}

/** Starts the session and has it fail; resolves to the code that began it, the same everywhere, and S3's error_type. */
async function shownOf(request: StartRequest): Promise<Shown> {
  const { sessionId } = await stack.client.start(request);
  const log = await stack.logOf(sessionId);
  const { type, data } = log.at(-1)!;
  expect(type).toBe(StreamEventType.WORKFLOW_FAILED);
  const { code } = originOf(data.error!);
  const failed = log.find((record) => record.type === StreamEventType.STEP_FAILED)!;
  expect(originOf(failed.data.error!).code).toBe(code);

  const response = await fetch(`${stack.api}/v1/sessions/${sessionId}`);
  const { data: details } = (await response.json()) as { data: { error: Parameters<typeof originOf>[0] } };
  expect(originOf(details.error).code).toBe(code);

  const handle = stack.engineTemporal.workflow.getHandle(sessionId);
  const failure = await handle.result().catch((thrown: unknown) => thrown);
  expect((failure as WorkflowFailedError).cause).toMatchObject({ type: code });
  const { searchAttributes } = await handle.describe();
  expect(searchAttributes['SurefootError']).toEqual([code]);

  const frames = encodeAll(FORMATS.execution, log).map(({ frame }) => frame as { type: string; data?: unknown });
  const ended = frames.find((frame) => frame.type === 'error')!.data as { error_type: string };
  return { code, errorType: ended.error_type };
}

const config = {
  timeouts: { retryDelayMs: 10, maxRetryAttempts: 0 },
  maxIterations: 1,
  executorConfig: { screenshotsEnabled: false, timeoutMs: 1500 },
};
const GIVES_UP = plays(calls(['done', { success: false, answer: 'It can not be done.' }]));

test('[S1.38, S1.R22, S3.7] a page that hangs is EX004 everywhere, with the command as the cause', async () => {
  const request = { steps: [`Open ${hangs}`], config: { ...config, aiConfig: { model: 'rules' } } };
  expect(await shownOf(request)).toEqual({ code: 'EX004', errorType: 'timeout' });
}, 60_000);

test('[S1.38, S1.R22, S3.7] a site that refuses connections is TL002, and no time-out', async () => {
  const request = { steps: [`Open ${refused}`], config: { ...config, aiConfig: { model: 'rules' } } };
  expect(await shownOf(request)).toEqual({ code: 'TL002', errorType: 'internal' });
}, 60_000);

test('[S1.38, S3.7] an address that a guard refuses is SM002, and no time-out', async () => {
  const executorConfig = { ...config.executorConfig, allowedOrigins: ['https://shop.example'] };
  const request = { steps: [`Open ${hangs}`], config: { ...config, aiConfig: { model: 'rules' }, executorConfig } };
  expect(await shownOf(request)).toEqual({ code: 'SM002', errorType: 'validation' });
}, 60_000);

test('[S1.38, S3.7] a model that never answers is TL002, of the model', async () => {
  model.play(silent);
  const request = { steps: ['Look around'], config: { ...config, aiConfig: { model: MODEL, timeoutMs: 1000 } } };
  expect(await shownOf(request)).toEqual({ code: 'TL002', errorType: 'llm_error' });
}, 60_000);

describe('[S1.R22, S3.7] a task that its model gives up has the failure of its last call as the cause', () => {
  it.each<[string, () => Play[], Shown]>([
    ['a page that hangs', () => plays(calls(['navigate', { url: hangs }])), { code: 'EX004', errorType: 'timeout' }],
    ['an MCP server that dies', () => plays(calls(['bad__die', {}])), { code: 'TL002', errorType: 'internal' }],
  ])(
    '%s',
    async (_, first, expected) => {
      model.play(...first(), ...GIVES_UP);
      const task = { task: `Get it done at ${hangs}`, maxSteps: 4 };
      const { maxIterations: _iterations, ...own } = config;
      const agent = { approvalMode: 'yolo' as const };
      const request = { steps: [task], config: { ...own, agent, aiConfig: { model: MODEL } } };
      expect(await shownOf(request)).toEqual(expected);
    },
    60_000,
  );
});
