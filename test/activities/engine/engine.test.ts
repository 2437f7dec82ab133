import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import postgres from 'postgres';
import type { CommandEvidence } from '../../../contracts/commands/evidence';
import { anInterruptedCommand, anObservedCommand, anUnobservedCommand } from '../../support/evidence';
import { createEngineActivities, type EngineDeps } from '../../../activities/engine-worker';
import type { DecideInput, EngineActivities } from '../../../activities/signatures/engine-activities';
import { FLOORS } from '../../../runtime/settings/floor-definitions';
import { MAIL } from '../../../runtime/settings/mail-definitions';
import { NETWORK } from '../../../runtime/settings/network-definitions';
import { WEBHOOKS } from '../../../runtime/settings/webhook-definitions';
import { readGroup } from '../../../runtime/settings/setting';
import { createPricing } from '../../../activities/engine/models/calls/prices';
import type { Model, DecisionRequest } from '../../../contracts/model-port/port';
import type { OutboxBatch } from '../../../contracts/events/outbox';
import type { StandardError } from '../../../contracts/errors/standard-error';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { SessionStatus } from '../../../contracts/sessions/session';
import { StepStatus } from '../../../contracts/steps/step-result';
import { sessionIdOf } from '../../../store/sessions/session-id';
import type { Store } from '../../../store/store';
import { aPlan, aCommand, aRecord, aReply, aSession, aStepFor } from '../../support/builders';
import { aToolRegistry } from '../../support/engine-tools';
import { startTestStack, type TestStack } from '../../support/stack';
import { standardError } from '../../../contracts/errors/standard-error';

let stack: TestStack;
let store: Store;
const runId = 'run-1';
/** Failures are what these tests are about; the SDK would log each at WARN. */
const logger = new DefaultLogger('ERROR');

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
});
afterAll(() => stack.stop());

/** A model that gives these replies and keeps what it was asked; a reply that is an error is thrown. */
function aModel(...replies: unknown[]): { model: Model; asked: DecisionRequest[] } {
  const asked: DecisionRequest[] = [];
  const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 0 };
  return {
    asked,
    model: {
      assess: async () => {
        throw new Error('This model is not asked to assess.');
      },
      turn: async () => {
        throw new Error('This model is asked for no task.');
      },
      decide: async (question) => {
        asked.push(question);
        const reply = replies[asked.length - 1];
        if (asked.length > replies.length)
          throw new Error(`The model was asked ${asked.length} times, scripted ${replies.length}.`);
        if (reply instanceof Error) throw reply;
        return { reply, usage, model: 'fake' };
      },
    },
  };
}

function activities(model: Model = aModel().model, change: Partial<EngineDeps> = {}): EngineActivities {
  return createEngineActivities({
    store,
    ...aToolRegistry(store),
    resolveModel: () => model,
    pricing: createPricing(undefined),
    defaultModel: 'rules',
    hasSearchAttributes: true,
    pauseReleaseMs: 0,
    requestCancel: async () => {},
    ...change,
  });
}

/** Runs it as the activity of this workflow would be run. */
async function run<O>(
  workflowId: string,
  work: () => Promise<O>,
  info: { runId?: string; attempt?: number } = {},
): Promise<O> {
  const workflowExecution = { workflowId, runId: info.runId ?? runId };
  return await new MockActivityEnvironment({ workflowExecution, attempt: info.attempt ?? 1 }, { logger }).run(work);
}

async function failureOf(work: Promise<unknown>): Promise<ApplicationFailure & { record: StandardError }> {
  const failure: unknown = await work.catch((reason: unknown) => reason);
  if (!(failure instanceof ApplicationFailure))
    throw new Error(`expected an ApplicationFailure, got ${String(failure)}`);
  return Object.assign(failure, { record: failure.details?.[0] as StandardError });
}

const nothing: OutboxBatch = { records: [], patch: {}, stepResults: [] };
const plan = aPlan({ steps: ['Buy a bean'], variables: { user: 'ada' } });
const started: OutboxBatch = {
  records: [aRecord('run-1/1', { type: StreamEventType.WORKFLOW_STARTED })],
  patch: { status: SessionStatus.ACTIVE },
  stepResults: [],
};

