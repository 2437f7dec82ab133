import { ENGINE_QUEUE } from '../../contracts/queues';
import { StepProcessingResultSchema } from '../../contracts/sessions/processing';
import { SessionStatus } from '../../contracts/sessions/session';
import type { PlannedStart } from '../../contracts/sessions/start-request';
import { MAX_REQUEST_BYTES } from '../../contracts/sessions/size-limits';
import { aPlan, bodyOf, endSession, post, startTestApi, type TestApi } from './fixture';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const start = (body: unknown, headers: Record<string, string> = {}) =>
  api.app.request('/v1/sessions', post(body, headers));
const totalSessions = async () => (await bodyOf(api.app.request('/v1/sessions'))).pagination.total as number;

test('[S1.A27, S1.A37] a start answers 202 at once with ids and links, and Temporal has the workflow', async () => {
  const response = await start({
    steps: ['open http://127.0.0.1/', { instruction: 'click\n "Buy"', maxIterations: 3 }],
  });
  expect(response.status).toBe(202);
  const body = await bodyOf(response);
  const { sessionId, streamId } = body.data;
  expect(StepProcessingResultSchema.parse(body.data)).toMatchObject({ sessionId, createdAt: expect.any(Date) });
  const self = `/v1/sessions/${sessionId}`;
  expect(body).toMatchObject({
    success: true,
    data: { status: 'INITIALIZING', initialStatus: 'INITIALIZING', isNew: true, totalSteps: 2, warnings: [] },
    metadata: { version: '1.0.0' },
  });
  expect(body.data.links).toEqual({
    self,
    events: `${self}/events`,
    stream: `${self}/events`,
    screenshots: `${self}/screenshots`,
    temporal: `http://temporal.test/workflows/${sessionId}`,
    docs: '/docs',
  });
  expect(response.headers.get('location')).toBe(self);
  expect(streamId).toMatch(/^[0-9a-f-]{36}$/);

  const temporal = await api.stack.temporal();
  const handle = temporal.workflow.getHandle(sessionId);
  const workflow = await handle.describe();
  expect(workflow).toMatchObject({
    type: 'session',
    taskQueue: ENGINE_QUEUE,
    status: { name: 'RUNNING' },
    memo: { steps: ['open http://127.0.0.1/', 'click\n "Buy"'] },
  });
  expect(await workflow.staticSummary()).toBe('open http://127.0.0.1/ → click "Buy"');
  expect(await workflow.staticDetails()).toBe('1. open http://127.0.0.1/\n2. click "Buy"');
});

test('[S1.R14] the workflow may wait for a year beyond its active time before Temporal ends it', async () => {
  const { data } = await bodyOf(start({ steps: ['open http://127.0.0.1/'], config: { maxExecutionTime: 60_000 } }));
  const { workflow } = await api.stack.temporal();
  const { raw } = await workflow.getHandle(data.sessionId).describe();
  const { workflowExecutionTimeout, workflowRunTimeout } = raw.executionConfig ?? {};
  for (const timeout of [workflowExecutionTimeout, workflowRunTimeout])
    expect(Number(timeout?.seconds)).toBe(60 + 365 * 86_400);
});

test('a session of a hundred long steps is not too much for Temporal', async () => {
  const steps = Array.from({ length: 100 }, (_, index) => `${index} ${'ü"'.repeat(490)}`);
  expect((await start({ steps })).status).toBe(202);
});

test('a session of ten thousand steps is stored whole, and its workflow is given the first hundred', async () => {
  const steps = Array.from({ length: 10_000 }, (_, index) => `Go back ${index}`);
  const { data } = await bodyOf(start({ steps }));
  const row = await api.store.sessions.get(data.sessionId);
  expect(row?.plan.steps.map(({ instruction }) => instruction)).toEqual(steps);
  const { workflow } = await api.stack.temporal();
  const { events } = await workflow.getHandle(row!.workflowId).fetchHistory();
  const [input] = events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;
  const given = JSON.parse(Buffer.from(input!.data!).toString()) as PlannedStart;
  expect([given.plan.steps.length, given.furtherSteps]).toEqual([100, 9900]);
});

test('the same request under the same Idempotency-Key is the same session, also after it has ended', async () => {
  const request = { steps: ['open http://127.0.0.1/'], config: { metadata: { ticket: 7 }, maxIterations: 4 } };
  const headers = { 'idempotency-key': 'order-7' };
  const first = await bodyOf(start(request, headers));
  const [second, third] = await Promise.all([bodyOf(start(request, headers)), bodyOf(start(request, headers))]);
  expect([second, third].map(({ data }) => [data.sessionId, data.isNew])).toEqual([
    [first.data.sessionId, false],
    [first.data.sessionId, false],
  ]);
  await api.store.sessions.addSteps(first.data.sessionId, aPlan({ steps: ['added later'] }).steps, 1);
  await api.store.log.append(first.data.sessionId, [
    {
      eventId: 'start',
      owner: 'step-processor',
      type: 'WORKFLOW_STARTED' as never,
      at: new Date().toISOString(),
      data: { details: { totalSteps: 1 } },
    },
  ]);
  await endSession(api.store, first.data.sessionId);
  const again = await bodyOf(start(request, headers));
  expect(again.data).toMatchObject({ sessionId: first.data.sessionId, isNew: false, status: SessionStatus.COMPLETED });
});

