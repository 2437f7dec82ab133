/**
 * The whole product led by a model behind a vendor's SDK: SUREFOOT_MODEL=vertexai/gemini-2.5-flash, with
 * @google-cloud/vertexai as it is, against a server over TLS that speaks Vertex AI's protocol and works its answers out
 * of the prompts it gets.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encodeAll } from '../../contracts/events/formats/format';
import { FORMATS } from '../../contracts/events/formats/formats';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { SSE_HEADERS, geminiChunks, geminiLine } from '../support/model-server/gemini';
import { googleError } from '../support/model-server/references/gemini';
import { refuses, startModelServer, vertexAt, type ModelServer } from '../support/model-server/server';
import { SHOPPING, shoppingRequest, shops } from '../support/model-server/shopper';
import {
  ONE_BROWSER_WORKER,
  SHOP_PASSWORD,
  endOf,
  recordOf,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

const MODEL = 'vertexai/gemini-2.5-flash';
let stack: WholeStack;
let server: ModelServer;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  server = await startModelServer();
  env = vertexAt(server);
  stack = await startWholeStack(env, ONE_BROWSER_WORKER);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await server.stop();
}, 60_000);

const isDelta = ({ data }: LogRecord) => data.details?.['delta'] !== undefined;

describe('a shopping session', () => {
  const run = randomUUID();
  let sessionId: string;
  let log: LogRecord[];
  beforeAll(async () => {
    server.play(shops);
    ({ sessionId } = await stack.client.start(shoppingRequest(stack.shop, run)));
    log = await stack.logOf(sessionId, 110_000);
  }, 120_000);

  it('is led to one order, whose number is saved', async () => {
    const { session, error, variables } = await stack.client.get(sessionId);
    expect({ status: session.status, error }).toEqual({ status: 'COMPLETED', error: null });
    const orders = await stack.orders(run);
    expect(orders).toHaveLength(1);
    expect(variables.find(({ name }) => name === 'order_number')?.value).toBe(orders[0]!.number);
  });

  it('learnt from what failed: the wrong size once, then the right one', () => {
    const sizes = log.filter(({ data }) => data.command?.action === 'SELECT_OPTION');
    expect(sizes.map(({ type, data }) => [type, data.command!.parameters.option])).toEqual([
      ['COMMAND_STARTED', '42'],
      ['COMMAND_FAILED', '42'],
      ['COMMAND_STARTED', 'M'],
      ['COMMAND_COMPLETED', 'M'],
    ]);
  });

  it('has words, thoughts and replies in its log, in good order', () => {
    expect(orderProblems(log)).toEqual([]);
    const replies = log.filter(
      ({ type, data }) => type === StreamEventType.AI_RESPONSE_RECEIVED && data.message !== undefined,
    );
    // On a busy machine an attempt may be taken for dead and asked again; its reply is there once all the same.
    const called = replies.filter(({ facts }) => facts?.kind === 'reply' && facts.billedCalls !== 0);
    expect(server.heard.length).toBeGreaterThanOrEqual(called.length);
    // The page was opened by one command, and three steps were begun by the replies that completed the ones before them.
    expect(replies.filter((reply) => !called.includes(reply)).map(({ stepIndex, turn }) => [stepIndex, turn])).toEqual([
      [0, 1],
      [2, 0],
      [3, 0],
      [4, 0],
    ]);
    expect(replies).toHaveLength(new Set(replies.map(({ stepIndex, turn }) => `${stepIndex}.${turn}`)).size);
    expect(log.filter(isDelta).length).toBeGreaterThan(replies.length);
    expect(log.filter(({ type }) => type === StreamEventType.AI_REASONING)).toHaveLength(replies.length);
    for (const { data, stepIndex } of replies)
      expect(data.details).toMatchObject({ model: expect.stringMatching(stepIndex === 0 ? `${MODEL}|rules` : MODEL) });
  });

  it('reports tokens and money, of the session and of each step', async () => {
    const { usage } = await stack.client.get(sessionId);
    expect(usage).toMatchObject({ unpricedCalls: 0, currency: 'USD' });
    // No page is investigated: the error of the wrong size lists the sizes.
    expect(usage.calls).toBeGreaterThanOrEqual(10);
    expect(usage.inputTokens).toBeGreaterThanOrEqual(1200 * 10);
    expect(usage.totalTokens).toBe(usage.inputTokens + usage.outputTokens);
    // $0.30 and $2.50 for a million tokens.
    expect(Number(usage.cost)).toBeCloseTo((usage.inputTokens * 0.3 + usage.outputTokens * 2.5) / 1e6, 10);
    expect(usage.steps.map(({ stepIndex }) => stepIndex)).toEqual([0, 1, 2, 3, 4]);
  });

  it('sends neither the password nor the token to anyone but their owners', async () => {
    expect(JSON.stringify(server.heard.map(({ body }) => body))).not.toContain(SHOP_PASSWORD);
    expect(JSON.stringify(server.heard.map(({ body }) => body))).not.toContain(sessionId);
    const history = await stack.engineTemporal.workflow.getHandle(sessionId).fetchHistory();
    expect(JSON.stringify([history, log])).not.toContain('ya29');
  });
});

it('a session that wants pictures sends each page as seen, with boxes, scaled for the model', async () => {
  const run = randomUUID();
  server.play(shops);
  const { sessionId } = await stack.client.start(
    shoppingRequest(stack.shop, run, { observation: { picture: 'boxes' } }),
  );
  expect(await endOf(stack, sessionId, 110_000)).toBe('COMPLETED');
  expect(await stack.orders(run)).toHaveLength(1);
  const pictures = server.heard.flatMap(({ body }) => {
    const { contents } = body as { contents: { parts: { inlineData?: { mimeType: string; data: string } }[] }[] };
    return contents.flatMap(({ parts }) => parts.flatMap(({ inlineData }) => inlineData ?? []));
  });
  // All but the first call have seen a page.
  expect(pictures.length).toBeGreaterThanOrEqual(server.heard.length - 1);
  expect(new Set(pictures.map(({ mimeType }) => mimeType))).toEqual(new Set(['image/png']));
  // PNG, chapter 11.2.2: width and height.
  const sides = pictures.flatMap(({ data }) => [16, 20].map((at) => Buffer.from(data, 'base64').readUInt32BE(at)));
  expect(Math.min(...sides)).toBeGreaterThan(300);
  expect(Math.max(...sides)).toBeLessThanOrEqual(2048);
  // Not the same page again and again.
  expect(new Set(pictures.map(({ data }) => data)).size).toBeGreaterThan(5);
}, 120_000);

it('a cancelled session closes the connection of the call that was under way', async () => {
  server.play((response) => {
    response.writeHead(200, SSE_HEADERS);
    response.write(geminiLine(geminiChunks({ text: '{"reasoning":{"analysis":"Let me see' })[0]!));
  });
  const { sessionId } = await stack.client.start({ steps: ['Sign in as ada'] });
  await recordOf(stack, sessionId, 'the first words', isDelta);
  await stack.client.cancel(sessionId);
  expect(await endOf(stack, sessionId)).toBe('CANCELLED');
  await eventually('the closed connection', () => server.heard.every(({ isAbandoned }) => isAbandoned));
}, 90_000);

it("an engine worker killed within a call: another asks again, and the dead one's words are void", async () => {
  server.play((response) => {
    response.writeHead(200, SSE_HEADERS);
    response.write(geminiLine(geminiChunks({ text: '{"reasoning":{"analysis":"Let me see' })[0]!));
  }, shops);
  const { sessionId } = await stack.client.start({ steps: [SHOPPING[0]!], variables: { shop: stack.shop } });
  await recordOf(stack, sessionId, 'the first words', isDelta);
  const [call] = server.heard;
  const isCut = async (): Promise<boolean> =>
    await eventually('the end of the call', () => call!.isAbandoned, 2000).catch(() => false);
  for (const name of ['engine-1', 'engine-2']) {
    process.kill(stack.pidOf(name), 'SIGKILL');
    if (await isCut()) break;
  }
  const log = await stack.logOf(sessionId);
  expect(log.at(-1)!.type).toBe(StreamEventType.WORKFLOW_COMPLETED);
  const reset = log.findIndex(({ data }) => data.details?.['reset'] === true);
  expect(log[reset]!.attempt).toBeGreaterThan(1);
  expect(log.slice(0, reset).some(isDelta)).toBe(true);
  const words = log.slice(reset).filter((record) => isDelta(record) && record.turn === 0);
  expect(JSON.parse(words.map(({ data }) => String(data.details!['delta'])).join(''))).toMatchObject({
    decision: { action: 'PROCEED' },
  });
  expect(orderProblems(log)).toEqual([]);
  // The lost call is on the bill: what was sent to it was paid for.
  const { usage } = await stack.client.get(sessionId);
  expect(usage).toMatchObject({ isEstimated: true, steps: [{ stepIndex: 0 }] });
  expect(usage.calls).toBeGreaterThanOrEqual(2);
  expect(usage.inputTokens).toBeGreaterThan(1200);
}, 120_000);

it('a provider that refuses hands over to the next model, which completes the session', async () => {
  server.play(refuses(403, googleError(403, 'PERMISSION_DENIED', 'Permission denied on resource project acme.')));
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/parts/counter`],
    config: { aiConfig: { model: `${MODEL},rules` } },
  });
  const log = await stack.logOf(sessionId);
  expect(log.at(-1)!.type).toBe(StreamEventType.WORKFLOW_COMPLETED);
  const warnings = log.filter(({ type }) => type === StreamEventType.WARNING_ISSUED);
  expect(warnings).toMatchObject([
    { data: { warning: { code: 'AI002', details: { kind: 'agent.model_fallback', from: MODEL, to: 'rules' } } } },
  ]);
  const facts = { from: MODEL, to: 'rules', reason: warnings[0]!.data.warning!.message };
  expect(encodeAll(FORMATS.agent, log).map(({ frame }) => frame)).toContainEqual(
    expect.objectContaining({ type: 'agent.model_fallback', data: facts }),
  );
  expect(encodeAll(FORMATS.execution, log).map(({ frame }) => frame)).toContainEqual({
    type: 'model_fallback',
    data: facts,
  });
}, 90_000);

it('without another model it fails with a sentence that a person can act on', async () => {
  server.play(refuses(403, googleError(403, 'PERMISSION_DENIED', 'Permission denied on resource project acme.')));
  const { sessionId } = await stack.client.start({ steps: ['Sign in as ada'] });
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const { error } = await stack.client.get(sessionId);
  expect(error).toMatchObject({
    code: 'AI002',
    retryable: false,
    message: `${MODEL} answered 403 PERMISSION_DENIED: Permission denied on resource project acme.`,
    suggestedAction: expect.stringContaining('surefoot doctor --model'),
  });
}, 90_000);

describe('surefoot doctor --model', () => {
  async function doctor(...args: string[]): Promise<{ name: string; health: string; message: string }[]> {
    const cli = join(__dirname, '..', '..', 'bin', 'surefoot.js');
    const own = { ...process.env, ...env, SUREFOOT_HOME: stack.home };
    const ran = await promisify(execFile)(process.execPath, [cli, 'doctor', '--json', ...args], { env: own }).catch(
      (error: { stdout: string }) => error,
    );
    const found = JSON.parse(ran.stdout) as { name: string; health: string; message: string }[];
    return found.filter(({ name }) => ['Model', 'Tool call', 'Context window', 'Speed'].includes(name));
  }

  it('makes three small calls and reports latency, tokens, cost, tool calls, window and speed', async () => {
    server.play(async (response) => {
      response.writeHead(200, SSE_HEADERS);
      response.end(
        geminiChunks({ text: '{"ok":true}', usage: { prompt: 30, candidates: 6 } })
          .map(geminiLine)
          .join(''),
      );
    });
    expect(await doctor('--model')).toEqual([
      {
        name: 'Model',
        health: 'good',
        message: expect.stringMatching(
          /^vertexai\/gemini-2\.5-flash answered in \d+ ms: 30 tokens in, 6 out, \$0\.000024$/,
        ),
      },
      { name: 'Tool call', health: 'poor', message: expect.stringContaining('another model for tasks') },
      { name: 'Context window', health: 'good', message: expect.stringContaining('1048576 tokens') },
      { name: 'Speed', health: 'good', message: expect.stringMatching(/tokens a second$/) },
    ]);
    expect(server.heard).toHaveLength(3);
  }, 60_000);

  it('reports what is wrong, and what to do', async () => {
    server.play(refuses(404, googleError(404, 'NOT_FOUND', 'Publisher Model gemini-9 was not found.')));
    expect(await doctor('--model', 'vertexai/gemini-9,rules')).toEqual([
      {
        name: 'Model',
        health: 'bad',
        message: expect.stringMatching(/gemini-9 was not found\. Check the name of the model/),
      },
      { name: 'Model', health: 'good', message: 'rules is built in; nothing is called' },
    ]);
    expect(await doctor('--model', 'acme/x')).toEqual([
      { name: 'Model', health: 'bad', message: expect.stringContaining('there is no model “acme/x” here') },
    ]);
  }, 60_000);
});
