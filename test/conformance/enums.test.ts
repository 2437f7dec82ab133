import { DecisionAction } from '../../contracts/models/ai-response';
import { BrowserActionSchema, CommandAction, CommandStatus, isContractAction } from '../../contracts/commands/commands';
import { ErrorCategory, ErrorSeverity } from '../../contracts/errors/error-definition';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus, isOpen } from '../../contracts/sessions/session';
import { StepStatus } from '../../contracts/steps/step-result';

const ENUMS: [id: string, actual: Record<string, string>, members: string[]][] = [
  [
    'S1.2 SessionStatus',
    SessionStatus,
    ['INITIALIZING', 'ACTIVE', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELLED', 'CLEANUP'],
  ],
  ['S1.16 CommandAction', CommandAction, ['OPEN_PAGE', 'CLICK_ELEMENT', 'INPUT_TEXT', 'SAVE_VARIABLE', 'GET_DOM']],
  ['S1.20 DecisionAction', DecisionAction, ['PROCEED', 'RETRY', 'ABORT']],
  ['S1.32 CommandStatus', CommandStatus, ['QUEUED', 'EXECUTING', 'COMPLETED', 'FAILED', 'CANCELLED']],
  ['S1.33 StepStatus', StepStatus, ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'SKIPPED']],
  ['S1.34 ErrorCategory', ErrorCategory, ['VALIDATION', 'EXECUTION', 'INTEGRATION', 'SYSTEM', 'USER']],
  ['S1.35 ErrorSeverity, from low to high', ErrorSeverity, ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']],
  [
    'S1.29 StreamEventType',
    StreamEventType,
    [
      'WORKFLOW_STARTED',
      'WORKFLOW_PROGRESS',
      'WORKFLOW_COMPLETED',
      'WORKFLOW_FAILED',
      'WORKFLOW_PAUSED',
      'WORKFLOW_RESUMED',
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
      'AI_REASONING',
      'AI_RESPONSE_RECEIVED',
      'COMMAND_STARTED',
      'COMMAND_COMPLETED',
      'COMMAND_FAILED',
      'SCREENSHOT_CAPTURED',
      'VARIABLE_UPDATED',
      'PAGE_NAVIGATED',
      'SESSION_STATUS',
      'ERROR_OCCURRED',
      'WARNING_ISSUED',
    ],
  ],
];

test.each(ENUMS)('%s has exactly its members, and each value is its name', (_, actual, members) => {
  expect(Object.keys(actual)).toEqual(members);
  expect(Object.values(actual)).toEqual(members);
});

test('the engine takes the five actions of S1.16 and further ones, and distinguishes them', () => {
  const all = BrowserActionSchema.options;
  expect(all.filter(isContractAction)).toEqual(Object.values(CommandAction));
  expect(all.length).toBeGreaterThan(5);
});

test.each(Object.values(SessionStatus))('[S1.A1] %s is open exactly while a session may still act', (status) => {
  expect(isOpen(status)).toBe(['INITIALIZING', 'ACTIVE', 'PAUSED'].includes(status));
});
