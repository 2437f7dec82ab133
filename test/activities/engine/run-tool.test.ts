import { DefaultLogger } from '@temporalio/worker';
import { MockActivityEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import type { RunToolInput, ToolEnd } from '../../../activities/signatures/task-activities';
import type { EngineTool } from '../../../activities/engine/tools/engine-tool';
import { createEngineActivities } from '../../../activities/engine-worker';
import { createPricing } from '../../../activities/engine/models/calls/prices';
import { defineTool, type ToolDefinition } from '../../../contracts/tools/define-tool';
import type { EffectClass } from '../../../contracts/commands/define-command';
import { connect } from '../../../store/database/connect';
import type { Store } from '../../../store/store';
import { aSession } from '../../support/builders';
import { aToolRegistry } from '../../support/engine-tools';
import { eventually } from '../../support/eventually';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
const runId = 'run-1';
const logger = new DefaultLogger('ERROR');
const SECRET = 'sk-verysecret-1234';
const env = { MY_API_KEY: SECRET, PLAIN: 'nothing' };

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
});
afterAll(() => stack.stop());

function aTool(
  name: string,
  execute: ToolDefinition<Record<string, unknown>>['execute'],
  more: { effect?: EffectClass; timeoutMs?: number } = {},
): EngineTool {
  const tool = defineTool({ name, description: name, parameters: z.looseObject({}), execute });
  return { tool, origin: 'test', classification: 'write', effect: 'commit', timeoutMs: 20_000, ...more };
}

interface Worker {
  /** Runs a call as the activity; `environment` is what cancels it. */
  run(callId: string, environment?: MockActivityEnvironment): Promise<ToolEnd>;
  text(callId: string, name: string): Promise<string>;
  sessionId: string;
}

/** A session of a worker with these tools, whose model has called each of them. */
async function aWorker(tools: EngineTool[], calls: [callId: string, name: string][]): Promise<Worker> {
  const sessionId = await aSession(store, { runId });
  return await again(sessionId, tools, calls);
}

async function again(sessionId: string, tools: EngineTool[], calls: [string, string][] = []): Promise<Worker> {
  const own = aToolRegistry(store, tools, env);
  const { runTool } = createEngineActivities({
    store,
    ...own,
    resolveModel: () => {
      throw new Error('No model is asked here.');
    },
    pricing: createPricing(undefined),
    defaultModel: 'rules',
    hasSearchAttributes: false,
    pauseReleaseMs: 0,
    requestCancel: async () => {},
  });
  const place = { sessionId, stepIndex: 0, turn: 0 };
  if (calls.length > 0)
    await own.toolRegistry.plan(
      place,
      calls.map(([callId, name]) => ({ callId, name, args: '{"x": 1}' })),
    );
  const workflowExecution = { workflowId: sessionId, runId };
  return {
    sessionId,
    run: async (callId, environment = new MockActivityEnvironment({ workflowExecution, attempt: 1 }, { logger })) => {
      const input: RunToolInput = {
        ...place,
        callId,
        name: (await store.toolCalls.get(sessionId, callId))!.name,
        outbox: { records: [], patch: {}, stepResults: [] },
      };
      return (await environment.run(runTool, input)) as ToolEnd;
    },
    text: async (callId, name) => {
      const parts = await own.toolRegistry.resultOf(place, { callId, name, args: '{}' }, { callId, status: 'success' });
      return parts.map((part) => (part.kind === 'text' ? part.text : '[image]')).join();
    },
  };
}

const factsOf = async (sessionId: string) =>
  (await store.log.read(sessionId, 0, 1000)).flatMap(({ facts }) => (facts === undefined ? [] : [facts]));

test('a tool runs once, publishes its start and its end, and a repeated attempt gets the recorded end', async () => {
  let runs = 0;
  const worker = await aWorker([aTool('add', ({ x }) => `sum ${String(x)} ${(runs += 1)}`)], [['c1', 'add']]);
  const end = await worker.run('c1');
  expect(end).toMatchObject({ status: 'success', summary: 'sum 1 1' });
  expect(await worker.run('c1')).toEqual(end);
  expect(runs).toBe(1);
  expect(await worker.text('c1', 'add')).toBe('sum 1 1');
  expect(await factsOf(worker.sessionId)).toMatchObject([
    { kind: 'call', callId: 'c1', toolName: 'add', args: { x: 1 } },
    { kind: 'result', callId: 'c1', toolName: 'add', summary: 'sum 1 1', text: 'sum 1 1' },
  ]);
});

