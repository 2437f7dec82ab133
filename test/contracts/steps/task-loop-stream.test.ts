import { StreamEventDataSchema } from '../../../contracts/events/formats/s1';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { ownersOf, type LogRecord } from '../../../contracts/events/log';
import { payloadProblems } from '../../../bench/log-checks/payloads';
import {
  TaskLoopEventDataSchema,
  TaskLoopEventType,
  type TaskLoopEvent,
  type TaskLoopEventData,
} from '../../../contracts/steps/task-loop';
import {
  streamTypeOf,
  TASK_LOOP_MEMBERS,
  taskLoopProblems,
  taskLoopTypeOf,
  toStreamPayload,
} from '../../../contracts/steps/task-loop-stream';
import {
  aCommandResponse,
  anExecutorCommand,
  aProgress,
  aStandardError,
  aStepResult,
  investigationMembers,
} from '../../conformance/samples';

const AT = new Date('2026-01-02T03:04:05.006Z');
const MEMBERS = TaskLoopEventDataSchema.parse({
  result: aStepResult(),
  error: aStandardError(),
  reasoning: { content: 'It fits.', confidence: 0.9 },
  command: { command: anExecutorCommand(), result: { ...aCommandResponse(), success: true } },
  progress: aProgress(),
  ...investigationMembers(),
}) as Required<TaskLoopEventData> & { command: NonNullable<TaskLoopEventData['command']> };
const { currentStepName: _n, averageStepDuration: _d, lastActivity: _a, ...streamProgress } = MEMBERS.progress!;

function event(type: TaskLoopEventType, data?: TaskLoopEventData): TaskLoopEvent {
  const member = TASK_LOOP_MEMBERS[type];
  const own = member === undefined ? {} : { [member]: MEMBERS[member] };
  return { type, sessionId: MEMBERS.progress!.sessionId, stepIndex: 2, data: data ?? own, timestamp: AT };
}

const failedCommand = (): TaskLoopEventData => ({
  command: {
    ...MEMBERS.command,
    result: { ...MEMBERS.command.result, success: false, error: MEMBERS.error },
  },
});

/** S1.A5, word for word. */
const MAPPED: [TaskLoopEventType, TaskLoopEventData | undefined, string][] = [
  ...[
    'STEP_STARTED',
    'STEP_COMPLETED',
    'STEP_FAILED',
    'INVESTIGATION_STARTED',
    'INVESTIGATION_PHASE_STARTED',
    'INVESTIGATION_PHASE_COMPLETED',
    'INVESTIGATION_TOOL_STARTED',
    'INVESTIGATION_TOOL_COMPLETED',
    'INVESTIGATION_COMPLETED',
    'INVESTIGATION_FAILED',
    'ELEMENT_DISCOVERED',
    'WORKING_MEMORY_UPDATED',
  ].map((name): [TaskLoopEventType, undefined, string] => [name as TaskLoopEventType, undefined, name]),
  [TaskLoopEventType.AI_REASONING_UPDATE, undefined, 'AI_REASONING'],
  [TaskLoopEventType.COMMAND_EXECUTED, undefined, 'COMMAND_COMPLETED'],
  [TaskLoopEventType.COMMAND_EXECUTED, failedCommand(), 'COMMAND_FAILED'],
  [TaskLoopEventType.PROGRESS_UPDATE, undefined, 'WORKFLOW_PROGRESS'],
];

test.each(MAPPED)('[S1.A5] %s becomes the event of the stream: %j', (type, data, expected) => {
  expect(streamTypeOf(event(type, data))).toBe(expected);
  expect(taskLoopTypeOf(expected as StreamEventType)).toBe(type);
});

test('[S1.A5] every type of the Task Loop is mapped, and what goes straight to the stream has no type of it', () => {
  expect(new Set(MAPPED.map(([type]) => type))).toEqual(new Set(Object.values(TaskLoopEventType)));
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
});

