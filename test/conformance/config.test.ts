/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import { DEPENDENCY_TOKENS, type DIContainer, type ModuleRegistration } from '../../contracts/modules/dependencies';
import {
  BaseModuleConfigSchema,
  LoggingConfigSchema,
  LogLevel,
  PerformanceConfigSchema,
  type BaseModuleConfig,
  type LoggingConfig,
  type PerformanceConfig,
} from '../../contracts/modules/module-config';
import {
  DEFAULT_TIMEOUT_CONFIG,
  TimeoutConfigSchema,
  TimeoutValidationResultSchema,
  timeoutValidator,
  type TimeoutConfig,
  type TimeoutValidationResult,
  type TimeoutValidator,
} from '../../contracts/sessions/timeouts';
import { faultsOf, proveSame } from './prove';

const LOGGING = {
  level: 'INFO',
  prefix: '[StepProcessor]',
  includeTimestamp: true,
  includeSessionId: true,
  includeModuleId: true,
  structured: true,
};
const PERFORMANCE = { maxConcurrentOperations: 10, cacheEnabled: true, cacheTTLMs: 1000, metricsEnabled: false };
const TIMEOUTS = {
  workflowTimeoutMs: 1_800_000,
  stepTimeoutMs: 300_000,
  requestTimeoutMs: 30_000,
  connectionTimeoutMs: 10_000,
  defaultOperationTimeoutMs: 30_000,
  maxRetryAttempts: 3,
  retryDelayMs: 1000,
  exponentialBackoff: true,
};

test('[S1.42] BaseModuleConfig has the members of the contract', () => {
  expect(
    proveSame<
      BaseModuleConfig,
      {
        moduleId: string;
        version: string;
        enabled: boolean;
        logging: LoggingConfig;
        performance: PerformanceConfig;
        timeouts: TimeoutConfig;
      }
    >(true),
  ).toBe(true);
  const whole = {
    moduleId: 'executor',
    version: '1.0.0',
    enabled: true,
    logging: LOGGING,
    performance: PERFORMANCE,
    timeouts: TIMEOUTS,
  };
  expect(faultsOf(BaseModuleConfigSchema, whole)).toEqual([]);
});