test('another request under the same Idempotency-Key is refused', async () => {
  const headers = { 'idempotency-key': 'order-8' };
  const first = await bodyOf(start({ steps: ['open http://127.0.0.1/'] }, headers));
  const response = await start({ steps: ['open http://127.0.0.1/other'] }, headers);
  expect(response.status).toBe(422);
  const { error } = await bodyOf(response);
  expect(error.message).toContain(first.data.sessionId);
  expect(error).toMatchObject({ code: 'SP001', retryable: false });
});

const STEP = 'open http://127.0.0.1/';
const refused: [string, unknown, string, string[]][] = [
  ['no steps at all', {}, 'FA001', ['steps']],
  ['an empty list of steps', { steps: [] }, 'FA001', ['steps']],
  ['a step without words', { steps: [STEP, '  '] }, 'FA001', ['steps[1]']],
  ['a step of 1,001 characters', { steps: ['x'.repeat(1001)] }, 'FA001', ['steps[0]']],
  ['10,001 steps', { steps: Array.from({ length: 10_001 }, () => 'a') }, 'FA001', ['steps']],
  ['an unknown field', { steps: [STEP], step: 1 }, 'FA001', ['step']],
  ['an unknown field inside', { steps: [{ instruction: STEP, tries: 2 }] }, 'FA001', ['steps[0].tries']],
  [
    'several wrong paths at once',
    { steps: [STEP], config: { maxIterations: 0, aiConfig: { temperature: 3 } } },
    'FA001',
    ['config.aiConfig.temperature', 'config.maxIterations'],
  ],
  ['a variable with a bad name', { steps: [STEP], variables: { '1st': 'x' } }, 'FA001', ['variables.1st']],
  ['a body that is a list', [STEP], 'FA001', ['']],
  [
    'a broken timeout hierarchy (S1.R14)',
    { steps: [STEP], config: { timeouts: { workflowTimeoutMs: 1000, stepTimeoutMs: 2000 } } },
    'SP001',
    ['config.timeouts'],
  ],
  [
    'firefox with a person to ask, whose answer nobody could keep to there',
    { steps: [STEP], config: { browserType: 'firefox', agent: { approvalMode: 'default' } } },
    'SP001',
    ['config.agent.approvalMode'],
  ],
  [
    'webkit, by its other name, for a task that asks a person',
    { steps: [{ task: STEP }], config: { executorConfig: { browserType: 'webkit' } } },
    'SP001',
    ['steps[0].task'],
  ],
  [
    'a model of a provider that there is none of',
    { steps: [STEP], config: { aiConfig: { model: 'acme/big-1' } } },
    'SP001',
    ['config.aiConfig.model'],
  ],
  [
    'two names for one setting that differ (S1.A39)',
    { steps: [STEP], config: { aiConnectionId: 'a', aiConfig: { connectionId: 'b' } } },
    'SP001',
    ['config.aiConnectionId'],
  ],
  [
    'a model connection that there is none of',
    { steps: [STEP], config: { aiConnectionId: 'team-b' } },
    'SP001',
    ['config.aiConnectionId'],
  ],
  [
    'a model of another vendor than its connection has, in a step',
    {
      steps: [{ instruction: STEP, aiConfig: { model: 'ai:anthropic/claude' } }],
      config: { aiConnectionId: 'team-a' },
    },
    'SP001',
    ['steps[0].aiConfig.model'],
  ],
  [
    'a model connection that there is none of, in a step (S1.57.7)',
    { steps: [STEP, { instruction: STEP, aiConfig: { connectionId: 'team-b' } }] },
    'SP001',
    ['steps[1].aiConfig.connectionId'],
  ],
  [
    'a model of another vendor than its own connection has, in a task',
    { steps: [{ task: STEP, aiConfig: { connectionId: 'team-a', model: 'ai:anthropic/claude' } }] },
    'SP001',
    ['steps[0].aiConfig.model'],
  ],
  [
    'dependent steps at the same time',
    { steps: [STEP, 'click "Pay"'], config: { parallelExecution: true } },
    'SP001',
    ['steps[1]'],
  ],
];

test('a session may name a model connection that there is', async () => {
  const { data } = await bodyOf(start({ steps: [STEP], config: { aiConnectionId: 'team-a' } }));
  const details = await bodyOf(api.app.request(`/v1/sessions/${data.sessionId}`));
  expect(details.data.session).toMatchObject({ aiConnectionId: 'team-a' });
});

