import { StreamEventType, type StreamEventData } from '../../../contracts/events/stream-event';
import { ownersOf, type LogRecord } from '../../../contracts/events/log';
import { payloadMembersOf, payloadProblems } from '../../../bench/log-checks/payloads';

const MEMBERS: Record<string, string> = {
  AI_REASONING: 'reasoning',
  COMMAND_STARTED: 'command',
  COMMAND_COMPLETED: 'command',
  COMMAND_FAILED: 'command error',
  STEP_STARTED: 'step',
  STEP_COMPLETED: 'step',
  STEP_FAILED: 'step error',
  INVESTIGATION_STARTED: 'investigation',
  INVESTIGATION_PHASE_STARTED: 'investigation',
  INVESTIGATION_PHASE_COMPLETED: 'investigation',
  INVESTIGATION_COMPLETED: 'investigation',
  INVESTIGATION_FAILED: 'investigation error',
  INVESTIGATION_TOOL_STARTED: 'investigationTool',
  INVESTIGATION_TOOL_COMPLETED: 'investigationTool',
  ELEMENT_DISCOVERED: 'elementDiscovery',
  WORKING_MEMORY_UPDATED: 'workingMemory',
  WORKFLOW_PROGRESS: 'progress',
  WORKFLOW_FAILED: 'error',
  SCREENSHOT_CAPTURED: 'screenshot',
  VARIABLE_UPDATED: 'variable',
  PAGE_NAVIGATED: 'page',
  ERROR_OCCURRED: 'error',
  WARNING_ISSUED: 'warning',
};

test.each(Object.values(StreamEventType))('%s has the payload of its family', (type) => {
  expect(payloadMembersOf(type).join(' ')).toBe(MEMBERS[type] ?? '');
});

test('a payload that is missing, strange or of another session is found', () => {
  const record = (type: StreamEventType, data: object): LogRecord => ({
    sessionId: 's',
    seq: 1,
    eventId: 'e',
    owner: ownersOf(type)[0]!,
    type,
    at: '2026-01-02T03:04:05.006Z',
    data: data as StreamEventData,
  });
  const problemsOf = (type: StreamEventType, data: object) => payloadProblems([record(type, data)]);
  expect(problemsOf(StreamEventType.STEP_FAILED, { step: {}, error: { sessionId: 's' }, message: 'm' })).toEqual([]);
  expect(problemsOf(StreamEventType.STEP_FAILED, { step: {} })).toEqual(['STEP_FAILED (1) has no error']);
  expect(problemsOf(StreamEventType.STEP_STARTED, { step: {}, error: {} })).toEqual(['STEP_STARTED (1) has a error']);
  expect(problemsOf(StreamEventType.WORKFLOW_PROGRESS, { progress: { sessionId: 't' } })).toEqual([
    'WORKFLOW_PROGRESS (1) has the progress of another session',
  ]);
});
