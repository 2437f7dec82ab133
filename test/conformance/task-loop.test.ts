/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import type { CommandResponse } from '../../contracts/commands/commands';
import type { AIProcessingConfig } from '../../contracts/sessions/config';
import type { ExecutorCommand, StepResult, StreamEventData } from '../../contracts/events/formats/s1';
import type { StandardError } from '../../contracts/errors/standard-error';
import { ExecutionProgressSchema, type ExecutionProgress } from '../../contracts/sessions/progress';
import { ProcessingOptionsSchema, type ProcessingOptions } from '../../contracts/sessions/processing';
import {
  TaskLoopEventDataSchema,
  TaskLoopEventSchema,
  TaskLoopEventType,
  TaskLoopStepRequestSchema,
  type IEventPublisher,
  type TaskLoopCallbacks,
  type TaskLoopEvent,
  type TaskLoopEventData,
  type TaskLoopStepRequest,
} from '../../contracts/events/task-loop';
import { faultsOf, proveSame } from './prove';
import {
  aCommandResponse,
  AI_CONFIG,
  anExecutorCommand,
  aProgress,
  aStandardError,
  aStepResult,
  AT,
  below,
  ERROR_OPTIONAL,
  INVESTIGATION_OPTIONAL,
  investigationMembers,
  PARAMETERS_OPTIONAL,
  RESPONSE_OPTIONAL,
  STEP_RESULT_OPTIONAL,
  UUID,
} from './samples';

test('[S1.53] IEventPublisher publishes an event of the Task Loop', () => {
  expect(proveSame<IEventPublisher, { publishEvent(event: TaskLoopEvent): Promise<void> }>(true)).toBe(true);
});

test('[S1.54] TaskLoopEvent has the members of the contract', () => {
  expect(
    proveSame<
      TaskLoopEvent,
      {
        type: TaskLoopEventType;
        sessionId: string;
        stepIndex?: number | undefined;
        data: TaskLoopEventData;
        timestamp: Date;
      }
    >(true),
  ).toBe(true);
  const whole = { type: 'STEP_STARTED', sessionId: UUID, stepIndex: 0, data: {}, timestamp: AT };
  expect(faultsOf(TaskLoopEventSchema, whole, ['stepIndex'])).toEqual([]);
  expect(TaskLoopEventSchema.safeParse({ ...whole, type: 'WORKFLOW_STARTED' }).success).toBe(false);
});

const TYPES = {
  STEP_STARTED: 'STEP_STARTED',
  STEP_COMPLETED: 'STEP_COMPLETED',
  STEP_FAILED: 'STEP_FAILED',
  AI_REASONING_UPDATE: 'AI_REASONING_UPDATE',
  COMMAND_EXECUTED: 'COMMAND_EXECUTED',
  PROGRESS_UPDATE: 'PROGRESS_UPDATE',
  INVESTIGATION_STARTED: 'INVESTIGATION_STARTED',
  INVESTIGATION_PHASE_STARTED: 'INVESTIGATION_PHASE_STARTED',
  INVESTIGATION_PHASE_COMPLETED: 'INVESTIGATION_PHASE_COMPLETED',
  INVESTIGATION_TOOL_STARTED: 'INVESTIGATION_TOOL_STARTED',
  INVESTIGATION_TOOL_COMPLETED: 'INVESTIGATION_TOOL_COMPLETED',
  INVESTIGATION_COMPLETED: 'INVESTIGATION_COMPLETED',
  INVESTIGATION_FAILED: 'INVESTIGATION_FAILED',
  ELEMENT_DISCOVERED: 'ELEMENT_DISCOVERED',
  WORKING_MEMORY_UPDATED: 'WORKING_MEMORY_UPDATED',
} as const;

test('[S1.55] TaskLoopEventType has its 15 members, each with its name as value', () => {
  expect(TaskLoopEventType).toEqual(TYPES);
  expect(Object.keys(TYPES)).toHaveLength(15);
  expect(proveSame<`${TaskLoopEventType}`, keyof typeof TYPES>(true)).toBe(true);
});

