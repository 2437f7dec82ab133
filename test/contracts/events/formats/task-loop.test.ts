import { CommandStatus } from '../../../../contracts/commands/commands';
import { encodeAll } from '../../../../contracts/events/formats/format';
import { taskLoopFormat, taskLoopTypeOf } from '../../../../contracts/events/formats/task-loop';
import { ownersOf, type LogRecord, type NewRecord } from '../../../../contracts/events/log';
import {
  StreamEventDataSchema,
  StreamEventType,
  type StreamEventData,
} from '../../../../contracts/events/stream-event';
import { StepStatus } from '../../../../contracts/steps/step-result';
import {
  TaskLoopEventSchema,
  TaskLoopEventType,
  type TaskLoopEvent,
  type TaskLoopEventData,
} from '../../../../contracts/events/task-loop';
import {
  anExecutorCommand,
  aPageVisit,
  aScreenshot,
  aStandardError,
  investigationMembers,
} from '../../../conformance/samples';
import { EVERYTHING, logOf } from '../../../support/format-logs';

const SESSION = '0e0f2f0c-9f57-4d0e-8c3d-1c1d7a6f8a11';
const { action, parameters, commandId } = anExecutorCommand();
const command = (status: CommandStatus) => ({ commandId, action, parameters, status, duration: 12 });
const step = (status: StepStatus) => ({ stepIndex: 2, stepContent: 'Buy a bean', status });
const progress = { sessionId: SESSION, totalSteps: 3, completedSteps: 2, currentStepIndex: 2, overallProgress: 67 };

/** The payload of each event that the Task Loop has a name for. */
const PAYLOADS: Partial<Record<StreamEventType, object>> = {
  STEP_STARTED: { step: step(StepStatus.IN_PROGRESS) },
  STEP_COMPLETED: { step: step(StepStatus.COMPLETED) },
  STEP_FAILED: { step: step(StepStatus.FAILED), error: aStandardError() },
  AI_REASONING: { reasoning: { thought: 'It fits.', confidence: 0.9, reasoningType: 'plan' } },
  COMMAND_COMPLETED: { command: command(CommandStatus.COMPLETED) },
  COMMAND_FAILED: { command: command(CommandStatus.FAILED), error: aStandardError() },
  WORKFLOW_PROGRESS: { progress, details: { currentStepName: 'Buy a bean' } },
};
const { investigation, investigationTool, elementDiscovery, workingMemory } = investigationMembers();
const payloadOf = (type: StreamEventType): object => {
  if (type.startsWith('INVESTIGATION_TOOL_')) return { investigationTool };
  if (type === 'INVESTIGATION_FAILED') return { investigation, error: aStandardError() };
  if (type.startsWith('INVESTIGATION_')) return { investigation };
  if (type === 'ELEMENT_DISCOVERED') return { elementDiscovery };
  return type === 'WORKING_MEMORY_UPDATED' ? { workingMemory } : (PAYLOADS[type] ?? {});
};

function logWith(
  ...drafts: { type: StreamEventType; data?: object; at?: string; more?: Partial<NewRecord> }[]
): LogRecord[] {
  return drafts.map(({ type, data = payloadOf(type), at = '2026-01-02T03:04:05.006Z', more }, index) => ({
    sessionId: SESSION,
    seq: index + 1,
    eventId: `run/${index}`,
    owner: ownersOf(type)[0]!,
    type,
    at,
    stepIndex: 2,
    data: StreamEventDataSchema.parse(data) as StreamEventData,
    ...more,
  }));
}

const framesOf = (log: readonly LogRecord[]): TaskLoopEvent[] =>
  encodeAll(taskLoopFormat, log).map(({ frame }) => frame);
const frameOf = (type: StreamEventType, data?: object): TaskLoopEvent =>
  framesOf(logWith({ type, ...(data && { data }) }))[0]!;

/** S1.A5, word for word. */
const MAPPED: [StreamEventType, `${TaskLoopEventType}`, keyof TaskLoopEventData | undefined][] = [
  ['STEP_STARTED', 'STEP_STARTED', undefined],
  ['STEP_COMPLETED', 'STEP_COMPLETED', 'result'],
  ['STEP_FAILED', 'STEP_FAILED', 'error'],
  ['AI_REASONING', 'AI_REASONING_UPDATE', 'reasoning'],
  ['COMMAND_COMPLETED', 'COMMAND_EXECUTED', 'command'],
  ['COMMAND_FAILED', 'COMMAND_EXECUTED', 'command'],
  ['WORKFLOW_PROGRESS', 'PROGRESS_UPDATE', 'progress'],
  ['INVESTIGATION_STARTED', 'INVESTIGATION_STARTED', 'investigation'],
  ['INVESTIGATION_PHASE_STARTED', 'INVESTIGATION_PHASE_STARTED', 'investigation'],
  ['INVESTIGATION_PHASE_COMPLETED', 'INVESTIGATION_PHASE_COMPLETED', 'investigation'],
  ['INVESTIGATION_TOOL_STARTED', 'INVESTIGATION_TOOL_STARTED', 'investigationTool'],
  ['INVESTIGATION_TOOL_COMPLETED', 'INVESTIGATION_TOOL_COMPLETED', 'investigationTool'],
  ['INVESTIGATION_COMPLETED', 'INVESTIGATION_COMPLETED', 'investigation'],
  ['INVESTIGATION_FAILED', 'INVESTIGATION_FAILED', 'investigation'],
  ['ELEMENT_DISCOVERED', 'ELEMENT_DISCOVERED', 'elementDiscovery'],
  ['WORKING_MEMORY_UPDATED', 'WORKING_MEMORY_UPDATED', 'workingMemory'],
];

