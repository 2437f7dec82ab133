/** Why a call of a model is not admitted, as the activity reports it: the real store, the real SDK, a stand-in vendor. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createEngineActivities } from '../../../activities/engine-worker';
import type { DecideInput, DecideOutput } from '../../../activities/signatures/engine-activities';
import { keyHashOf } from '../../../activities/engine/models/providers/account';
import { createPricing } from '../../../activities/engine/models/calls/prices';
import { createModelResolver } from '../../../activities/engine/models/resolve-model';
import { BUDGET_SPENT } from '../../../contracts/models/budget';
import {
  BREAKER_OPEN,
  CALL_HELD,
  DEFAULT_MODEL_LIMITS,
  type ModelLimits,
} from '../../../contracts/models/model-limits';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { connect, type Sql } from '../../../store/database/connect';
import type { Store } from '../../../store/store';
import { aCommand, aPlan, aReply, aSession, aStepFor } from '../../support/builders';
import { geminiAnswers } from '../../support/model-server/gemini';
import { googleError } from '../../support/model-server/references/gemini';
import { refuses, startModelServer, type ModelServer } from '../../support/model-server/server';
import { startTestStack, type TestStack } from '../../support/stack';
import { aToolRegistry } from '../../support/engine-tools';

let stack: TestStack;
let store: Store;
let server: ModelServer;
let sql: Sql;
beforeAll(async () => {
  [stack, server] = await Promise.all([startTestStack({ parts: ['postgres'] }), startModelServer()]);
  store = await stack.store();
  sql = connect(stack.databaseUrl, { maxConnections: 1 });
});
afterAll(async () => {
  await sql.end();
  await server.stop();
  await stack.stop();
});

const runId = 'run-1';
const model = 'vertexai/gemini-2.5-flash';
const GOOD = geminiAnswers({ text: JSON.stringify(aReply({})) });
const MISFIT = geminiAnswers({
  text: JSON.stringify(aReply({ commands: [aCommand('CLICK_ELEMENT', { selector: 'ref=e99' })] })),
});
const look: PageSnapshot = { snapshotId: 'l', url: 'https://shop.test/', title: 'Shop', tabs: [], nodes: [] };
/** A customer of its own for each test, so that none stands in the way of another. */
let customer = 0;
const env = (): NodeJS.ProcessEnv => ({
  VERTEX_PROJECT: `acme-${customer}`,
  VERTEX_API_ENDPOINT: server.host,
  VERTEX_ACCESS_TOKEN: 't',
});
beforeEach(() => {
  customer += 1;
});

async function aStep(config: object = {}): Promise<DecideInput> {
  const sessionId = await aSession(store, { runId, plan: aPlan({ steps: ['Buy a bean'], config }) });
  await store.memory.saveSnapshot(sessionId, {}, look);
  return {
    sessionId,
    stepIndex: 0,
    turn: 0,
    step: aStepFor(model),
    mayAct: true,
    outbox: { records: [], patch: {}, stepResults: [] },
  };
}

function decide(input: DecideInput, limits: Partial<ModelLimits> = {}): Promise<DecideOutput> {
  const activities = createEngineActivities({
    store,
    resolveModel: createModelResolver(env()),
    pricing: createPricing(undefined),
    ...aToolRegistry(store),
    limits: { ...DEFAULT_MODEL_LIMITS, ...limits },
    defaultModel: model,
    hasSearchAttributes: false,
    pauseReleaseMs: 0,
    requestCancel: async () => {},
  });
  const workflowExecution = { workflowId: input.sessionId, runId };
  const info = { workflowExecution, attempt: 1, activityId: '7', heartbeatTimeoutMs: 300 };
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
  return environment.run(activities.decide, input) as Promise<DecideOutput>;
}

const failureOf = (input: DecideInput, limits?: Partial<ModelLimits>) =>
  decide(input, limits).catch((error: unknown) => error);
const logOf = ({ sessionId }: DecideInput) => store.log.read(sessionId, 0, 500);

/** The key has made one call, so long ago. */
async function oneCallBefore(ms: number): Promise<void> {
  const sessionId = await aSession(store);
  await sql`
    insert into model_admissions (key_hash, session_id, call_id, at, tokens)
    values (${keyHashOf('vertexai', env())}, ${sessionId}, 'other', clock_timestamp() - ${ms} * interval '1 millisecond', 10)`;
}