test('[S1.43] LoggingConfig has the members of the contract', () => {
  expect(
    proveSame<
      LoggingConfig,
      {
        level: LogLevel;
        prefix: string;
        includeTimestamp: boolean;
        includeSessionId: boolean;
        includeModuleId: boolean;
        structured: boolean;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(LoggingConfigSchema, LOGGING)).toEqual([]);
  expect(LoggingConfigSchema.safeParse({ ...LOGGING, level: 'TRACE' }).success).toBe(false);
});

test('[S1.44] LogLevel has its four members, from DEBUG to ERROR, each with its name as value', () => {
  expect(Object.entries(LogLevel)).toEqual([
    ['DEBUG', 'DEBUG'],
    ['INFO', 'INFO'],
    ['WARN', 'WARN'],
    ['ERROR', 'ERROR'],
  ]);
  expect(proveSame<`${LogLevel}`, 'DEBUG' | 'INFO' | 'WARN' | 'ERROR'>(true)).toBe(true);
});

test('[S1.45] PerformanceConfig has the members of the contract', () => {
  expect(
    proveSame<
      PerformanceConfig,
      { maxConcurrentOperations: number; cacheEnabled: boolean; cacheTTLMs: number; metricsEnabled: boolean }
    >(true),
  ).toBe(true);
  expect(faultsOf(PerformanceConfigSchema, PERFORMANCE)).toEqual([]);
});

test('[S1.46] TimeoutConfig has the eight members of the contract, all required', () => {
  expect(
    proveSame<
      TimeoutConfig,
      {
        workflowTimeoutMs: number;
        stepTimeoutMs: number;
        requestTimeoutMs: number;
        connectionTimeoutMs: number;
        defaultOperationTimeoutMs: number;
        maxRetryAttempts: number;
        retryDelayMs: number;
        exponentialBackoff: boolean;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(TimeoutConfigSchema, TIMEOUTS)).toEqual([]);
});

test('[S1.47] TimeoutValidator has the three methods of the contract, and ours has them', () => {
  expect(
    proveSame<
      TimeoutValidator,
      {
        validateTimeoutHierarchy(config: TimeoutConfig): TimeoutValidationResult;
        createDefaultTimeouts(): TimeoutConfig;
        inheritTimeouts(parentConfig: TimeoutConfig, overrides?: Partial<TimeoutConfig>): TimeoutConfig;
      }
    >(true),
  ).toBe(true);
  expect(timeoutValidator.createDefaultTimeouts()).toEqual(TIMEOUTS);
  expect(timeoutValidator.validateTimeoutHierarchy(TIMEOUTS).isValid).toBe(true);
  expect(timeoutValidator.inheritTimeouts(TIMEOUTS, { retryDelayMs: 1 })).toEqual({ ...TIMEOUTS, retryDelayMs: 1 });
});

test('[S1.48] TimeoutValidationResult has the members of the contract', () => {
  expect(
    proveSame<
      TimeoutValidationResult,
      { isValid: boolean; errors: string[]; warnings: string[]; recommendations?: string[] | undefined }
    >(true),
  ).toBe(true);
  const whole = { isValid: false, errors: ['e'], warnings: ['w'], recommendations: ['r'] };
  expect(faultsOf(TimeoutValidationResultSchema, whole, ['recommendations'])).toEqual([]);
});

test('[S1.49] DEFAULT_TIMEOUT_CONFIG has the values of the contract', () => {
  expect(DEFAULT_TIMEOUT_CONFIG).toEqual(TIMEOUTS);
  expect(proveSame<typeof DEFAULT_TIMEOUT_CONFIG, TimeoutConfig>(true)).toBe(true);
});

test('[S1.50] DIContainer has the methods of the contract, with both forms of register', () => {
  expect(
    proveSame<
      DIContainer,
      {
        register<T>(token: string, factory: () => T): void;
        register<T>(token: string, instance: T): void;
        resolve<T>(token: string): T;
        resolveAll<T>(token: string): T[];
        createScope(): DIContainer;
      }
    >(true),
  ).toBe(true);
});

test('[S1.51] ModuleRegistration has the members of the contract', () => {
  expect(
    proveSame<
      ModuleRegistration,
      {
        moduleId: string;
        dependencies: string[];
        factory: (container: DIContainer) => any;
        singleton: boolean;
        initializeAsync?: boolean | undefined;
      }
    >(true),
  ).toBe(true);
});

const TOKENS = {
  SESSION_COORDINATOR: 'SessionCoordinator',
  ERROR_HANDLER: 'ErrorHandler',
  LOGGER: 'Logger',
  CONFIG_MANAGER: 'ConfigManager',
  STEP_PROCESSOR: 'IStepProcessor',
  TASK_LOOP: 'ITaskLoop',
  EXECUTOR: 'IExecutor',
  AI_INTEGRATION: 'IAIIntegration',
  CONTEXT_MANAGER: 'IAIContextManager',
  SCHEMA_MANAGER: 'IAISchemaManager',
  PROMPT_MANAGER: 'IAIPromptManager',
  EXECUTOR_STREAMER: 'IExecutorStreamer',
  EVENT_PUBLISHER: 'IEventPublisher',
  AI_CONNECTION: 'AIConnection',
  DATABASE: 'Database',
  FILE_SYSTEM: 'FileSystem',
} as const;

test('[S1.52] DEPENDENCY_TOKENS has the tokens of the contract', () => {
  expect(DEPENDENCY_TOKENS).toEqual(TOKENS);
  expect(proveSame<typeof DEPENDENCY_TOKENS, typeof TOKENS>(true)).toBe(true);
});
