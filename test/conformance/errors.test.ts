/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import { ERROR_CODES } from '../../contracts/errors/error-codes';
import { ErrorCategory, ErrorSeverity } from '../../contracts/errors/error-definition';
import { StandardErrorSchema, type StandardError } from '../../contracts/errors/standard-error';
import { faultsOf, proveSame } from './prove';
import { aStandardError, ERROR_OPTIONAL } from './samples';

const CODES = {
  STEP_PROCESSOR: {
    VALIDATION_FAILED: 'SP001',
    SESSION_CREATION_FAILED: 'SP002',
    TASK_LOOP_TIMEOUT: 'SP003',
    CONCURRENT_LIMIT_EXCEEDED: 'SP004',
  },
  TASK_LOOP: {
    PROMPT_GENERATION_FAILED: 'TL001',
    AI_COMMUNICATION_ERROR: 'TL002',
    RESPONSE_PARSING_ERROR: 'TL003',
    COMMAND_EXECUTION_FAILED: 'TL004',
    REFLECTION_FAILED: 'TL005',
  },
  EXECUTOR: {
    BROWSER_LAUNCH_FAILED: 'EX001',
    SELECTOR_NOT_FOUND: 'EX002',
    ELEMENT_NOT_INTERACTABLE: 'EX003',
    PAGE_LOAD_TIMEOUT: 'EX004',
    SCREENSHOT_FAILED: 'EX005',
  },
  AI_INTEGRATION: {
    CONNECTION_FAILED: 'AI001',
    AUTHENTICATION_ERROR: 'AI002',
    RATE_LIMIT_EXCEEDED: 'AI003',
    INVALID_RESPONSE: 'AI004',
    MODEL_ERROR: 'AI005',
  },
  CONTEXT_MANAGER: {
    SESSION_NOT_FOUND: 'CM001',
    STORAGE_ERROR: 'CM002',
    CONTEXT_GENERATION_FAILED: 'CM003',
    DATA_CORRUPTION: 'CM004',
  },
  SCHEMA_MANAGER: {
    SCHEMA_GENERATION_FAILED: 'SM001',
    VALIDATION_ERROR: 'SM002',
    SCHEMA_VERSION_MISMATCH: 'SM003',
  },
  PROMPT_MANAGER: {
    TEMPLATE_NOT_FOUND: 'PM001',
    CONTEXT_UNAVAILABLE: 'PM002',
    TEMPLATE_RENDERING_FAILED: 'PM003',
  },
  EXECUTOR_STREAMER: {
    STREAM_CREATION_FAILED: 'ES001',
    CLIENT_CONNECTION_ERROR: 'ES002',
    EVENT_PUBLISHING_FAILED: 'ES003',
  },
  FRONTEND_API: {
    REQUEST_VALIDATION_FAILED: 'FA001',
    AUTHENTICATION_FAILED: 'FA002',
    RATE_LIMIT_EXCEEDED: 'FA003',
  },
} as const;

test('[S1.34] ErrorCategory has its five members, each with its name as value', () => {
  expect(ErrorCategory).toEqual({
    VALIDATION: 'VALIDATION',
    EXECUTION: 'EXECUTION',
    INTEGRATION: 'INTEGRATION',
    SYSTEM: 'SYSTEM',
    USER: 'USER',
  });
  expect(proveSame<`${ErrorCategory}`, 'VALIDATION' | 'EXECUTION' | 'INTEGRATION' | 'SYSTEM' | 'USER'>(true)).toBe(
    true,
  );
});

test('[S1.35] ErrorSeverity has its four members, from low to critical, each with its name as value', () => {
  expect(Object.entries(ErrorSeverity)).toEqual([
    ['LOW', 'LOW'],
    ['MEDIUM', 'MEDIUM'],
    ['HIGH', 'HIGH'],
    ['CRITICAL', 'CRITICAL'],
  ]);
  expect(proveSame<`${ErrorSeverity}`, 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'>(true)).toBe(true);
});

test('[S1.36] StandardError has the members of the contract, and its cause is another', () => {
  interface Declared {
    id: string;
    category: ErrorCategory;
    severity: ErrorSeverity;
    code: string;
    message: string;
    details?: Record<string, any> | undefined;
    cause?: Declared | undefined;
    timestamp: Date;
    sessionId?: string | undefined;
    stepIndex?: number | undefined;
    commandId?: string | undefined;
    moduleId?: string | undefined;
    recoverable: boolean;
    retryable: boolean;
    suggestedAction?: string | undefined;
  }
  expect(proveSame<StandardError, Declared>(true)).toBe(true);
  expect(faultsOf(StandardErrorSchema, aStandardError(), ERROR_OPTIONAL)).toEqual([]);
  const nested = { ...aStandardError(), cause: { ...aStandardError(), cause: aStandardError() } };
  expect(StandardErrorSchema.parse(nested)).toMatchObject({ cause: { cause: { code: 'TL004' } } });
  expect(StandardErrorSchema.safeParse({ ...aStandardError(), cause: { message: 'no record' } }).success).toBe(false);
});

test('[S1.38] ERROR_CODES has every module, key and code of the contract', () => {
  expect(ERROR_CODES).toEqual(CODES);
  expect(proveSame<typeof ERROR_CODES, typeof CODES>(true)).toBe(true);
});
