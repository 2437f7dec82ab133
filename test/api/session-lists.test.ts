import { CommandAction, type BrowserAction } from '../../contracts/commands/commands';
import { paginatedResponseSchema } from '../../contracts/api';
import { ScreenshotInfoSchema, VariableInfoSchema } from '../../contracts/sessions/resources';
import { SessionStatus, WorkflowSessionSchema } from '../../contracts/sessions/session';
import { StepStatus } from '../../contracts/steps/step-result';
import { aSession, bodyOf, endSession, post, startTestApi, type TestApi } from './fixture';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const DOM = '<html><body>Thank you ü</body></html>';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

async function intend(sessionId: string, commandId: string, position: number, action: BrowserAction): Promise<void> {
  const intent = {
    commandId,
    stepIndex: 0,
    turn: 0,
    position,
    action,
    parameters: {},
    effect: 'pure' as const,
    pageUrl: '',
  };
  await api.store.journal.intend(sessionId, {}, intent, []);
}

/** One completed step of two commands, one of them failed; the second step's only command is under way. */
async function aRunSession(domFacts: object = {}): Promise<string> {
  const { store } = api;
  const sessionId = await aSession(store, {
    steps: ['look', 'buy'],
    config: { metadata: { ticket: 7 } },
    variables: { user: 'ada', password: { env: 'SHOP_PASSWORD' } },
  });
  await store.artifacts.save({
    sessionId,
    artifactId: 'dom-1',
    kind: 'dom',
    content: DOM,
    stepIndex: 0,
    commandId: 'c1',
    facts: domFacts,
  });
  const facts = { width: 1280, height: 720, actionType: 'GET_DOM' };
  await store.artifacts.save({
    sessionId,
    artifactId: 'shot-1',
    kind: 'screenshot',
    content: PNG,
    stepIndex: 0,
    commandId: 'c1',
    facts,
  });
  await intend(sessionId, 'c1', 0, CommandAction.GET_DOM);
  await store.journal.finish(
    sessionId,
    {},
    {
      commandId: 'c1',
      status: 'done',
      response: {
        success: true,
        commandId: 'c1',
        screenshotId: 'shot-1',
        duration: 12,
        metadata: { url: 'http://shop/' },
      },
      domId: 'dom-1',
    },
    [],
    { name: 'order', value: 'A-1', source: 'extracted', stepIndex: 0 },
  );
  // It ran before a command that stands before it in the reply, and that waited for a person.
  await intend(sessionId, 'c2', 2, CommandAction.CLICK_ELEMENT);
  await store.journal.finish(
    sessionId,
    {},
    { commandId: 'c2', status: 'failed', response: { success: false, commandId: 'c2', screenshotId: '', duration: 5 } },
    [],
  );
  await intend(sessionId, 'c3', 1, 'PRESS_KEY');
  await store.memory.saveStepResult(sessionId, {
    stepIndex: 0,
    status: StepStatus.COMPLETED,
    reasoning: 'The page is there.',
    durationMs: 400,
    page: { domId: 'dom-1', screenshotId: 'shot-1', url: 'http://shop/' },
  });
  await store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE, currentStep: 1 } });
  return sessionId;
}

test('[S1.40, S1.R26] variables of a session are listed with their source, a secret by its mark alone', async () => {
  const variables = { user: 'ada', pin: { env: 'SHOP_PIN' } };
  const sessionId = await aSession(api.store, { steps: ['open http://127.0.0.1/'], variables });
  const { data } = await bodyOf(api.app.request(`/v1/sessions/${sessionId}/variables`));
  expect(data.map((info: unknown) => VariableInfoSchema.parse(info))).toMatchObject([
    { name: 'pin', value: '[secret]', source: 'user_input', sessionId },
    { name: 'user', value: 'ada', source: 'user_input', sessionId },
  ]);
  expect((await bodyOf(api.app.request(`/v1/sessions/none/variables`))).error.code).toBe('CM001');
});

test('screenshots are listed and served as images that never change', async () => {
  const sessionId = await aRunSession();
  const { data } = await bodyOf(api.app.request(`/v1/sessions/${sessionId}/screenshots`));
  expect(data.map((info: unknown) => ScreenshotInfoSchema.parse(info))).toMatchObject([
    {
      id: 'shot-1',
      sessionId,
      stepIndex: 0,
      commandId: 'c1',
      actionType: 'GET_DOM',
      filePath: `${sessionId}/shot-1.png`,
      thumbnailPath: `/v1/sessions/${sessionId}/screenshots/shot-1/thumbnail`,
      dimensions: { width: 1280, height: 720 },
      fileSize: PNG.length,
    },
  ]);
  const image = await api.app.request(`/v1/sessions/${sessionId}/screenshots/shot-1`);
  expect(Object.fromEntries(image.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': expect.stringContaining('immutable'),
  });
  expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
  for (const id of ['shot-9', 'dom-1']) {
    const missing = await api.app.request(`/v1/sessions/${sessionId}/screenshots/${id}`);
    expect([missing.status, (await bodyOf(missing)).error.code]).toEqual([404, 'CM001']);
  }
});

