/** Task Loop events over a real log: published into it, and reported from it (S1.53 to S1.56, S1.59). */
import { commandRecords } from '../../../activities/commands/outcomes/command-records';
import { connectTemporal } from '../../../client/connection/connect-temporal';
import { createEventPublisher } from '../../../client/events/event-publisher';
import { ClientError, type Sessions } from '../../../client/port';
import { createSessions } from '../../../client/sessions';
import { publisherOf, reportTaskLoop } from '../../../client/events/task-loop-events';
import type { BrowserAction } from '../../../contracts/commands/commands';
import { standardError } from '../../../contracts/errors/standard-error';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { NewRecord } from '../../../contracts/events/log';
import { SessionStatus } from '../../../contracts/sessions/session';
import { StepStatus } from '../../../contracts/steps/step-result';
import { TaskLoopEventSchema, TaskLoopEventType, type TaskLoopEvent } from '../../../contracts/steps/task-loop';
import { taskLoopProblems } from '../../../contracts/steps/task-loop-stream';
import type { Store } from '../../../store/store';
import { thought } from '../../api/fixture';
import { aPlan, aRecord, aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
let sessions: Sessions;
const temporal = connectTemporal('127.0.0.1:1', 'default');
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
  sessions = createSessions({ store, temporal });
}, 120_000);
afterAll(async () => {
  await temporal.connection.close();
  await stack.stop();
});

const AT = (): string => new Date().toISOString();
const anError = (sessionId: string) =>
  standardError({ id: 'e', timestamp: new Date(), code: 'TL004', message: 'It is not there.', sessionId });

async function run(sessionId: string, stepIndex: number, action: BrowserAction, isWell: boolean): Promise<void> {
  const place = { sessionId, stepIndex, turn: 0 };
  const commandId = `${sessionId}.${stepIndex}.${action}`;
  const parameters = action === 'OPEN_PAGE' ? { url: 'http://127.0.0.1/' } : {};
  const records = commandRecords(place, { commandId, action, parameters });
  const intent = {
    commandId,
    stepIndex,
    turn: 0,
    position: 0,
    action,
    parameters,
    effect: 'pure' as const,
    pageUrl: '',
  };
  await store.journal.intend(sessionId, {}, intent, [records.started()]);
  const error = isWell ? undefined : anError(sessionId);
  const response = {
    success: isWell,
    commandId,
    screenshotId: '',
    duration: 12,
    ...(error === undefined ? {} : { error }),
  };
  const outcome = { commandId, status: isWell ? ('done' as const) : ('failed' as const), response, error };
  const ended = error === undefined ? records.completed(12) : records.failed(12, error);
  await store.journal.finish(sessionId, {}, outcome, [ended]);
}

/** Two steps: the first ends well, the second fails before it has seen a page. */
async function anEndedSession(): Promise<string> {
  const sessionId = await aSession(store, { plan: aPlan({ steps: ['Open the shop', 'Buy a bean'] }), isActive: true });
  const step = (stepIndex: number, type: StreamEventType, status: StepStatus, more = {}): NewRecord => ({
    ...aRecord(`${type}/${stepIndex}`, { type, stepIndex }),
    data: { step: { stepIndex, stepContent: '', status }, ...more },
  });
  await store.log.append(sessionId, [
    aRecord('start', { type: StreamEventType.WORKFLOW_STARTED }),
    step(0, StreamEventType.STEP_STARTED, StepStatus.IN_PROGRESS),
    { ...thought(1), stepIndex: 0 },
  ]);
  await run(sessionId, 0, 'OPEN_PAGE', true);
  await run(sessionId, 0, 'SCROLL', true);
  const call = { callId: 'call_1', toolName: 'order' };
  await store.log.append(sessionId, [
    {
      ...aRecord('call_1/started', { type: StreamEventType.COMMAND_STARTED, stepIndex: 0 }),
      facts: { kind: 'call', ...call, args: {} },
    },
    {
      ...aRecord('call_1/completed', { type: StreamEventType.COMMAND_COMPLETED, stepIndex: 0 }),
      facts: { kind: 'result', ...call, summary: 'Ordered.', text: 'Ordered.' },
    },
  ]);
  const page = { screenshotId: '', url: 'http://127.0.0.1/' };
  const summary = { reasoning: 'It fits.', durationMs: 40 };
  await store.memory.saveStepResult(sessionId, { ...summary, stepIndex: 0, status: StepStatus.COMPLETED, page });
  const progress = { sessionId, totalSteps: 2, completedSteps: 1, currentStepIndex: 1, overallProgress: 50 };
  await store.log.append(sessionId, [
    step(0, StreamEventType.STEP_COMPLETED, StepStatus.COMPLETED),
    { ...aRecord('progress', { type: StreamEventType.WORKFLOW_PROGRESS }), data: { progress } },
    step(1, StreamEventType.STEP_STARTED, StepStatus.IN_PROGRESS),
  ]);
  await run(sessionId, 1, 'GET_DOM', false);
  const error = anError(sessionId);
  const unseen = { screenshotId: '', url: 'about:blank' };
  await store.memory.saveStepResult(sessionId, {
    ...summary,
    stepIndex: 1,
    status: StepStatus.FAILED,
    error,
    page: unseen,
  });
  const end = aRecord('end', { type: StreamEventType.WORKFLOW_FAILED });
  await store.log.append(sessionId, [step(1, StreamEventType.STEP_FAILED, StepStatus.FAILED, { error }), end], {
    patch: { status: SessionStatus.FAILED, closed: true },
  });
  return sessionId;
}