function decideInput(sessionId: string, change: Partial<DecideInput> = {}): DecideInput {
  return {
    sessionId,
    stepIndex: 0,
    turn: 0,
    step: aStepFor('fake'),
    mayAct: true,
    outbox: nothing,
    ...change,
  };
}

const typesOf = async (sessionId: string) => (await store.log.read(sessionId, 0, 100)).map((record) => record.type);

test('further steps are read as far as the plan goes; one that a database has lost is a sentence', async () => {
  const sessionId = await aSession(store, { plan: aPlan({ steps: ['a', 'b', 'c'] }) });
  const read = (stepIndex: number) => run(sessionId, () => activities().readSteps({ sessionId, stepIndex, count: 2 }));
  expect((await read(1)).map(({ instruction }) => instruction)).toEqual(['b', 'c']);
  expect((await read(2)).map(({ instruction }) => instruction)).toEqual(['c']);
  const failure = await failureOf(read(3));
  expect(failure).toMatchObject({ type: 'CM004', nonRetryable: true });
  expect(failure.record.message).toBe(`Session ${sessionId} has no step 4 in its plan.`);
});

describe('openSession', () => {
  test('leaves a session of a version that does not fit alone, with SM003', async () => {
    const sessionId = await aSession(store);
    const sql = postgres(stack.databaseUrl, { max: 1 });
    await sql`update sessions set version = '2.0.0' where session_id = ${sessionId}`;
    await sql.end();
    const open = () => activities().openSession({ plan, outbox: started });
    const failure = await failureOf(run(sessionId, open));
    expect(failure).toMatchObject({ type: 'SM003', nonRetryable: true });
    expect(failure.record.message).toContain(
      'the stored session (2.0.0) and step-processor (1.0.0) can not work together',
    );
    expect(await store.sessions.get(sessionId)).toMatchObject({ runId: null, status: 'INITIALIZING', lastSeq: 0 });
  });

  test('[S1.A1] a change of status that is not legal is refused as a fault of the request, for good', async () => {
    const sessionId = await aSession(store);
    const outbox = { ...started, patch: { status: SessionStatus.COMPLETED } };
    const failure = await failureOf(run(sessionId, () => activities().openSession({ plan, outbox })));
    expect(failure).toMatchObject({ type: 'SP001', nonRetryable: true });
    expect(failure.record).toMatchObject({ code: 'SP001', category: 'VALIDATION', retryable: false });
    expect(failure.record.message).toBe(`Session ${sessionId} is INITIALIZING and can not become COMPLETED.`);
  });

  test('makes and claims the row of a session of plain Temporal, and publishes its model and variables', async () => {
    const workflowId = `buy ${randomUUID()}`;
    const sessionId = sessionIdOf(workflowId);
    const open = () => activities().openSession({ plan, outbox: started });
    const opened = await run(workflowId, open);
    expect(opened).toEqual({
      sessionId,
      defaultModel: 'rules',
      connectionModels: { default: 'rules' },
      smallConnections: [],
      hasSearchAttributes: true,
      decidesAtBrowser: true,
      stepsInARow: true,
      pauseReleaseMs: 0,
    });
    expect(await store.sessions.get(sessionId)).toMatchObject({ workflowId, runId, status: 'ACTIVE', lastSeq: 2 });
    expect(await store.variables.ofSession(sessionId)).toMatchObject([{ name: 'user', value: 'ada' }]);
    expect(await run(workflowId, open, { attempt: 2 })).toEqual(opened);
    expect(await typesOf(sessionId)).toEqual(['WORKFLOW_STARTED', 'VARIABLE_UPDATED']);
    const [begun, given] = await store.log.read(sessionId, 0, 10);
    expect(begun!.data.details).toMatchObject({ model: 'rules' });
    expect(given).toMatchObject({
      owner: 'executor',
      data: { variable: { name: 'user', value: 'ada', source: 'user_input' } },
    });
  });

  test.each([
    [{}, true],
    [{ SUREFOOT_APPROVAL_FLOOR: 'default' }, false],
    [{ SUREFOOT_ALLOWED_MODELS: 'ai:openai/*' }, false],
  ])('with the settings %j, the worker that has the page decides by itself: %s', async (env, decidesAtBrowser) => {
    const floors = readGroup({ ...FLOORS, ...NETWORK, ...WEBHOOKS, ...MAIL }, env);
    const open = () => activities(undefined, { floors }).openSession({ outbox: nothing });
    expect(await run(await aSession(store, { runId }), open)).toMatchObject({ decidesAtBrowser });
  });

  test('asks for the plan where the row is gone, and then makes it anew', async () => {
    const workflowId = randomUUID();
    const opening = { hasPlan: true, outbox: started } as const;
    expect(await run(workflowId, () => activities().openSession(opening))).toBeNull();
    expect(await store.sessions.get(workflowId)).toBeNull();
    await run(workflowId, () => activities().openSession({ plan, outbox: started }));
    expect(await store.sessions.get(workflowId)).toMatchObject({ runId, status: 'ACTIVE', plan });
  });

  test('takes the row that the API has made, and publishes the model and variables of its plan', async () => {
    const sessionId = await aSession(store, { plan });
    const before = await store.sessions.get(sessionId);
    await run(sessionId, () => activities().openSession({ hasPlan: true, outbox: started }));
    expect(await typesOf(sessionId)).toEqual(['WORKFLOW_STARTED', 'VARIABLE_UPDATED']);
    expect((await store.log.read(sessionId, 0, 1))[0]!.data.details).toMatchObject({ model: 'rules' });
    const after = await store.sessions.get(sessionId);
    expect(after).toMatchObject({ runId, executorSessionId: before?.executorSessionId, plan: before?.plan });
  });

  test('hands the session over to the run that continues it', async () => {
    const sessionId = await aSession(store, { runId });
    await run(sessionId, () => activities().openSession({ continuedFrom: runId, outbox: nothing }), {
      runId: 'run-2',
    });
    expect(await store.sessions.get(sessionId)).toMatchObject({ runId: 'run-2' });
  });

  test('refuses a run that came out of a reset, for good, and writes nothing', async () => {
    const sessionId = await aSession(store, { runId });
    const work = run(sessionId, () => activities().openSession({ plan, outbox: started }), { runId: 'reset' });
    const failure = await failureOf(work);
    expect(failure).toMatchObject({ type: 'SessionSuperseded', nonRetryable: true });
    expect(failure.record).toMatchObject({ code: 'SP002', retryable: false });
    expect(await typesOf(sessionId)).toEqual([]);
    expect(await store.sessions.get(sessionId)).toMatchObject({ runId });
  });
});