test('arguments that a person has edited are those that run, however late an attempt comes', async () => {
  const ran: unknown[] = [];
  const tools = [aTool('add', ({ x }) => `sum ${ran.push(x)}`)];
  const { sessionId, run } = await aWorker(tools, [['c1', 'add']]);
  const { toolRegistry } = aToolRegistry(store, tools, env);
  const place = { sessionId, stepIndex: 0, turn: 0 };
  await toolRegistry.replan(place, 'c1', { x: 2 });
  // Of a worker that was frozen meanwhile.
  await toolRegistry.plan(place, [{ callId: 'c1', name: 'add', args: '{"x": 1}' }]);
  await toolRegistry.replan(place, 'c1', undefined);
  expect(await run('c1')).toMatchObject({ status: 'success' });
  expect(ran).toEqual([2]);
});

test.each([
  ['commit', 0, true],
  ['idempotent', 1, undefined],
  ['pure', 1, undefined],
] as const)('what a worker left behind of a %s tool is run %d times more', async (effect, runs, isUnknown) => {
  let count = 0;
  const tools = [aTool('act', () => `ran ${(count += 1)}`, { effect })];
  const worker = await aWorker(tools, [['c1', 'act']]);
  // As a worker leaves it that is killed in the middle.
  await store.toolCalls.begin(worker.sessionId, { runId }, { callId: 'c1', attempt: 1 }, []);
  const end = await (await again(worker.sessionId, tools)).run('c1');
  expect(count).toBe(runs);
  expect(end.isUnknown).toBe(isUnknown);
  const text = await worker.text('c1', 'act');
  expect(text).toMatch(isUnknown === true ? /^Error: A worker died while act ran; nobody knows/ : /^ran 1$/);
});

test('an attempt that wakes when a newer one has begun the call runs nothing, and ends nothing', async () => {
  let count = 0;
  const worker = await aWorker([aTool('act', () => `ran ${(count += 1)}`)], [['c1', 'act']]);
  await store.toolCalls.begin(worker.sessionId, { runId }, { callId: 'c1', attempt: 2 }, []);
  await expect(worker.run('c1')).rejects.toThrow('A newer attempt has begun act (c1); nothing more is done here.');
  expect(count).toBe(0);
  expect(await store.toolCalls.get(worker.sessionId, 'c1')).toMatchObject({ status: 'executing' });
});

test('an attempt that wakes when another has ended the call runs nothing, and returns that end', async () => {
  let count = 0;
  const worker = await aWorker([aTool('act', () => `ran ${(count += 1)}`)], [['c1', 'act']]);
  const sql = connect(stack.databaseUrl);
  const outcome = { isError: false, text: 'done before', summary: 'done before', durationMs: 1 };
  const running = await sql.begin(async (tx) => {
    await tx`select 1 from sessions where session_id = ${worker.sessionId} for update`;
    const late = worker.run('c1');
    late.catch(() => {});
    await eventually('it is about to begin', async () => {
      const [row] = await sql`select count(*) as waiting from pg_stat_activity 
        where wait_event_type = 'Lock' and datname = current_database()`;
      return Number(row!['waiting']) > 0;
    });
    await tx`
      update tool_calls set status = 'done', outcome = ${tx.json(outcome)}
      where session_id = ${worker.sessionId} and call_id = 'c1'`;
    return { late };
  });
  expect(await running.late).toMatchObject({ status: 'success', summary: 'done before' });
  expect(count).toBe(0);
  await sql.end();
});

test('a tool that throws, says nothing, hangs, gives nothing, or is gone has a clear end', async () => {
  const worker = await aWorker(
    [
      aTool('throws', () => {
        throw new Error('the shop is closed');
      }),
      aTool('mute', () => {
        throw new Error('');
      }),
      aTool('hangs', () => new Promise<string>(() => {}), { timeoutMs: 50 }),
      aTool('nothing', () => undefined as never),
      aTool('leaves', () => 'x'),
    ],
    [
      ['c1', 'throws'],
      ['c2', 'mute'],
      ['c3', 'hangs'],
      ['c4', 'nothing'],
      ['c5', 'leaves'],
    ],
  );
  expect(await worker.run('c1')).toMatchObject({ status: 'error', summary: 'Error: the shop is closed' });
  expect(await worker.run('c2')).toMatchObject({
    status: 'error',
    summary: 'Error: the tool failed and said nothing.',
  });
  const hung = await worker.run('c3');
  expect(hung).toMatchObject({ status: 'error', isUnknown: true });
  expect(hung.summary).toMatch(/hangs was not through within 0.05 s and was asked to stop/);
  expect((await worker.run('c4')).summary).toMatch(/nothing gave no result/);
  expect((await (await again(worker.sessionId, [])).run('c5')).summary).toMatch(/leaves is not there any more/);
});

