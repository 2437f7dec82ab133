import { SessionDetailsSchema } from '../../api/openapi/schemas';
import { CommandAction, type BrowserAction } from '../../contracts/commands/commands';
import { SECRET_MARK } from '../../contracts/sessions/resources';
import { SessionStatus } from '../../contracts/sessions/session';
import { StepStatus } from '../../contracts/steps/step-result';
import { aPng } from '../support/png';
import { aSession, bodyOf, startTestApi, type TestApi } from './fixture';

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

test('[S1.A4, S1.R8] a session is shown with steps, progress, results and variables, secrets masked', async () => {
  const sessionId = await aRunSession();
  const { data } = await bodyOf(api.app.request(`/v1/sessions/${sessionId}`));
  SessionDetailsSchema.parse(data);
  expect(data.session).toMatchObject({
    sessionId,
    status: 'ACTIVE',
    aiConnectionId: 'default',
    metadata: { ticket: 7, steps: ['look', 'buy'], totalSteps: 2 },
  });
  expect(data.progress).toMatchObject({
    sessionId,
    totalSteps: 2,
    completedSteps: 1,
    currentStepIndex: 1,
    currentStepName: 'buy',
    overallProgress: 50,
    estimatedTimeRemaining: 400,
    averageStepDuration: 400,
  });
  expect(data.variables).toMatchObject([
    { name: 'order', value: 'A-1', source: 'extracted', stepIndex: 0, sessionId },
    { name: 'password', value: SECRET_MARK, source: 'user_input' },
    { name: 'user', value: 'ada', source: 'user_input' },
  ]);
  expect(data.stepResults).toMatchObject([
    {
      stepIndex: 0,
      success: true,
      aiReasoning: 'The page is there.',
      duration: 400,
      // Each command of the model became one of the executor, with session, id and time (S1.R8).
      executedCommands: ['c1', 'c2', 'c3'].map((commandId) => ({
        commandId,
        sessionId,
        timestamp: expect.any(String),
      })),
      finalPageState: { dom: '', screenshotId: 'shot-1', url: 'http://shop/' },
    },
  ]);
  const length = Buffer.byteLength(DOM);
  expect(data.stepResults[0].commandResults).toMatchObject([
    { commandId: 'c1', dom: '', metadata: { url: 'http://shop/', domTruncated: true, domLength: length } },
    { commandId: 'c2', success: false, dom: '' },
    // Under way: no answer yet, but a result in its place (S1.28.4).
    { commandId: 'c3', success: false, dom: '' },
  ]);
});

test('[S1.A38] a DOM that was cut when it was stored says so where it is read', async () => {
  const cut = { domTruncated: true, domLength: 2_000_000 };
  const sessionId = await aRunSession(cut);
  const whole = await bodyOf(api.app.request(`/v1/sessions/${sessionId}?dom=true`));
  expect(whole.data.stepResults[0].commandResults[0]).toMatchObject({ dom: DOM, metadata: cut });
  const one = await bodyOf(api.app.request(`/v1/sessions/${sessionId}/commands/c1`));
  expect(one.data).toMatchObject({ dom: DOM, metadata: { url: 'http://shop/', ...cut } });
});

test('[S1.22, S1.23, S1.A2] a session has its request with every default filled in', async () => {
  const { data } = await bodyOf(api.app.request(`/v1/sessions/${await aRunSession()}`));
  const { request } = SessionDetailsSchema.parse(data);
  expect(request).toMatchObject({
    steps: ['look', 'buy'],
    config: {
      maxExecutionTime: 1_800_000,
      enableReflection: true,
      parallelExecution: false,
      aiConfig: { connectionId: 'default', temperature: 0.1, maxTokens: 4000, timeoutMs: 30_000 },
      executorConfig: { browserType: 'chromium', headless: true, timeoutMs: 30_000, screenshotsEnabled: true },
      streamConfig: { bufferSize: 1000, maxHistorySize: 10_000, compressionEnabled: true },
    },
    metadata: { ticket: 7 },
  });
});

test('dom=true includes the DOMs', async () => {
  const sessionId = await aRunSession();
  const { data } = await bodyOf(api.app.request(`/v1/sessions/${sessionId}?dom=true`));
  const [step] = data.stepResults;
  expect([step.finalPageState.dom, step.commandResults[0].dom]).toEqual([DOM, DOM]);
  expect(step.commandResults[0].metadata).toEqual({ url: 'http://shop/' });
});

test('one command is shown whole; one without an outcome is 409, an unknown one 404', async () => {
  const sessionId = await aRunSession();
  const read = (commandId: string) => api.app.request(`/v1/sessions/${sessionId}/commands/${commandId}`);
  expect((await bodyOf(read('c1'))).data).toEqual({
    success: true,
    commandId: 'c1',
    dom: DOM,
    screenshotId: 'shot-1',
    duration: 12,
    metadata: { url: 'http://shop/' },
  });
  const underWay = await read('c3');
  expect(underWay.status).toBe(409);
  expect((await bodyOf(underWay)).error.details).toEqual({ state: 'EXECUTING' });
  expect((await read('c9')).status).toBe(404);
});

test('[S1.39, S1.A36] a thumbnail is 320 pixels wide, and fileSize is the screenshot’s in bytes', async () => {
  const sessionId = await aSession(api.store);
  const content = aPng(1280, 640, () => [200, 100, 50]);
  await api.store.artifacts.save({ sessionId, artifactId: 'wide', kind: 'screenshot', content });
  const { data } = await bodyOf(api.app.request(`/v1/sessions/${sessionId}/screenshots`));
  expect(data[0].fileSize).toBe(content.length);
  const image = await api.app.request(data[0].thumbnailPath);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  const bytes = Buffer.from(await image.arrayBuffer());
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([320, 160]);
  expect((await api.app.request(`/v1/sessions/${sessionId}/screenshots/none/thumbnail`)).status).toBe(404);
});