test('[S1.R29, S1.A22] sessions are listed newest first, in pages, by status', async () => {
  const paused = [];
  for (let number = 0; number < 5; number += 1) {
    const sessionId = await aSession(api.store);
    await api.store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
    await api.store.log.append(sessionId, [], { patch: { status: SessionStatus.PAUSED, paused: true } });
    paused.unshift(sessionId);
  }
  const cancelled = await aSession(api.store);
  await endSession(api.store, cancelled, SessionStatus.CANCELLED);
  const read = async (query: string) => {
    const body = await bodyOf(api.app.request(`/v1/sessions?${query}`));
    paginatedResponseSchema(WorkflowSessionSchema).parse(body);
    return { ids: body.data.map(({ sessionId }: { sessionId: string }) => sessionId), pagination: body.pagination };
  };
  expect(await read('status=PAUSED&pageSize=2')).toEqual({
    ids: paused.slice(0, 2),
    pagination: { total: 5, page: 1, pageSize: 2, hasNext: true, hasPrevious: false },
  });
  expect(await read('status=PAUSED&pageSize=2&page=3')).toEqual({
    ids: paused.slice(4),
    pagination: { total: 5, page: 3, pageSize: 2, hasNext: false, hasPrevious: true },
  });
  for (const query of ['status=paused,CANCELLED', 'status=PAUSED&status=CANCELLED']) {
    expect((await read(query)).ids).toEqual([cancelled, ...paused]);
  }
  expect((await read('')).pagination.pageSize).toBe(50);
});

test('a session that has ended takes no message, and the answer names its state', async () => {
  const sessionId = await aSession(api.store);
  await endSession(api.store, sessionId, SessionStatus.CANCELLED);
  const messages = ['pause', 'resume', 'cancel'].map((path) => [path, post()] as const);
  for (const [path, init] of [...messages, ['steps', post({ steps: ['look'] })] as const]) {
    const response = await api.app.request(`/v1/sessions/${sessionId}/${path}`, init);
    expect(response.status).toBe(409);
    const { error } = await bodyOf(response);
    expect(error).toMatchObject({ code: 'SP001', details: { state: 'CANCELLED' }, retryable: false });
    expect(error.message).toContain('it is CANCELLED');
  }
});

test('steps that are to be added are checked like those of a start', async () => {
  const sessionId = await aSession(api.store);
  const refuse = async (body: unknown) => {
    const response = await api.app.request(`/v1/sessions/${sessionId}/steps`, post(body));
    const { error } = await bodyOf(response);
    return [response.status, error.code, error.details?.issues.map(({ path }: { path: string }) => path)];
  };
  expect(await refuse({ steps: [] })).toEqual([400, 'FA001', ['steps']]);
  expect(await refuse({ steps: ['look'], more: 1 })).toEqual([400, 'FA001', ['more']]);
  expect(await refuse({ steps: [{ instruction: 'look', timeoutMs: 1_800_001 }] })).toEqual([
    400,
    'SP001',
    ['steps[0].timeoutMs'],
  ]);
});

test('with no worker a message is accepted and pending, and the answer says how to start one', async () => {
  const { sessionId } = (await bodyOf(api.app.request('/v1/sessions', post({ steps: ['look'] })))).data;
  const response = await api.app.request(`/v1/sessions/${sessionId}/pause`, post());
  expect(response.status).toBe(202);
  const { data } = await bodyOf(response);
  expect(data).toMatchObject({ messageState: 'pending', reason: expect.stringContaining('`npx surefoot worker`') });
  const shown = await bodyOf(api.app.request(response.headers.get('location')!));
  expect(shown.data).toMatchObject({ messageId: data.messageId, sessionId, name: 'pause', state: 'pending' });
  const all = await bodyOf(api.app.request(`/v1/sessions/${sessionId}/messages`));
  expect(all.data).toEqual([shown.data]);
  const unknown = await api.app.request(`/v1/sessions/${await aSession(api.store)}/messages/${data.messageId}`);
  expect(unknown.status).toBe(404);
});