describe('what is stored of a session', () => {
  const blank: PageSnapshot = { snapshotId: 'l1', url: '', title: '', tabs: [], nodes: [] };

  /** The second question of a step, after something in the store was changed by hand. */
  async function secondQuestion(
    change: (sql: postgres.Sql, sessionId: string) => Promise<unknown>,
  ): Promise<StandardError> {
    const sessionId = await aSession(store, { runId });
    await store.memory.saveSnapshot(sessionId, {}, blank);
    const reply = aReply({ decision: 'RETRY', commands: [aCommand('GET_DOM', {})] });
    const { model, asked } = aModel(reply, reply);
    await run(sessionId, () => activities(model).decide(decideInput(sessionId)));
    const sql = postgres(stack.databaseUrl, { max: 1 });
    await change(sql, sessionId);
    await sql.end();
    const input = decideInput(sessionId, { turn: 1 });
    const failure = await failureOf(run(sessionId, () => activities(model).decide(input)));
    expect([failure.nonRetryable, asked.length]).toEqual([true, 1]);
    return failure.record;
  }

  test('[S1.38] a reply that can not be read as one is CM004, and the model is not asked', async () => {
    const record = await secondQuestion(
      (sql, id) => sql`update replies set reply = '{"decision": {"action": "MAYBE"}}' where session_id = ${id}`,
    );
    expect(record).toMatchObject({
      code: 'CM004',
      category: 'SYSTEM',
      severity: 'CRITICAL',
      recoverable: false,
      retryable: false,
      stepIndex: 0,
      moduleId: 'ai-context-manager',
      message: expect.stringContaining('decision.action'),
      suggestedAction: expect.any(String),
    });
  });

  test('[S1.38] a stored snapshot of another form is CM004', async () => {
    const record = await secondQuestion(
      (sql, id) => sql`update page_snapshots set newest = '[]' where session_id = ${id}`,
    );
    expect(record).toMatchObject({ code: 'CM004', message: expect.stringContaining('page snapshot') });
  });

  test('[S1.38, S1.R22, S1.36.7] parts that do not make a whole are CM003, with the reason as its cause', async () => {
    const record = await secondQuestion((sql, id) => sql`update replies set commands = '[]' where session_id = ${id}`);
    expect(record).toMatchObject({
      code: 'CM003',
      category: 'EXECUTION',
      severity: 'MEDIUM',
      recoverable: true,
      retryable: true,
      cause: { message: 'Reply 0 has 1 commands, and 0 were planned for it.' },
    });
  });

  test('[S1.38] a system prompt that is not there is a warning with PM001, once; the model is asked', async () => {
    const sessionId = await aSession(store, { runId });
    await store.memory.saveSnapshot(sessionId, {}, blank);
    const reply = aReply({ decision: 'RETRY', commands: [aCommand('GET_DOM', {})] });
    const { model, asked } = aModel(reply, reply);
    const systemPromptFile = '/nowhere/system.md';
    for (const turn of [0, 1]) {
      const input = decideInput(sessionId, { turn });
      await run(sessionId, () => activities(model, { systemPromptFile }).decide(input));
    }
    expect(asked).toHaveLength(2);
    const warnings = (await store.log.read(sessionId, 0, 100)).flatMap(({ data }) => data.warning ?? []);
    expect(warnings).toMatchObject([{ code: 'PM001', sessionId, message: expect.stringContaining(systemPromptFile) }]);
  });

  test('[S1.38] a reply that does not judge what was tried before says so', async () => {
    const sessionId = await aSession(store, { runId });
    await store.memory.saveSnapshot(sessionId, {}, blank);
    const silentReply = aReply({ decision: 'RETRY', commands: [aCommand('GET_DOM', {})] });
    const resultValidation = { success: true, expectedElements: [], actualState: 'It is there.' };
    const judging = { ...silentReply, decision: { ...silentReply.decision, resultValidation } };
    const { model } = aModel(silentReply, silentReply, judging);
    const judged = [];
    for (const turn of [0, 1, 2])
      judged.push((await run(sessionId, () => activities(model).decide(decideInput(sessionId, { turn })))).validation);
    expect(judged).toEqual([undefined, 'missing', 'passed']);
  });
});

