/** The Task Loop events of a real log, reported to a publisher of a program (S1.53 to S1.56, S1.59). */
import { commandRecords } from '../../../activities/recorded/command-records';
import { connectTemporal } from '../../../service/connection/connect-temporal';
import type { Sessions } from '../../../service/port/port';
import { createSessions } from '../../../service/sessions';
import { publisherOf, reportTaskLoop } from '../../../service/events/task-loop-events';
import type { BrowserAction } from '../../../contracts/commands/commands';
import { standardError } from '../../../contracts/errors/standard-error';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { NewRecord } from '../../../contracts/events/log';
import { SessionStatus } from '../../../contracts/sessions/session';
import { StepStatus } from '../../../contracts/steps/step-result';
import { TaskLoopEventSchema, type TaskLoopEvent } from '../../../contracts/events/task-loop';
import type { Store } from '../../../store/store';
import { thought } from '../../api/fixture';
import { aPlan, aRecord, aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
let sessions: Sessions;
const temporal = connectTemporal({ address: '127.0.0.1:1', namespace: 'default' });
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
  sessions = createSessions({ store, temporal });
}, 120_000);
afterAll(async () => {
  await temporal.connection.close();
  await stack.stop();
});

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
    {
      ...aRecord('progress', { type: StreamEventType.WORKFLOW_PROGRESS }),
      data: { progress, details: { currentStepName: 'Buy a bean' } },
    },
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

test('[S1.R23, S1.R33, S1.53] a publisher gets every Task Loop event in order, each with its member', async () => {
  const sessionId = await anEndedSession();
  const events: TaskLoopEvent[] = [];
  const last = await reportTaskLoop(sessions, sessionId, { publishEvent: async (event) => void events.push(event) });
  // WORKFLOW_FAILED, the last record, is no event of the Task Loop.
  expect(last).toBe((await sessions.state(sessionId)).lastSeq - 1);
  expect(events.map(({ type, stepIndex }) => [type, stepIndex])).toEqual([
    ['STEP_STARTED', 0],
    ['AI_REASONING_UPDATE', 0],
    ['COMMAND_EXECUTED', 0],
    ['STEP_COMPLETED', 0],
    ['PROGRESS_UPDATE', undefined],
    ['STEP_STARTED', 1],
    ['COMMAND_EXECUTED', 1],
    ['STEP_FAILED', 1],
  ]);
  for (const event of events) {
    expect(TaskLoopEventSchema.safeParse(event).success).toBe(true);
  }
  const [, , opened, completed, progress, , looked] = events;
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
    averageStepDuration: completed?.data.result?.duration,
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