test('[S1.R23, S1.R33] a publisher gets all that the Task Loop of a session tells, in order, each event with its member', async () => {
  const sessionId = await anEndedSession();
  const told: TaskLoopEvent[] = [];
  const last = await reportTaskLoop(sessions, sessionId, { publishEvent: async (event) => void told.push(event) });
  expect(last).toBe((await sessions.state(sessionId)).lastSeq);
  expect(told.map(({ type, stepIndex }) => [type, stepIndex])).toEqual([
    ['STEP_STARTED', 0],
    ['AI_REASONING_UPDATE', 0],
    ['COMMAND_EXECUTED', 0],
    ['STEP_COMPLETED', 0],
    ['PROGRESS_UPDATE', undefined],
    ['STEP_STARTED', 1],
    ['COMMAND_EXECUTED', 1],
    ['STEP_FAILED', 1],
  ]);
  for (const event of told) {
    expect([event.type, taskLoopProblems(event)]).toEqual([event.type, []]);
    expect(TaskLoopEventSchema.safeParse(event).success).toBe(true);
  }
  const [, , opened, completed, progress, , looked] = told;
  expect(opened?.data.command).toMatchObject({
    command: { sessionId, action: 'OPEN_PAGE', parameters: { url: 'http://127.0.0.1/' } },
    result: { success: true, duration: 12 },
  });
  expect(looked?.data.command?.result).toMatchObject({ success: false, error: { code: 'TL004' } });
  // Only the five actions of S1 are in the result, commands and answers alike.
  expect(completed?.data.result).toMatchObject({
    success: true,
    executedCommands: [{ action: 'OPEN_PAGE' }],
    commandResults: [{ success: true }],
  });
  expect(progress?.data.progress).toMatchObject({
    currentStepName: 'Buy a bean',
    averageStepDuration: 40,
    totalSteps: 2,
  });
});

test('[S1.R23] a report goes on from where it stopped', async () => {
  const sessionId = await anEndedSession();
  const types: string[] = [];
  const publisher = { publishEvent: async ({ type }: TaskLoopEvent) => void types.push(type) };
  const { lastSeq } = await sessions.state(sessionId);
  await reportTaskLoop(sessions, sessionId, publisher, { after: lastSeq - 2 });
  expect(types).toEqual(['STEP_FAILED']);
});