describe('decide', () => {
  const look: PageSnapshot = {
    snapshotId: 'l1',
    url: 'https://shop.test/',
    title: 'Shop',
    tabs: [],
    nodes: [
      { role: 'button', name: 'Buy', ref: 'e1' },
      { role: 'button', name: 'Buy', ref: 'e2' },
    ],
  };

  test('asks once and answers the same on every attempt, with its events in the log once', async () => {
    const sessionId = await aSession(store, { runId });
    await store.memory.saveSnapshot(sessionId, {}, look);
    const { model, asked } = aModel(
      aReply({ commands: [aCommand('CLICK_ELEMENT', { selector: 'ref=e2' }), aCommand('GET_DOM', {})] }),
    );
    const outbox = { ...nothing, records: [aRecord('run-1/5', { type: StreamEventType.STEP_STARTED })] };
    const decide = () => activities(model).decide(decideInput(sessionId, { outbox }));
    const first = await run(sessionId, decide);
    expect(await run(sessionId, decide, { attempt: 2 })).toEqual(first);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      instruction: 'Buy a bean',
      iteration: 0,
      mayAct: true,
      pastIterations: [],
      snapshot: look,
      variables: [],
    });
    expect(first).toEqual({
      decision: 'PROCEED',
      message: 'done',
      spent: { tokens: 0 },
      confidence: 0.9,
      reasoning: 'I looked.\nIt fits.',
      model: 'fake',
      commands: [
        {
          commandId: `${sessionId}.0.0.0`,
          action: 'CLICK_ELEMENT',
          // Never the ref: it means nothing in any other look.
          parameters: { selector: 'role=button[name="Buy"s] >> nth=1' },
          target: { selector: 'role=button[name="Buy"s]', role: 'button', name: 'Buy', nth: 1, of: 2 },
        },
        { commandId: `${sessionId}.0.0.1`, action: 'GET_DOM', parameters: {} },
      ],
    });
    expect(await typesOf(sessionId)).toEqual(['STEP_STARTED', 'AI_REASONING', 'AI_RESPONSE_RECEIVED']);
  });

  test('gives the model the results of its earlier replies', async () => {
    const sessionId = await aSession(store, { runId });
    const { model, asked } = aModel(aReply({ decision: 'RETRY', commands: [aCommand(), aCommand()] }), aReply({}));
    const { decide } = activities(model);
    const { commands } = await run(sessionId, () => decide(decideInput(sessionId)));
    const [{ commandId, action, parameters }] = commands as [(typeof commands)[0]];
    const intent = {
      commandId,
      action,
      parameters,
      stepIndex: 0,
      turn: 0,
      position: 0,
      effect: 'commit',
      pageUrl: '',
    } as const;
    await store.journal.intend(sessionId, { runId }, intent, []);
    const response = { success: true, commandId, screenshotId: '', duration: 1 };
    const evidence = anObservedCommand({ urlAfter: '/thanks' });
    await store.journal.finish(sessionId, { runId }, { commandId, status: 'done', response, evidence }, []);
    await run(sessionId, () => decide(decideInput(sessionId, { turn: 1 })));
    expect(asked[1]?.pastIterations).toMatchObject([
      { decision: { action: 'RETRY' }, outcomes: [{ status: 'done', evidence }, { status: 'skipped' }] },
    ]);
  });

  test('TL003: a reply that does not fit the schema is refused with every fault, and asked for again', async () => {
    const sessionId = await aSession(store, { runId });
    const { model } = aModel({ decision: { action: 'MAYBE', message: '' }, commands: [] }, aReply({}));
    const decide = () => activities(model).decide(decideInput(sessionId));
    const failure = await failureOf(run(sessionId, decide));
    expect(failure).toMatchObject({ type: 'TL003', nonRetryable: true });
    expect(failure.record).toMatchObject({ code: 'TL003', retryable: true, sessionId, stepIndex: 0 });
    expect(failure.message).toMatch(/decision\.action: .*reasoning: /);
    expect(await typesOf(sessionId)).toEqual([]);
    expect(await run(sessionId, decide)).toMatchObject({ decision: 'PROCEED' });
  });

  test('a run that does not own the session any more neither asks the model nor writes', async () => {
    const sessionId = await aSession(store, { runId });
    const { model, asked } = aModel(aReply({}));
    const input = decideInput(sessionId, { outbox: { ...nothing, records: [aRecord('x/1')] } });
    const failure = await failureOf(run(sessionId, () => activities(model).decide(input), { runId: 'reset' }));
    expect(failure.type).toBe('SessionSuperseded');
    expect(asked).toEqual([]);
    expect(await typesOf(sessionId)).toEqual([]);
  });

  test('a model that breaks unexpectedly is tried three times by Temporal, then its failure is final', async () => {
    const sessionId = await aSession(store, { runId });
    const { model } = aModel(...[1, 2, 3].map(() => new Error('oops')));
    for (const attempt of [1, 2, 3]) {
      const work = run(sessionId, () => activities(model).decide(decideInput(sessionId)), { attempt });
      expect(await failureOf(work)).toMatchObject({ type: 'TL002', message: 'oops', nonRetryable: attempt === 3 });
    }
  });
});

