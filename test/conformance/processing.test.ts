/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import type { CommandResponse } from '../../contracts/commands/commands';
import {
  AIProcessingConfigSchema,
  ExecutorProcessingConfigSchema,
  StreamProcessingConfigSchema,
  type AIProcessingConfig,
  type ExecutorProcessingConfig,
  type StreamProcessingConfig,
} from '../../contracts/sessions/config';
import { StepResultSchema, type ExecutorCommand, type StepResult } from '../../contracts/events/formats/s1';
import type { StandardError } from '../../contracts/errors/standard-error';
import {
  ProcessingConfigSchema,
  StepProcessingRequestSchema,
  StepProcessingResultSchema,
  type ProcessingConfig,
  type StepProcessingRequest,
  type StepProcessingResult,
} from '../../contracts/sessions/processing';
import type { SessionStatus } from '../../contracts/sessions/session';
import { faultsOf, proveSame } from './prove';
import { aStepResult, AI_CONFIG, AT, EXECUTOR_CONFIG, STEP_RESULT_OPTIONAL, STREAM_CONFIG, UUID } from './samples';

const PROCESSING_CONFIG = {
  maxExecutionTime: 1000,
  enableStreaming: true,
  enableReflection: true,
  retryOnFailure: false,
  maxRetries: 0,
  parallelExecution: false,
  aiConfig: AI_CONFIG,
  executorConfig: EXECUTOR_CONFIG,
  streamConfig: STREAM_CONFIG,
};

test('[S1.22] StepProcessingRequest has the members of the contract', () => {
  expect(
    proveSame<
      StepProcessingRequest,
      { steps: string[]; config: ProcessingConfig; metadata?: Record<string, any> | undefined }
    >(true),
  ).toBe(true);
  const whole = { steps: ['a'], config: PROCESSING_CONFIG, metadata: {} };
  expect(faultsOf(StepProcessingRequestSchema, whole, ['metadata', 'config.streamConfig'])).toEqual([]);
});

test('[S1.23] ProcessingConfig has the members of the contract, only streamConfig optional', () => {
  expect(
    proveSame<
      ProcessingConfig,
      {
        maxExecutionTime: number;
        enableStreaming: boolean;
        enableReflection: boolean;
        retryOnFailure: boolean;
        maxRetries: number;
        parallelExecution: boolean;
        aiConfig: AIProcessingConfig;
        executorConfig: ExecutorProcessingConfig;
        streamConfig?: StreamProcessingConfig | undefined;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(ProcessingConfigSchema, PROCESSING_CONFIG, ['streamConfig'])).toEqual([]);
});

test('[S1.24] AIProcessingConfig has the members of the contract, all required', () => {
  expect(
    proveSame<
      AIProcessingConfig,
      { connectionId: string; model: string; temperature: number; maxTokens: number; timeoutMs: number }
    >(true),
  ).toBe(true);
  expect(faultsOf(AIProcessingConfigSchema, AI_CONFIG)).toEqual([]);
});

test('[S1.25] ExecutorProcessingConfig has the members of the contract, required, and three browsers', () => {
  expect(
    proveSame<
      ExecutorProcessingConfig,
      {
        browserType: 'chromium' | 'firefox' | 'webkit';
        headless: boolean;
        timeoutMs: number;
        screenshotsEnabled: boolean;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(ExecutorProcessingConfigSchema, EXECUTOR_CONFIG)).toEqual([]);
  const accepts = (browserType: string) =>
    ExecutorProcessingConfigSchema.safeParse({ ...EXECUTOR_CONFIG, browserType }).success;
  expect(['chromium', 'firefox', 'webkit', 'chrome'].map(accepts)).toEqual([true, true, true, false]);
});

test('[S1.26] StreamProcessingConfig has the members of the contract, all required', () => {
  expect(
    proveSame<StreamProcessingConfig, { bufferSize: number; maxHistorySize: number; compressionEnabled: boolean }>(
      true,
    ),
  ).toBe(true);
  expect(faultsOf(StreamProcessingConfigSchema, STREAM_CONFIG)).toEqual([]);
});

test('[S1.27] StepProcessingResult has the members of the contract', () => {
  expect(
    proveSame<
      StepProcessingResult,
      {
        sessionId: string;
        streamId?: string | undefined;
        initialStatus: SessionStatus;
        estimatedDuration?: number | undefined;
        createdAt: Date;
      }
    >(true),
  ).toBe(true);
  const whole = { sessionId: UUID, streamId: 's', initialStatus: 'ACTIVE', estimatedDuration: 1, createdAt: AT };
  expect(faultsOf(StepProcessingResultSchema, whole, ['streamId', 'estimatedDuration'])).toEqual([]);
});

test('[S1.28] StepResult has the members of the contract, with the page as it was at the end', () => {
  expect(
    proveSame<
      StepResult,
      {
        stepIndex: number;
        success: boolean;
        executedCommands: ExecutorCommand[];
        commandResults: CommandResponse[];
        aiReasoning: string;
        duration: number;
        error?: StandardError | undefined;
        finalPageState: { dom: string; screenshotId: string; url: string };
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(StepResultSchema, aStepResult(), STEP_RESULT_OPTIONAL)).toEqual([]);
});