test('[S1.R33, S1.59] the callbacks of before are called one to one with the events that have one', async () => {
  const sessionId = await anEndedSession();
  const calls: [string, ...unknown[]][] = [];
  const note =
    (name: string) =>
    async (...given: unknown[]): Promise<void> =>
      void calls.push([name, ...given]);
  const names = [
    'onStepStarted',
    'onStepCompleted',
    'onStepFailed',
    'onAIReasoningUpdate',
    'onCommandExecuted',
    'onProgressUpdate',
  ];
  const callbacks = Object.fromEntries(names.map((name) => [name, note(name)])) as never;
  await reportTaskLoop(sessions, sessionId, publisherOf(callbacks));
  expect(calls.map(([name, id]) => [name, id])).toEqual(
    [
      'onStepStarted',
      'onAIReasoningUpdate',
      'onCommandExecuted',
      'onStepCompleted',
      'onProgressUpdate',
      'onStepStarted',
      'onCommandExecuted',
      'onStepFailed',
    ].map((name) => [name, sessionId]),
  );
  expect(calls[1]).toEqual(['onAIReasoningUpdate', sessionId, 0, 'number 1', 0.9]);
  expect(calls.at(-1)?.[3]).toMatchObject({ code: 'TL004' });
});

test('[S1.A32] the page of a step that failed before it saw one is blank: empty texts and about:blank', async () => {
  const { stepResults } = await sessions.get(await anEndedSession(), { dom: true });
  expect(stepResults[1]).toMatchObject({
    success: false,
    finalPageState: { dom: '', screenshotId: '', url: 'about:blank' },
  });
});

test('[S1.53, S1.A5, S1.A41] what is published stands in the stream as what it becomes there, however often it is published', async () => {
  const source = await anEndedSession();
  const sessionId = await aSession(store, { plan: aPlan({ steps: ['Open the shop', 'Buy a bean'] }), isActive: true });
  const publisher = createEventPublisher(store);
  const told: TaskLoopEvent[] = [];
  await reportTaskLoop(sessions, source, { publishEvent: async (event) => void told.push(event) });
  const own = told.map((event): TaskLoopEvent => {
    const { progress } = event.data;
    const data = progress === undefined ? event.data : { progress: { ...progress, sessionId } };
    return { ...event, sessionId, data };
  });
  for (const event of own) for (let times = 0; times < 2; times += 1) await publisher.publishEvent(event);
  const log = await store.log.read(sessionId, 0, 100);
  expect(log.map(({ type, owner, stepIndex }) => [type, owner, stepIndex])).toEqual([
    ['STEP_STARTED', 'step-processor', 0],
    ['AI_REASONING', 'task-loop', 0],
    ['COMMAND_COMPLETED', 'task-loop', 0],
    ['STEP_COMPLETED', 'step-processor', 0],
    ['WORKFLOW_PROGRESS', 'step-processor', undefined],
    ['STEP_STARTED', 'step-processor', 1],
    ['COMMAND_FAILED', 'task-loop', 1],
    ['STEP_FAILED', 'step-processor', 1],
  ]);
  expect(log[3]?.data.step).toMatchObject({
    stepContent: 'Open the shop',
    status: 'COMPLETED',
    result: { success: true },
  });
  expect(log[6]?.data).toMatchObject({ command: { status: 'FAILED' }, error: { code: 'TL004' } });
});

const started = (sessionId: string): TaskLoopEvent => ({
  type: TaskLoopEventType.STEP_STARTED,
  sessionId,
  stepIndex: 0,
  data: {},
  timestamp: new Date(AT()),
});

async function refusalOf(event: TaskLoopEvent): Promise<ClientError> {
  const refusal: unknown = await createEventPublisher(store)
    .publishEvent(event)
    .catch((error: unknown) => error);
  if (!(refusal instanceof ClientError)) throw new Error(`Expected a ClientError, got ${String(refusal)}.`);
  return refusal;
}

test('[S1.R33] an event without its member, of no session, or of one that has ended is refused, and says why', async () => {
  const open = await aSession(store, { isActive: true });
  expect(await refusalOf({ ...started(open), type: TaskLoopEventType.COMMAND_EXECUTED })).toMatchObject({
    kind: 'invalid',
    code: 'SP001',
    message: expect.stringContaining('COMMAND_EXECUTED has no command'),
  });
  expect(await refusalOf(started('11111111-2222-4333-8444-555555555555'))).toMatchObject({
    kind: 'not-found',
    code: 'CM001',
  });
  expect(await refusalOf(started(await anEndedSession()))).toMatchObject({
    kind: 'wrong-state',
    code: 'ES003',
    state: 'closed',
  });
  expect(await store.log.read(open, 0, 10)).toEqual([]);
});