/** S1.R33, word for word. */
test.each<[`${TaskLoopEventType}`, keyof TaskLoopEventData | undefined]>([
  ['STEP_STARTED', undefined],
  ['STEP_COMPLETED', 'result'],
  ['STEP_FAILED', 'error'],
  ['AI_REASONING_UPDATE', 'reasoning'],
  ['COMMAND_EXECUTED', 'command'],
  ['PROGRESS_UPDATE', 'progress'],
  ['INVESTIGATION_STARTED', 'investigation'],
  ['INVESTIGATION_PHASE_STARTED', 'investigation'],
  ['INVESTIGATION_PHASE_COMPLETED', 'investigation'],
  ['INVESTIGATION_TOOL_STARTED', 'investigationTool'],
  ['INVESTIGATION_TOOL_COMPLETED', 'investigationTool'],
  ['INVESTIGATION_COMPLETED', 'investigation'],
  ['INVESTIGATION_FAILED', 'investigation'],
  ['ELEMENT_DISCOVERED', 'elementDiscovery'],
  ['WORKING_MEMORY_UPDATED', 'workingMemory'],
])('[S1.R33] %s has the member %s and no other', (name, member) => {
  const type = name as TaskLoopEventType;
  expect(TASK_LOOP_MEMBERS[type]).toBe(member);
  expect(taskLoopProblems(event(type))).toEqual([]);
  expect(taskLoopProblems(event(type, {}))).toEqual(member === undefined ? [] : [`${type} has no ${member}`]);
  for (const other of Object.keys(MEMBERS) as (keyof TaskLoopEventData)[]) {
    if (other === member || (other === 'error' && type === TaskLoopEventType.INVESTIGATION_FAILED)) continue;
    const data = { ...event(type).data, [other]: MEMBERS[other] };
    expect(taskLoopProblems(event(type, data))).toContain(`${type} has a ${other}`);
  }
});

test('[S1.R33] a step event without its step and a progress of another session are no good events', () => {
  const { stepIndex: _left, ...noStep } = event(TaskLoopEventType.STEP_STARTED);
  expect(taskLoopProblems(noStep)).toEqual(['STEP_STARTED has no stepIndex']);
  const foreign = { ...event(TaskLoopEventType.PROGRESS_UPDATE), sessionId: 'another' };
  expect(taskLoopProblems(foreign)).toEqual(['PROGRESS_UPDATE has the progress of another session']);
});

test.each(MAPPED)(
  '[S1.A41, S1.R12, S1.R13] %s is in the stream with the payload and the owner of its family',
  (type, data) => {
    const given = event(type, data);
    const payload = toStreamPayload(given, 'Buy a bean');
    expect(ownersOf(payload.type)).toContain(payload.owner);
    expect(StreamEventDataSchema.safeParse(payload.data).success).toBe(true);
    const record = { ...payload, sessionId: given.sessionId, seq: 1, eventId: '1', at: AT.toISOString() } as LogRecord;
    // A failed investigation that tells no error is the one thing that R33 allows and A6 does not ask of it.
    const allowed = type === TaskLoopEventType.INVESTIGATION_FAILED ? ['INVESTIGATION_FAILED (1) has no error'] : [];
    expect(payloadProblems([record])).toEqual(allowed);
  },
);

test('[S1.A41] reasoning, command and progress change their names, a result becomes the result of the step', () => {
  const of = (type: TaskLoopEventType, data?: TaskLoopEventData) =>
    toStreamPayload(event(type, data), 'Buy a bean').data;
  expect(of(TaskLoopEventType.AI_REASONING_UPDATE)).toEqual({
    reasoning: { thought: 'It fits.', confidence: 0.9, reasoningType: 'analysis' },
  });
  const { commandId, action, parameters } = MEMBERS.command.command;
  const { result } = MEMBERS.command;
  expect(of(TaskLoopEventType.COMMAND_EXECUTED)).toMatchObject({
    command: { commandId, action, parameters, status: 'COMPLETED', duration: result.duration, result },
  });
  expect(of(TaskLoopEventType.COMMAND_EXECUTED, failedCommand())).toMatchObject({
    command: { status: 'FAILED' },
    error: MEMBERS.error,
  });
  expect(of(TaskLoopEventType.PROGRESS_UPDATE)).toEqual({ progress: streamProgress });
  expect(of(TaskLoopEventType.STEP_COMPLETED)).toEqual({
    step: { stepIndex: 2, stepContent: 'Buy a bean', status: 'COMPLETED', result: MEMBERS.result },
  });
  expect(of(TaskLoopEventType.STEP_FAILED)).toEqual({
    step: { stepIndex: 2, stepContent: 'Buy a bean', status: 'FAILED' },
    error: MEMBERS.error,
  });
  for (const name of ['investigation', 'investigationTool', 'elementDiscovery', 'workingMemory'] as const) {
    const type = Object.values(TaskLoopEventType).find((each) => TASK_LOOP_MEMBERS[each] === name)!;
    expect(of(type)).toEqual({ [name]: MEMBERS[name] });
  }
});
