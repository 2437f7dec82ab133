/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import { CommandStatus } from '../../contracts/commands/commands';
import type { CommandAction, CommandParameters, CommandResponse } from '../../contracts/commands/commands';
import {
  StreamEventDataSchema,
  StreamEventSchema,
  type StepResult,
  type StreamEvent,
  type StreamEventData,
} from '../../contracts/events/formats/s1';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StandardWarningSchema, type StandardWarning } from '../../contracts/errors/standard-warning';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { PageInfo, ScreenshotInfo, VariableInfo } from '../../contracts/sessions/resources';
import { StepStatus } from '../../contracts/steps/step-result';
import { faultsOf, proveSame } from './prove';
import {
  aCommandResponse,
  anExecutorCommand,
  aPageVisit,
  aProgress,
  aScreenshot,
  aStandardError,
  aStepResult,
  AT,
  aVariable,
  aWarning,
  below,
  ERROR_OPTIONAL,
  INVESTIGATION_OPTIONAL,
  investigationMembers,
  PAGE_OPTIONAL,
  PARAMETERS_OPTIONAL,
  RESPONSE_OPTIONAL,
  SCREENSHOT_OPTIONAL,
  STEP_RESULT_OPTIONAL,
  UUID,
  VARIABLE_OPTIONAL,
  WARNING_OPTIONAL,
} from './samples';

const EVENT_TYPES = {
  WORKFLOW_STARTED: 'WORKFLOW_STARTED',
  WORKFLOW_PROGRESS: 'WORKFLOW_PROGRESS',
  WORKFLOW_COMPLETED: 'WORKFLOW_COMPLETED',
  WORKFLOW_FAILED: 'WORKFLOW_FAILED',
  WORKFLOW_PAUSED: 'WORKFLOW_PAUSED',
  WORKFLOW_RESUMED: 'WORKFLOW_RESUMED',
  STEP_STARTED: 'STEP_STARTED',
  STEP_COMPLETED: 'STEP_COMPLETED',
  STEP_FAILED: 'STEP_FAILED',
  INVESTIGATION_STARTED: 'INVESTIGATION_STARTED',
  INVESTIGATION_PHASE_STARTED: 'INVESTIGATION_PHASE_STARTED',
  INVESTIGATION_PHASE_COMPLETED: 'INVESTIGATION_PHASE_COMPLETED',
  INVESTIGATION_TOOL_STARTED: 'INVESTIGATION_TOOL_STARTED',
  INVESTIGATION_TOOL_COMPLETED: 'INVESTIGATION_TOOL_COMPLETED',
  INVESTIGATION_COMPLETED: 'INVESTIGATION_COMPLETED',
  INVESTIGATION_FAILED: 'INVESTIGATION_FAILED',
  ELEMENT_DISCOVERED: 'ELEMENT_DISCOVERED',
  WORKING_MEMORY_UPDATED: 'WORKING_MEMORY_UPDATED',
  AI_REASONING: 'AI_REASONING',
  AI_RESPONSE_RECEIVED: 'AI_RESPONSE_RECEIVED',
  COMMAND_STARTED: 'COMMAND_STARTED',
  COMMAND_COMPLETED: 'COMMAND_COMPLETED',
  COMMAND_FAILED: 'COMMAND_FAILED',
  SCREENSHOT_CAPTURED: 'SCREENSHOT_CAPTURED',
  VARIABLE_UPDATED: 'VARIABLE_UPDATED',
  PAGE_NAVIGATED: 'PAGE_NAVIGATED',
  SESSION_STATUS: 'SESSION_STATUS',
  ERROR_OCCURRED: 'ERROR_OCCURRED',
  WARNING_ISSUED: 'WARNING_ISSUED',
} as const;

test('[S1.29] StreamEventType has its 29 members, each with its name as value', () => {
  expect(StreamEventType).toEqual(EVENT_TYPES);
  expect(Object.keys(EVENT_TYPES)).toHaveLength(29);
  expect(proveSame<`${StreamEventType}`, keyof typeof EVENT_TYPES>(true)).toBe(true);
});