test.each(['ABORT', 'RETRY'] as const)(
  '[S1.R22] a last reply %s has the error of the command before it as its cause',
  async (decision) => {
    const sessionId = await aSession(store, { runId });
    const commands = [aCommand('OPEN_PAGE', { url: 'http://127.0.0.1:1/slow' })];
    const { model } = aModel(aReply({ commands }), aReply({ decision, commands }));
    await run(sessionId, () => activities(model).decide(decideInput(sessionId)));
    const commandId = `${sessionId}.0.0.0`;
    const { action, parameters } = commands[0]!;
    const place = { stepIndex: 0, turn: 0, position: 0, pageUrl: 'about:blank', effect: 'idempotent' } as const;
    await store.journal.intend(sessionId, {}, { commandId, action, parameters, ...place }, []);
    const error = standardError({
      id: 'e1',
      timestamp: new Date(0),
      code: 'EX004',
      message: 'The page did not load within 2 s.',
      details: { url: '/slow' },
    });
    const response = { success: false, commandId, screenshotId: '', duration: 2000, error };
    await store.journal.finish(sessionId, {}, { commandId, status: 'failed', response, error }, []);
    const answer = await run(sessionId, () =>
      activities(model).decide(decideInput(sessionId, { turn: 1, mayAct: false })),
    );
    expect(answer.cause).toMatchObject({ code: 'EX004', message: error.message });
    expect(answer.cause).not.toHaveProperty('details');
  },
);