test('a call beyond the rate limit is not made: the workflow and the log learn how long to wait', async () => {
  server.play(GOOD);
  const input = await aStep();
  await oneCallBefore(0);
  const failure = (await failureOf(input, { requestsPerMinute: 1, tokensPerMinute: 40_000 })) as {
    details: { details: object }[];
  };
  expect(failure).toMatchObject({
    type: CALL_HELD,
    nonRetryable: true,
    details: [{ code: 'AI003', retryable: false }],
  });
  expect(failure.details[0]!.details).toEqual({ kind: 'held', retryAfterMs: expect.any(Number) });
  expect(await logOf(input)).toMatchObject([
    {
      type: 'SESSION_STATUS',
      data: {
        message: expect.stringMatching(/is called in (5\d|60) s: .* \(1 request and 40000 tokens\)\.$/),
        details: { status: 'ACTIVE', waitingFor: 'model' },
      },
    },
  ]);
  expect(server.heard).toEqual([]);
  expect(await store.modelCalls.usageOf(input.sessionId)).toEqual([]);
});

test('a wait that is not worth a timer is waited for here, and a longer one with a paid reply in hand', async () => {
  server.play(GOOD);
  await oneCallBefore(59_500);
  expect(await decide(await aStep(), { requestsPerMinute: 1 })).toMatchObject({ decision: 'PROCEED' });

  customer += 1;
  server.play(MISFIT, GOOD);
  await oneCallBefore(57_000);
  const input = await aStep();
  expect(await decide(input, { requestsPerMinute: 2 })).toMatchObject({ decision: 'PROCEED' });
  expect(server.heard).toHaveLength(2);
  expect((await logOf(input)).filter(({ type }) => type === 'SESSION_STATUS')).toEqual([]);
});

test('a model that was out for others is not asked, and the failure leads on to the next model', async () => {
  const breaker = { failures: 2, windowMs: 60_000, openMs: 30_000 };
  server.play(refuses(503, googleError(503, 'UNAVAILABLE', 'The service is currently unavailable.')));
  for (const _ of [1, 2]) expect(await failureOf(await aStep(), { breaker })).toMatchObject({ type: 'AI001' });
  expect(server.heard).toHaveLength(2);
  server.play(GOOD);
  expect(await failureOf(await aStep(), { breaker })).toMatchObject({
    type: 'AI001',
    message: expect.stringMatching(/failed 2 times recently, and is tried again in (2\d|30) s/),
    details: [{ retryable: false, details: { kind: BREAKER_OPEN } }],
  });
  expect(server.heard).toEqual([]);
});

test('a budget is warned of once and then no call is made any more', async () => {
  // 1,280 tokens a call: 64, 128 percent.
  const input = await aStep({ budget: { maxTokens: 2000 } });
  server.play(GOOD);
  const warnings = async () => (await logOf(input)).filter(({ type }) => type === 'WARNING_ISSUED');
  await decide(input);
  expect(await warnings()).toEqual([]);
  await decide({ ...input, turn: 1 });
  const use = { limit: 'maxTokens', allowed: 2000, used: 2560 };
  expect(await warnings()).toMatchObject([
    {
      data: {
        warning: {
          message: 'The session has used 128 % of its budget: 2560 of 2000 tokens.',
          details: { kind: 'budget.warning', ...use },
        },
      },
    },
  ]);
  expect(await failureOf({ ...input, turn: 2 })).toMatchObject({
    type: BUDGET_SPENT,
    nonRetryable: true,
    details: [{ code: 'TL004', retryable: false, details: { kind: 'budget', use } }],
  });
  // What was kept is answered without a call.
  expect(await decide(input)).toMatchObject({ decision: 'PROCEED' });
  expect(server.heard).toHaveLength(2);
  expect(await warnings()).toHaveLength(1);
});

test('a budget in money takes no model whose price nobody knows', async () => {
  const input = await aStep({ budget: { maxCost: '1' } });
  const unknown = { ...input, step: aStepFor('vertexai/gemini-9') };
  server.play(GOOD);
  expect(await failureOf(unknown)).toMatchObject({
    type: 'AI001',
    message: expect.stringContaining('the price of the model is not known'),
    details: [{ retryable: false, suggestedAction: expect.stringContaining('SUREFOOT_PRICES') }],
  });
  expect(server.heard).toEqual([]);
});