test('[S1.57.7] a step may name a model connection that there is, and is given back with it', async () => {
  const steps = [
    { instruction: STEP, aiConfig: { connectionId: 'team-a' } },
    { instruction: STEP, aiConfig: { connectionId: 'default', model: 'rules' } },
  ];
  const { data } = await bodyOf(start({ steps }));
  const details = await bodyOf(api.app.request(`/v1/sessions/${data.sessionId}`));
  expect(details.data.request.steps).toEqual([
    { instruction: STEP, aiConfig: { connectionId: 'team-a' } },
    { instruction: STEP, aiConfig: { model: 'rules' } },
  ]);
  const added = await api.app.request(
    `/v1/sessions/${data.sessionId}/steps`,
    post({ steps: [{ instruction: STEP, aiConfig: { connectionId: 'team-b' } }] }),
  );
  expect(added.status).toBe(400);
  expect((await bodyOf(added)).error.details.issues).toMatchObject([{ path: 'steps[0].aiConfig.connectionId' }]);
});

test('a step that is added on a model of another vendor than its connection has is refused with the path', async () => {
  const { data } = await bodyOf(start({ steps: [STEP], config: { aiConnectionId: 'team-a' } }));
  const steps = [STEP, { instruction: STEP, aiConfig: { model: 'ai:anthropic/claude' } }];
  const refusedSteps = await api.app.request(`/v1/sessions/${data.sessionId}/steps`, post({ steps }));
  expect(refusedSteps.status).toBe(400);
  const { error } = await bodyOf(refusedSteps);
  expect(error.details.issues).toMatchObject([{ path: 'steps[1].aiConfig.model' }]);
  expect(error.message).toContain('the connection “team-a”');
});

test('[S1.1.3] enableStreaming: false gives no stream and no streamId; its events are read as pages', async () => {
  const { data } = await bodyOf(start({ steps: [STEP], config: { enableStreaming: false } }));
  const details = await bodyOf(api.app.request(`/v1/sessions/${data.sessionId}`));
  for (const answered of [data, data.links, details.data.session])
    expect(Object.keys(answered)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^stream/)]));
  const events = `/v1/sessions/${data.sessionId}/events`;
  const stream = await api.app.request(events, { headers: { accept: 'text/event-stream' } });
  expect(stream.status).toBe(409);
  expect((await bodyOf(stream)).error.message).toContain('enableStreaming: false');
  expect((await api.app.request(events)).status).toBe(200);
});

test.each(refused)('%s is refused with the path, and nothing is started', async (_what, body, code, paths) => {
  const before = await totalSessions();
  const response = await start(body);
  expect(response.status).toBe(400);
  const { success, error } = await bodyOf(response);
  expect([success, error.code, error.retryable]).toEqual([false, code, false]);
  expect(error.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
  for (const { message } of error.details.issues) expect(error.message).toContain(message);
  expect(await totalSessions()).toBe(before);
});

test('malformed JSON, another content type and a body over the limit are refused in words', async () => {
  const malformed = await start('{"steps": [');
  expect(malformed.status).toBe(400);
  expect((await bodyOf(malformed)).error).toMatchObject({ code: 'FA001', message: 'Malformed JSON in request body.' });

  const text = await start('{"steps": ["x"]}', { 'content-type': 'text/plain' });
  expect(text.status).toBe(415);
  expect((await bodyOf(text)).error.message).toContain('Content-Type: application/json, got text/plain');

  const large = await start(
    JSON.stringify({ steps: ['x'], config: { metadata: { note: 'x'.repeat(MAX_REQUEST_BYTES) } } }),
  );
  expect(large.status).toBe(413);
  expect((await bodyOf(large)).error).toMatchObject({ code: 'FA001', details: { limitBytes: 1_048_576 } });
});

test('an Idempotency-Key that is too long is refused', async () => {
  const response = await start({ steps: [STEP] }, { 'idempotency-key': 'k'.repeat(256) });
  expect(response.status).toBe(400);
  expect((await bodyOf(response)).error.details.issues).toEqual([
    { path: 'Idempotency-Key', message: 'expected 1 to 255 characters, got 256' },
  ]);
});

test('a session that begins later says when; a time without an offset, or too far away, is refused', async () => {
  const notBefore = new Date(Date.now() + 3_600_000).toISOString();
  const { data } = await bodyOf(start({ steps: [STEP], notBefore }));
  expect((await bodyOf(api.app.request(`/v1/sessions/${data.sessionId}`))).data).toMatchObject({ notBefore });
  for (const [wrong, message] of [
    ['2026-03-01T03:00:00', 'notBefore: expected a time with its offset'],
    ['2200-03-01T03:00:00Z', 'notBefore: expected a time in the next 180 days'],
  ]) {
    const response = await start({ steps: [STEP], notBefore: wrong });
    expect(response.status).toBe(400);
    expect((await bodyOf(response)).error.message).toContain(message);
  }
});