describe('decide, of a commit of unknown outcome', () => {
  const filledIn = anObservedCommand();
  const lost = anInterruptedCommand();

  /** A reply that checked a box and clicked; nobody saw the click end. */
  async function lostClick(evidence: CommandEvidence): Promise<{ sessionId: string; commandId: string }> {
    const sessionId = await aSession(store, { runId });
    const commands = [aCommand('SET_CHECKED', { selector: '#terms', checked: true }), aCommand()];
    await run(sessionId, () => activities(aModel(aReply({ commands })).model).decide(decideInput(sessionId)));
    for (const [position, { action, parameters }] of commands.entries()) {
      const commandId = `${sessionId}.0.0.${position}`;
      const effect = position === 0 ? 'idempotent' : 'commit';
      const intent = {
        commandId,
        stepIndex: 0,
        turn: 0,
        position,
        action,
        parameters,
        effect,
        pageUrl: '/checkout',
      } as const;
      const response = { success: position === 0, commandId, screenshotId: '', duration: 0 };
      const status = position === 0 ? 'done' : 'unknown';
      await store.journal.intend(sessionId, {}, { ...intent, target: { role: 'button', name: 'Buy' } }, []);
      await store.journal.finish(
        sessionId,
        {},
        { commandId, status, response, evidence: position === 0 ? filledIn : evidence },
        [],
      );
    }
    return { sessionId, commandId: `${sessionId}.0.0.1` };
  }
  const requests = Array.from({ length: 9 }, (_, n) => ({
    at: 'now',
    method: 'POST',
    url: `/orders/${n}`,
    resourceType: 'Document',
  }));

  test('returns to the workflow what is known, in short, and how the model judges it', async () => {
    const { sessionId, commandId } = await lostClick(
      anUnobservedCommand({ eventDelivered: true, urlAfter: '/orders', requests }),
    );
    const reply = { ...aReply({ decision: 'ABORT' }), context: { unknownOutcome: 'cannot-know' } };
    const answer = await run(sessionId, () =>
      activities(aModel(reply).model).decide(decideInput(sessionId, { turn: 1 })),
    );
    expect(answer.judgement).toBe('cannot-know');
    expect(answer.unknownCommits).toEqual([
      {
        commandId,
        action: 'CLICK_ELEMENT',
        what: 'button "Buy"',
        target: { role: 'button', name: 'Buy' },
        urlBefore: '/checkout',
        urlAfter: '/orders',
        eventDelivered: true,
        requests: requests.slice(0, 5).map(({ method, url }) => ({ method, url })),
        isJudged: false,
      },
    ]);
  });

  test.each([
    ['happened: it stays as it was, and so does what was filled in for it', true, [filledIn, lost]],
    [
      'did not happen: what was filled in for it went with its browser',
      false,
      [{ ...filledIn, lostWith: 'browser' }, lost],
    ],
  ])('gives the model the answer of a person that it %s', async (_what, happened, evidence) => {
    const { sessionId, commandId } = await lostClick(lost);
    const { model, asked } = aModel(aReply({}));
    const at = new Date().toISOString();
    const outbox = { ...nothing, resolutions: [{ commandId, by: 'person', happened, at } as const] };
    const answer = await run(sessionId, () => activities(model).decide(decideInput(sessionId, { turn: 1, outbox })));
    expect(answer).not.toHaveProperty('unknownCommits');
    const outcomes = asked[0]?.pastIterations[0]?.outcomes;
    expect(outcomes?.map((outcome) => outcome.evidence)).toEqual(evidence);
    expect(outcomes?.map(({ resolution }) => resolution)).toEqual([undefined, { by: 'person', happened }]);
  });

  test('marks one that an earlier reply took as done as judged', async () => {
    const { sessionId, commandId } = await lostClick(lost);
    const at = new Date().toISOString();
    const outbox = { ...nothing, resolutions: [{ commandId, by: 'model', happened: true, at } as const] };
    const { model } = aModel(aReply({}));
    const answer = await run(sessionId, () => activities(model).decide(decideInput(sessionId, { turn: 1, outbox })));
    expect(answer.unknownCommits).toMatchObject([{ commandId, isJudged: true }]);
    expect(answer.unknownCommits?.[0]).not.toHaveProperty('eventDelivered');
  });
});