test('50 MB are truncated, and secrets of the engine are redacted wherever they occur', async () => {
  const worker = await aWorker(
    [
      aTool('big', () => `${SECRET} ${'y'.repeat(50 * 1024 * 1024)}`),
      aTool('leaks', () => {
        throw new Error(`401 for ${SECRET}`);
      }),
    ],
    [
      ['c1', 'big'],
      ['c2', 'leaks'],
    ],
  );
  expect((await worker.run('c1')).status).toBe('success');
  const text = await worker.text('c1', 'big');
  expect(text.length).toBeLessThanOrEqual(50_000);
  expect(text).toMatch(/characters are left out\)$/);
  expect((await worker.run('c2')).summary).toMatch(/^Error: 401 for /);
  const kept = JSON.stringify([
    await store.log.read(worker.sessionId, 0, 1000),
    await store.toolCalls.get(worker.sessionId, 'c1'),
    await store.toolCalls.get(worker.sessionId, 'c2'),
  ]);
  expect(kept).not.toContain(SECRET);
});

test('output of a running tool is published while it runs, without secrets', async () => {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const worker = await aWorker(
    [
      aTool('talks', async (_, { updateOutput }) => {
        updateOutput(`key ${SECRET}\n`);
        updateOutput('half way\n');
        await finished;
        updateOutput('there\n');
        return 'done';
      }),
    ],
    [['c1', 'talks']],
  );
  const running = worker.run('c1');
  const outputs = async () =>
    (await factsOf(worker.sessionId)).flatMap((facts) => (facts.kind === 'output' ? [facts.text] : []));
  const first = await eventually('its first words', async () =>
    (await outputs()).length > 0 ? await outputs() : undefined,
  );
  expect(first.join('')).toMatch(/half way/);
  finish();
  await running;
  const all = (await outputs()).join('');
  expect(all).toMatch(/^key (?!sk-).*\nhalf way\nthere\n$/);
});

test('[S2.11] a cancelled tool is aborted, and the result that it returns then counts', async () => {
  const workflowExecution = { workflowId: 'x', runId };
  const begun: string[] = [];
  const worker = await aWorker(
    [
      aTool('listens', (_, { signal }) => {
        begun.push('c1');
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped at 3 of 5')));
      }),
      aTool('deaf', () => {
        begun.push('c2');
        return new Promise(() => {});
      }),
    ],
    [
      ['c1', 'listens'],
      ['c2', 'deaf'],
    ],
  );
  for (const [callId, summary] of [
    ['c1', /^stopped at 3 of 5$/],
    ['c2', /deaf was cancelled while it ran/],
  ] as const) {
    const environment = new MockActivityEnvironment(
      { workflowExecution: { ...workflowExecution, workflowId: worker.sessionId }, attempt: 1 },
      { logger },
    );
    const running = worker.run(callId, environment);
    await eventually('it runs', () => begun.includes(callId));
    environment.cancel();
    expect((await running).summary).toMatch(summary);
  }
});

test('a tool whose call is cancelled while its start is written down does not run', async () => {
  let count = 0;
  const worker = await aWorker([aTool('acts', () => `ran ${(count += 1)}`)], [['c1', 'acts']]);
  const workflowExecution = { workflowId: worker.sessionId, runId };
  const environment = new MockActivityEnvironment({ workflowExecution, attempt: 1 }, { logger });
  const running = worker.run('c1', environment);
  environment.cancel();
  expect(await running).toMatchObject({
    status: 'error',
    isCancelled: true,
    summary: 'Error: acts was cancelled before it ran.',
  });
  expect(count).toBe(0);
});

test('parallel calls publish their ends in the order of their starts', async () => {
  let finishFirst = (): void => {};
  const first = new Promise<string>((resolve) => (finishFirst = () => resolve('first')));
  const worker = await aWorker(
    [aTool('slow', () => first, { effect: 'pure' }), aTool('quick', () => 'quick', { effect: 'pure' })],
    [
      ['c1', 'slow'],
      ['c2', 'quick'],
    ],
  );
  const slow = worker.run('c1');
  await eventually('it runs', async () => (await store.toolCalls.get(worker.sessionId, 'c1'))?.status === 'executing');
  expect(await worker.run('c2')).toMatchObject({ status: 'success' });
  const ends = async () =>
    (await factsOf(worker.sessionId)).flatMap((facts) => (facts.kind === 'result' ? [facts.callId] : []));
  expect(await ends()).toEqual([]);
  finishFirst();
  await slow;
  expect(await ends()).toEqual(['c1', 'c2']);
});