test('[S1.30] StreamEvent has the members of the contract', () => {
  expect(
    proveSame<
      StreamEvent,
      {
        id: string;
        type: StreamEventType;
        timestamp: Date;
        sessionId: string;
        stepIndex?: number | undefined;
        data: StreamEventData;
        metadata?: Record<string, any> | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = {
    id: 'e',
    type: 'WARNING_ISSUED',
    timestamp: AT,
    sessionId: UUID,
    stepIndex: 0,
    data: { message: 'm' },
    metadata: {},
  };
  expect(faultsOf(StreamEventSchema, whole, ['stepIndex', 'metadata', 'data.message'])).toEqual([]);
  expect(StreamEventSchema.safeParse({ ...whole, type: 'SOMETHING_ELSE' }).success).toBe(false);
});

test('[S1.31] StreamEventData has the members of the contract, optional, with those of each payload', () => {
  expect(
    proveSame<
      StreamEventData,
      {
        reasoning?:
          | {
              thought: string;
              confidence: number;
              reasoningType: 'analysis' | 'decision' | 'plan' | 'reflection';
              context?: Record<string, any> | undefined;
            }
          | undefined;
        command?:
          | {
              commandId: string;
              action: CommandAction;
              parameters: CommandParameters;
              status: CommandStatus;
              duration?: number | undefined;
              result?: CommandResponse | undefined;
            }
          | undefined;
        step?:
          | {
              stepIndex: number;
              stepContent: string;
              status: StepStatus;
              progress?: number | undefined;
              result?: StepResult | undefined;
            }
          | undefined;
        investigation?:
          | {
              investigationId?: string | undefined;
              phase: 'initial_assessment' | 'focused_exploration' | 'selector_determination';
              toolsUsed: string[];
              elementsDiscovered: number;
              confidence: number;
              duration?: number | undefined;
              readyForAction?: boolean | undefined;
            }
          | undefined;
        investigationTool?:
          | {
              tool: 'screenshot_analysis' | 'text_extraction' | 'full_dom_retrieval' | 'sub_dom_extraction';
              success: boolean;
              confidence: number;
              duration: number;
              elementsFound?: number | undefined;
              summary?: string | undefined;
            }
          | undefined;
        elementDiscovery?:
          | {
              selector: string;
              elementType: string;
              confidence: number;
              discoveryMethod: string;
              isReliable: boolean;
              properties?: Record<string, any> | undefined;
            }
          | undefined;
        workingMemory?:
          | {
              updateType:
                | 'element_discovery'
                | 'page_insight'
                | 'variable_extraction'
                | 'pattern_learning'
                | 'investigation_preference';
              elementsKnown: number;
              patternsLearned: number;
              confidence: number;
              source: string;
            }
          | undefined;
        progress?:
          | {
              sessionId: string;
              totalSteps: number;
              completedSteps: number;
              currentStepIndex: number;
              overallProgress: number;
              estimatedTimeRemaining?: number | undefined;
            }
          | undefined;
        screenshot?: ScreenshotInfo | undefined;
        variable?: VariableInfo | undefined;
        page?: PageInfo | undefined;
        error?: StandardError | undefined;
        warning?: StandardWarning | undefined;
        message?: string | undefined;
        details?: Record<string, any> | undefined;
      }
    >(true),
  ).toBe(true);
  const { currentStepName: _name, averageStepDuration: _average, lastActivity: _last, ...progress } = aProgress();
  const { action, parameters } = anExecutorCommand();
  const whole = {
    reasoning: { thought: 't', confidence: 0.5, reasoningType: 'plan', context: {} },
    command: {
      commandId: 'c1',
      action,
      parameters,
      status: 'FAILED',
      duration: 3,
      result: aCommandResponse(),
    },
    step: { stepIndex: 0, stepContent: 'Buy', status: 'FAILED', progress: 50, result: aStepResult() },
    ...investigationMembers(),
    progress,
    screenshot: aScreenshot(),
    variable: aVariable(),
    page: aPageVisit(),
    error: aStandardError(),
    warning: aWarning(),
    message: 'm',
    details: {},
  };
  const optional = [
    'reasoning',
    'reasoning.context',
    'command',
    'command.duration',
    'command.result',
    ...below('command.result', RESPONSE_OPTIONAL),
    ...below('command.parameters', PARAMETERS_OPTIONAL),
    'step',
    'step.progress',
    'step.result',
    ...below('step.result', STEP_RESULT_OPTIONAL),
    ...INVESTIGATION_OPTIONAL,
    'progress',
    'progress.estimatedTimeRemaining',
    'screenshot',
    ...below('screenshot', SCREENSHOT_OPTIONAL),
    'variable',
    ...below('variable', VARIABLE_OPTIONAL),
    'page',
    ...below('page', PAGE_OPTIONAL),
    'error',
    ...below('error', ERROR_OPTIONAL),
    'warning',
    ...below('warning', WARNING_OPTIONAL),
    'message',
    'details',
  ];
  expect(faultsOf(StreamEventDataSchema, whole, optional)).toEqual([]);
});

test('[S1.32] CommandStatus has its five members, each with its name as value', () => {
  expect(CommandStatus).toEqual({
    QUEUED: 'QUEUED',
    EXECUTING: 'EXECUTING',
    COMPLETED: 'COMPLETED',
    FAILED: 'FAILED',
    CANCELLED: 'CANCELLED',
  });
  expect(proveSame<`${CommandStatus}`, 'QUEUED' | 'EXECUTING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'>(true)).toBe(true);
});

test('[S1.33] StepStatus has its six members, each with its name as value', () => {
  expect(StepStatus).toEqual({
    PENDING: 'PENDING',
    IN_PROGRESS: 'IN_PROGRESS',
    COMPLETED: 'COMPLETED',
    FAILED: 'FAILED',
    CANCELLED: 'CANCELLED',
    SKIPPED: 'SKIPPED',
  });
  expect(
    proveSame<`${StepStatus}`, 'PENDING' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'SKIPPED'>(true),
  ).toBe(true);
});

test('[S1.37] StandardWarning has the members of the contract, and nothing of category or recovery', () => {
  expect(
    proveSame<
      StandardWarning,
      {
        id: string;
        code: string;
        message: string;
        details?: Record<string, any> | undefined;
        timestamp: Date;
        sessionId?: string | undefined;
        stepIndex?: number | undefined;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(StandardWarningSchema, aWarning(), WARNING_OPTIONAL)).toEqual([]);
});