test('publishEvents: the results of steps stand before anyone can read that they ended', async () => {
  const sessionId = await aSession(store, { runId });
  const result = {
    stepIndex: 0,
    status: StepStatus.COMPLETED,
    reasoning: 'r',
    durationMs: 5,
    page: { screenshotId: '', url: 'u' },
  };
  const records = [aRecord('run-1/1', { type: StreamEventType.STEP_COMPLETED, stepIndex: 0 })];
  const publish = () =>
    activities().publishEvents({
      sessionId,
      outbox: { records, patch: { currentStep: 1 }, stepResults: [result] },
    });
  await run(sessionId, publish);
  await run(sessionId, publish, { attempt: 2 });
  expect(await store.memory.stepResults(sessionId)).toEqual([result]);
  expect(await typesOf(sessionId)).toEqual(['STEP_COMPLETED']);
  expect(await store.sessions.get(sessionId)).toMatchObject({ currentStep: 1 });
});

test('abandonSession: ends the log of the session of its workflow, from what the log says', async () => {
  const sessionId = await aSession(store, { runId });
  const { record: error } = await failureOf(
    run(sessionId, () => activities().publishEvents({ sessionId, outbox: started }), { runId: 'reset' }),
  );
  await run(sessionId, () => activities().abandonSession({ error, stepIndex: 0 }), { runId: 'reset' });
  expect(await typesOf(sessionId)).toEqual(['SESSION_STATUS', 'WORKFLOW_FAILED']);
  expect(await store.sessions.get(sessionId)).toMatchObject({
    status: 'FAILED',
    closed: true,
    error: { code: 'SP002' },
  });
});

test('storeSteps and requestCancel reach the session and the run that called', async () => {
  const sessionId = await aSession(store, { runId });
  const cancelled: string[][] = [];
  const requestCancel = async (...ids: string[]) => void cancelled.push(ids);
  const { storeSteps, requestCancel: cancel } = activities(undefined, { requestCancel });
  const { steps } = aPlan({ steps: ['Open the shop', 'Pay'] });
  await run(sessionId, () => storeSteps({ sessionId, steps, firstIndex: 0 }));
  expect((await store.sessions.get(sessionId))?.plan.steps).toEqual(steps);
  await run(sessionId, () => cancel({}));
  expect(cancelled).toEqual([[sessionId, runId]]);
});