test('[S1.56] TaskLoopEventData has the members of the contract, the investigation ones as in the stream', () => {
  expect(
    proveSame<
      TaskLoopEventData,
      {
        result?: StepResult | undefined;
        error?: StandardError | undefined;
        reasoning?: { content: string; confidence: number } | undefined;
        command?: { command: ExecutorCommand; result: CommandResponse } | undefined;
        progress?: ExecutionProgress | undefined;
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
      }
    >(true),
  ).toBe(true);
  type Shared = 'investigation' | 'investigationTool' | 'elementDiscovery' | 'workingMemory';
  expect(proveSame<Pick<TaskLoopEventData, Shared>, Pick<StreamEventData, Shared>>(true)).toBe(true);
  const whole = {
    result: aStepResult(),
    error: aStandardError(),
    reasoning: { content: 'c', confidence: 0.5 },
    command: { command: anExecutorCommand(), result: aCommandResponse() },
    progress: aProgress(),
    ...investigationMembers(),
  };
  const optional = [
    'result',
    ...below('result', STEP_RESULT_OPTIONAL),
    'error',
    ...below('error', ERROR_OPTIONAL),
    'reasoning',
    'command',
    ...below('command.command.parameters', PARAMETERS_OPTIONAL),
    ...below('command.result', RESPONSE_OPTIONAL),
    'progress',
    'progress.estimatedTimeRemaining',
    ...INVESTIGATION_OPTIONAL,
  ];
  expect(faultsOf(TaskLoopEventDataSchema, whole, optional)).toEqual([]);
});

test('[S1.57] ProcessingOptions has the members of the contract, all optional', () => {
  expect(
    proveSame<
      ProcessingOptions,
      {
        maxIterations?: number | undefined;
        reflectionEnabled?: boolean | undefined;
        validationMode?: 'strict' | 'lenient' | undefined;
        timeoutMs?: number | undefined;
        retryOnFailure?: boolean | undefined;
        maxRetries?: number | undefined;
        aiConfig?: AIProcessingConfig | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = {
    maxIterations: 8,
    reflectionEnabled: true,
    validationMode: 'lenient',
    timeoutMs: 1,
    retryOnFailure: true,
    maxRetries: 0,
    aiConfig: AI_CONFIG,
  };
  expect(faultsOf(ProcessingOptionsSchema, whole, Object.keys(whole))).toEqual([]);
  const accepts = (validationMode: string) => ProcessingOptionsSchema.safeParse({ validationMode }).success;
  expect(['strict', 'lenient', 'loose'].map(accepts)).toEqual([true, true, false]);
});

test('[S1.58] TaskLoopStepRequest has the members of the contract', () => {
  expect(
    proveSame<
      TaskLoopStepRequest,
      {
        sessionId: string;
        stepIndex: number;
        stepContent: string;
        streamId?: string | undefined;
        options?: ProcessingOptions | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = { sessionId: UUID, stepIndex: 0, stepContent: 'Buy', streamId: 's', options: {} };
  expect(faultsOf(TaskLoopStepRequestSchema, whole, ['streamId', 'options'])).toEqual([]);
});

test('[S1.59] TaskLoopCallbacks has the six callbacks of the contract', () => {
  expect(
    proveSame<
      TaskLoopCallbacks,
      {
        onStepStarted(sessionId: string, stepIndex: number): Promise<void>;
        onStepCompleted(sessionId: string, stepIndex: number, result: StepResult): Promise<void>;
        onStepFailed(sessionId: string, stepIndex: number, error: StandardError): Promise<void>;
        onAIReasoningUpdate(sessionId: string, stepIndex: number, reasoning: string, confidence: number): Promise<void>;
        onCommandExecuted(
          sessionId: string,
          stepIndex: number,
          command: ExecutorCommand,
          result: CommandResponse,
        ): Promise<void>;
        onProgressUpdate(sessionId: string, progress: ExecutionProgress): Promise<void>;
      }
    >(true),
  ).toBe(true);
});

test('[S1.60] ExecutionProgress has the members of the contract, its share of the whole from 0 to 100', () => {
  expect(
    proveSame<
      ExecutionProgress,
      {
        sessionId: string;
        totalSteps: number;
        completedSteps: number;
        currentStepIndex: number;
        currentStepName: string;
        overallProgress: number;
        estimatedTimeRemaining?: number | undefined;
        averageStepDuration: number;
        lastActivity: Date;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(ExecutionProgressSchema, aProgress(), ['estimatedTimeRemaining'])).toEqual([]);
  const accepts = (overallProgress: number) =>
    ExecutionProgressSchema.safeParse({ ...aProgress(), overallProgress }).success;
  expect([-1, 0, 100, 101].map(accepts)).toEqual([false, true, true, false]);
});
