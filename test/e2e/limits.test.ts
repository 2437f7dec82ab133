/**
 * What a model may cost, in the whole product: a session that has to wait for the rate limit, one that is recorded through
 * @google-cloud/vertexai, and the same again from the recording with the vendor gone, under budgets.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyHashOf } from '../../activities/engine/models/providers/account';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { addDecimals, type ModelCallInfo } from '../../contracts/models/usage';
import { connect } from '../../store/database/connect';
import { runCli, type CliResult } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { SSE_HEADERS, geminiChunks, geminiLine } from '../support/model-server/gemini';
import { startModelServer, vertexAt, type ModelServer } from '../support/model-server/server';
import { shoppingRequest, shops } from '../support/model-server/shopper';
import {
  ONE_BROWSER_WORKER,
  ONE_OF_EACH,
  SHOP_PASSWORD,
  endOf,
  recordOf,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

const MODEL = 'vertexai/gemini-2.5-flash';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-cassettes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isWaiting = ({ data }: LogRecord): boolean => data.details?.['waitingFor'] === 'model';
const isDelta = ({ data }: LogRecord): boolean => data.details?.['delta'] !== undefined;
const pausedFor = (log: readonly LogRecord[]) =>
  log.flatMap(({ type, data }) =>
    type === StreamEventType.WORKFLOW_PAUSED ? [data.details?.['pausedFor'] as string] : [],
  );
const budgetWarnings = (log: readonly LogRecord[]) =>
  log.flatMap(({ data: { warning } }) => (warning?.details?.['kind'] === 'budget.warning' ? [warning.details] : []));

describe('with the vendor there', () => {
  let server: ModelServer;
  let stack: WholeStack;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    server = await startModelServer();
    env = {
      ...vertexAt(server),
      SUREFOOT_MODEL_REQUESTS_PER_MINUTE: '100',
      SUREFOOT_MODEL_CASSETTE: 'record',
      SUREFOOT_MODEL_CASSETTE_FOLDER: folder,
    };
    stack = await startWholeStack(env, ONE_BROWSER_WORKER);
    server.play(shops);
  }, 240_000);
  afterAll(async () => {
    await stack.stop();
    await server.stop();
  }, 60_000);

  it('a session is recorded; the recording has neither password nor token, nor anything of this run', async () => {
    const run = randomUUID();
    const { sessionId } = await stack.client.start(shoppingRequest(stack.shop, run));
    expect(await endOf(stack, sessionId, 90_000)).toBe('COMPLETED');
    expect(await stack.orders(run)).toHaveLength(1);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(files.length).toBeGreaterThanOrEqual(10);
    for (const value of [SHOP_PASSWORD, 'ya29', run, sessionId, stack.shop])
      expect(files.filter((file) => file.includes(value))).toEqual([]);
  }, 150_000);

  it('a session whose key has made enough for a minute says so, waits, and completes', async () => {
    const sql = connect(stack.databaseUrl, { maxConnections: 1 });
    const key = keyHashOf('vertexai', env);
    const [busy] = await sql`select session_id from sessions limit 1`;
    // As if others had used the key up a while ago: the rest of the minute is more than a busy machine needs to start.
    await sql`
      insert into model_admissions (key_hash, session_id, call_id, at, tokens)
      select ${key}, ${busy!['sessionId']}, 'other/' || n, clock_timestamp() - interval '40 seconds', 10
      from generate_series(1, 100) as n`;
    await sql.end();
    const { sessionId } = await stack.client.start({ steps: ['Open ${shop}/login'], variables: { shop: stack.shop } });
    const log = await stack.logOf(sessionId, 100_000);
    expect(log.at(-1)!.type).toBe(StreamEventType.WORKFLOW_COMPLETED);
    const [waiting] = log.filter(isWaiting);
    expect(waiting).toMatchObject({ type: StreamEventType.SESSION_STATUS, stepIndex: 0 });
    expect(waiting!.data.message).toMatch(
      /^vertexai\/gemini-2\.5-flash is called in \d+ s: its account has reached the limit of a minute \(100 requests\)\.$/,
    );
    expect(orderProblems(log)).toEqual([]);
    const wholeMs = Date.parse(log.at(-1)!.at) - Date.parse(log[0]!.at);
    expect(log.at(-1)!.data.details?.['activeMs']).toBeLessThan(wholeMs - waiting!.data.details?.['waitMs'] + 100);
  }, 120_000);

  it('a call whose worker is killed is on the bill once, its next attempt too, within the budget', async () => {
    server.play((response) => {
      response.writeHead(200, SSE_HEADERS);
      response.write(geminiLine(geminiChunks({ text: '{"reasoning":{"analysis":"Let me see' })[0]!));
    }, shops);
    // What was sent and the answers come to less; with all that the lost call might have come to it would be more.
    const config = { budget: { maxTokens: 5000 } };
    const steps = ['Open ${shop}/login?again'];
    const { sessionId } = await stack.client.start({ steps, variables: { shop: stack.shop }, config });
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
    expect(pausedFor(log)).toEqual([]);
    const bill = await stack.client.modelCalls(sessionId);
    expect(bill).toHaveLength(server.heard.length);
    const [lost, ...others] = bill;
    expect(lost).toMatchObject({ outcome: 'lost', isEstimated: true, outputTokens: 0 });
    expect(lost!.inputTokens).toBeGreaterThan(500);
    expect(others.map(({ outcome }) => outcome)).toEqual(others.map(() => 'replied'));
    const { usage } = await stack.client.get(sessionId);
    expect(usage.totalTokens).toBe(lost!.inputTokens + 1280 * others.length);
  }, 120_000);
});

describe('with the vendor gone', () => {
  let stack: WholeStack;
  beforeAll(async () => {
    stack = await startWholeStack(
      {
        SUREFOOT_MODEL: MODEL,
        SUREFOOT_MODEL_CASSETTE: 'replay',
        SUREFOOT_MODEL_CASSETTE_FOLDER: folder,
      },
      ONE_OF_EACH,
    );
  }, 240_000);
  afterAll(() => stack.stop(), 60_000);

  async function call(method: string, path?: string, body?: unknown) {
    const response = await fetch([`${stack.api}/v1/sessions`, ...(path === undefined ? [] : [path])].join('/'), {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return { status: response.status, body: (await response.json()) as { data: never; error: { message: string } } };
  }

  const cli = (...args: string[]): Promise<CliResult> => runCli(args, { env: { SUREFOOT_HOME: stack.home } });

  it('a session is led from the recording to one order, under a budget that is raised by CLI', async () => {
    const run = randomUUID();
    const config = { budget: { maxTokens: 8000, maxCost: '5' } };
    const { sessionId } = await stack.client.start(shoppingRequest(stack.shop, run, config));
    const paused = await recordOf(
      stack,
      sessionId,
      'the pause',
      ({ type }) => type === StreamEventType.WORKFLOW_PAUSED,
    );
    expect(paused.data.message).toMatch(/^The budget of the session is used up: \d+ of 8000 tokens\. Decide with: /);
    const details = await stack.client.get(sessionId);
    expect(details.waitingFor).toMatchObject({
      pausedFor: 'budget',
      budget: { limit: 'maxTokens', allowed: 8000 },
      answerWith: { cli: `surefoot resolve-budget ${sessionId} --raise tokens=…|--end` },
    });
    // One call at most beyond it; each is 1,280 tokens.
    expect(details.usage.totalTokens).toBeGreaterThanOrEqual(8000);
    expect(details.usage.totalTokens).toBeLessThan(8000 + 1280);
    const { stdout } = await cli('show', sessionId);
    expect(stdout).toMatch(/budget: \d+ of 8000 tokens, \$0\.\d+ of \$5/);
    expect(stdout).toMatch(/\$0\.\d+ \(0\.\d+ credits\)/);
    expect(await cli('resume', sessionId)).toMatchObject({ exitCode: 2 });
    expect(await cli('resolve-budget', sessionId, '--raise', 'tokens=90')).toMatchObject({ exitCode: 2 });
    expect((await cli('resolve-budget', sessionId, '--raise', 'tokens=90000')).stdout).toContain('new budget');

    expect(await endOf(stack, sessionId, 90_000)).toBe('COMPLETED');
    const orders = await stack.orders(run);
    expect(orders).toHaveLength(1);
    const log = await stack.logOf(sessionId);
    expect(orderProblems(log)).toEqual([]);
    expect(pausedFor(log)).toEqual(['budget']);
    expect(budgetWarnings(log)).toMatchObject([{ limit: 'maxTokens', allowed: 8000 }]);
    expect(log.filter(isDelta).length).toBeGreaterThan(10);
    const after = await stack.client.get(sessionId);
    expect(after.variables.find(({ name }) => name === 'order_number')?.value).toBe(orders[0]!.number);
    expect(after).toMatchObject({ waitingFor: null, budget: { maxTokens: 90_000, maxCost: '5' } });
    expect(Number(after.usage.credits)).toBeCloseTo(Number(after.usage.cost) * 100, 10);

    const bill = (await call('GET', `${sessionId}/model-calls`)).body.data as ModelCallInfo[];
    expect(bill).toHaveLength(after.usage.calls);
    expect(addDecimals(bill.map(({ cost }) => cost!))).toBe(after.usage.cost);
    expect(bill[0]).toMatchObject({ stepIndex: 0, turn: 0, model: MODEL, outcome: 'replied', cost: '0.00056' });
    const listed = await cli('show', sessionId, '--calls');
    expect(listed.stdout.trim().split('\n')).toHaveLength(bill.length + 1);
  }, 180_000);

  it('a budget in money is decided on by REST, and the session ends with what is done', async () => {
    const started = await call(
      'POST',
      undefined,
      shoppingRequest(stack.shop, randomUUID(), { budget: { maxCost: '0.0012' } }),
    );
    expect(started.status).toBe(202);
    const { sessionId } = started.body.data as { sessionId: string };
    await recordOf(stack, sessionId, 'the pause', ({ type }) => type === StreamEventType.WORKFLOW_PAUSED);
    const shown = await call('GET', sessionId);
    expect(shown.body.data).toMatchObject({
      session: { status: 'PAUSED' },
      budget: { maxCost: '0.0012', whenReached: 'pause' },
      waitingFor: { pausedFor: 'budget', budget: { limit: 'maxCost', allowed: '0.0012' } },
    });
    expect(await call('POST', `${sessionId}/resume`)).toMatchObject({ status: 409 });
    expect(await call('POST', `${sessionId}/resolve-budget`, { decision: 'raise' })).toMatchObject({ status: 400 });
    expect(await call('POST', `${sessionId}/resolve-budget`, { decision: 'raise', maxCost: '0.001' })).toMatchObject({
      status: 400,
    });
    expect(await call('POST', `${sessionId}/resolve-budget`, { decision: 'end' })).toMatchObject({ status: 202 });
    expect(await endOf(stack, sessionId)).toBe('FAILED');
    expect(await call('POST', `${sessionId}/resolve-budget`, { decision: 'end' })).toMatchObject({ status: 409 });
    const { error, stepResults } = await stack.client.get(sessionId);
    expect(error).toMatchObject({ code: 'TL004', details: { kind: 'budget', isPartial: true, totalSteps: 5 } });
    expect(stepResults[0]).toMatchObject({ success: true });
  }, 120_000);

  it('a question that was not recorded fails the session with how it differs', async () => {
    const { sessionId } = await stack.client.start({ steps: ['Open ${shop}/admin'], variables: { shop: stack.shop } });
    expect(await endOf(stack, sessionId)).toBe('FAILED');
    const { error } = await stack.client.get(sessionId);
    expect(error?.code).toBe('AI001');
    expect(error?.message).toMatch(/^There is no recording of this request to vertexai\/gemini-2\.5-flash/);
    expect(error?.message).toContain('+ Open ${shop}/admin');
  }, 60_000);
});