test.each(MAPPED)('[S1.A5, S1.R33] %s of the log is %s, with the member %s and no other', (type, expected, member) => {
  const frame = frameOf(type);
  expect(frame).toMatchObject({ type: expected, sessionId: SESSION, stepIndex: 2 });
  expect(TaskLoopEventSchema.safeParse(frame).success).toBe(true);
  const given = Object.entries(frame.data).filter(([, value]) => value !== undefined);
  // A failed investigation says why as well (S1.A6).
  const more = type === 'INVESTIGATION_FAILED' ? ['error'] : [];
  expect(given.map(([name]) => name).sort()).toEqual([...(member === undefined ? [] : [member]), ...more].sort());
});

test('[S1.A5] every type of the Task Loop is mapped, and what goes straight to the stream has none', () => {
  expect(new Set(MAPPED.map(([, type]) => type))).toEqual(new Set(Object.values(TaskLoopEventType)));
  const straight = Object.values(StreamEventType).filter((type) => taskLoopTypeOf(type) === undefined);
  expect(straight).toEqual([
    'WORKFLOW_STARTED',
    'WORKFLOW_COMPLETED',
    'WORKFLOW_FAILED',
    'WORKFLOW_PAUSED',
    'WORKFLOW_RESUMED',
    'AI_RESPONSE_RECEIVED',
    'COMMAND_STARTED',
    'SCREENSHOT_CAPTURED',
    'VARIABLE_UPDATED',
    'PAGE_NAVIGATED',
    'SESSION_STATUS',
    'ERROR_OCCURRED',
    'WARNING_ISSUED',
  ]);
  expect(framesOf(logWith(...straight.map((type) => ({ type }))))).toEqual([]);
});

test('[S1.A41] reasoning, command and progress have the fields of the Task Loop', () => {
  expect(frameOf('AI_REASONING').data).toEqual({ reasoning: { content: 'It fits.', confidence: 0.9 } });
  const timestamp = new Date('2026-01-02T03:04:05.006Z');
  const executed = { sessionId: SESSION, commandId, action, parameters, timestamp };
  const result = { commandId, dom: '', screenshotId: '', duration: 12 };
  expect(frameOf('COMMAND_COMPLETED').data.command).toEqual({
    command: executed,
    result: { ...result, success: true },
  });
  expect(frameOf('COMMAND_FAILED').data.command).toEqual({
    command: executed,
    result: { ...result, success: false, error: StreamEventDataSchema.parse({ error: aStandardError() }).error },
  });
  expect(frameOf('WORKFLOW_PROGRESS').data.progress).toEqual({
    ...progress,
    currentStepName: 'Buy a bean',
    averageStepDuration: 0,
    lastActivity: timestamp,
  });
});

test("[S1.A41, S1.A8] a step's result has its commands, last thought, page, screenshot and time", () => {
  const later = '2026-01-02T03:04:07.006Z';
  const screenshot = { ...aScreenshot(), id: 'shot', commandId };
  const frames = framesOf(
    logWith(
      { type: 'COMMAND_COMPLETED', data: { command: { ...command(CommandStatus.COMPLETED), commandId: 'earlier' } } },
      { type: 'STEP_STARTED' },
      { type: 'AI_REASONING' },
      { type: 'PAGE_NAVIGATED', data: { page: { ...aPageVisit(), url: 'https://shop.test/cart' } } },
      { type: 'SCREENSHOT_CAPTURED', data: { screenshot } },
      { type: 'COMMAND_COMPLETED' },
      { type: 'STEP_COMPLETED', at: later },
      { type: 'WORKFLOW_PROGRESS', at: later },
    ),
  );
  expect(frames.at(-2)?.data.result).toMatchObject({
    stepIndex: 2,
    success: true,
    executedCommands: [{ commandId }],
    commandResults: [{ commandId, success: true, screenshotId: 'shot' }],
    aiReasoning: 'It fits.',
    duration: 2000,
    finalPageState: { dom: '', screenshotId: 'shot', url: 'https://shop.test/cart' },
  });
  expect(frames.at(-1)?.data.progress).toMatchObject({ averageStepDuration: 2000 });
});

test('actions beyond the five, and calls of tools that are no commands, have no event', () => {
  const further = { ...command(CommandStatus.COMPLETED), action: 'SCROLL' };
  const facts = { kind: 'result', callId: 'call_1', toolName: 'order', summary: 'Ordered.', text: 'Ordered.' } as const;
  const log = logWith(
    { type: 'COMMAND_COMPLETED', data: { command: further } },
    { type: 'COMMAND_COMPLETED', data: { message: 'order' }, more: { facts } },
    { type: 'STEP_COMPLETED' },
  );
  const [completed, ...more] = framesOf(log);
  expect(more).toEqual([]);
  expect(completed?.data.result).toMatchObject({ executedCommands: [], commandResults: [] });
});

test('[S1.R33] every event of a session with everything in it fits its schema', () => {
  const frames = framesOf(logOf(EVERYTHING));
  expect(frames.length).toBeGreaterThan(5);
  for (const frame of frames) expect(TaskLoopEventSchema.safeParse(frame).success).toBe(true);
});
