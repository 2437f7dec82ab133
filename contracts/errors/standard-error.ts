import { z } from 'zod';
import { enumOf } from '../enum-of';
import { ERROR_GUIDE } from './error-guide';

/** S1.34. */
export enum ErrorCategory {
  VALIDATION = 'VALIDATION',
  EXECUTION = 'EXECUTION',
  INTEGRATION = 'INTEGRATION',
  SYSTEM = 'SYSTEM',
  USER = 'USER',
}

/** S1.35, ordered LOW < MEDIUM < HIGH < CRITICAL. */
export enum ErrorSeverity {
  LOW = 'LOW',
  MEDIUM = 'MEDIUM',
  HIGH = 'HIGH',
  CRITICAL = 'CRITICAL',
}

const DetailsSchema = z.record(z.string(), z.any());
type Details = z.infer<typeof DetailsSchema>;

/** S1.36: the one error record of every module; `cause` holds the origin (S1.R22). */
export interface StandardError {
  id: string;
  category: ErrorCategory;
  severity: ErrorSeverity;
  code: string;
  message: string;
  details?: Details | undefined;
  cause?: StandardError | undefined;
  timestamp: Date;
  sessionId?: string | undefined;
  stepIndex?: number | undefined;
  commandId?: string | undefined;
  moduleId?: string | undefined;
  recoverable: boolean;
  retryable: boolean;
  suggestedAction?: string | undefined;
}

export const StandardErrorSchema: z.ZodType<StandardError> = z.object({
  id: z.string(),
  category: enumOf<ErrorCategory>(ErrorCategory),
  severity: enumOf<ErrorSeverity>(ErrorSeverity),
  code: z.string(),
  message: z.string(),
  details: DetailsSchema.optional(),
  get cause() {
    return StandardErrorSchema.optional();
  },
  timestamp: z.coerce.date(),
  sessionId: z.string().optional(),
  stepIndex: z.number().optional(),
  commandId: z.string().optional(),
  moduleId: z.string().optional(),
  recoverable: z.boolean(),
  retryable: z.boolean(),
  suggestedAction: z.string().optional(),
});

/** S1.38: module namespace, key, code. Compare codes, never keys (S1.A18). */
export const ERROR_CODES = {
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

type Values<T> = T[keyof T];
export type ErrorCode = Values<{ [M in keyof typeof ERROR_CODES]: Values<(typeof ERROR_CODES)[M]> }>;

interface Classification {
  category: ErrorCategory;
  severity: ErrorSeverity;
  recoverable: boolean;
  retryable: boolean;
}

function row(
  category: ErrorCategory,
  severity: ErrorSeverity,
  recoverable: boolean,
  retryable: boolean,
): Classification {
  return { category, severity, recoverable, retryable };
}

const { VALIDATION, EXECUTION, INTEGRATION, SYSTEM, USER } = ErrorCategory;
const { LOW, MEDIUM, HIGH, CRITICAL } = ErrorSeverity;

/** S1.E: category, severity, recoverable and retryable of each code. SP004 is retryable after a wait (decision over the notes). */
export const ERROR_TABLE: Record<ErrorCode, Classification> = {
  SP001: row(VALIDATION, MEDIUM, false, false),
  SP002: row(EXECUTION, CRITICAL, true, true),
  SP003: row(EXECUTION, HIGH, true, true),
  SP004: row(SYSTEM, CRITICAL, true, true),
  TL001: row(INTEGRATION, MEDIUM, true, false),
  TL002: row(INTEGRATION, HIGH, true, true),
  TL003: row(INTEGRATION, MEDIUM, true, true),
  TL004: row(EXECUTION, HIGH, true, true),
  TL005: row(EXECUTION, MEDIUM, true, true),
  EX001: row(SYSTEM, CRITICAL, false, false),
  EX002: row(VALIDATION, MEDIUM, true, false),
  EX003: row(VALIDATION, MEDIUM, true, true),
  EX004: row(EXECUTION, HIGH, true, true),
  EX005: row(EXECUTION, LOW, true, true),
  AI001: row(INTEGRATION, CRITICAL, true, true),
  AI002: row(INTEGRATION, CRITICAL, false, false),
  AI003: row(SYSTEM, MEDIUM, true, true),
  AI004: row(VALIDATION, LOW, true, false),
  AI005: row(EXECUTION, HIGH, true, false),
  CM001: row(VALIDATION, MEDIUM, true, false),
  CM002: row(SYSTEM, HIGH, true, true),
  CM003: row(EXECUTION, MEDIUM, true, true),
  CM004: row(SYSTEM, CRITICAL, false, false),
  SM001: row(SYSTEM, HIGH, true, false),
  SM002: row(VALIDATION, MEDIUM, true, true),
  SM003: row(VALIDATION, HIGH, false, false),
  PM001: row(SYSTEM, HIGH, true, false),
  PM002: row(INTEGRATION, MEDIUM, true, true),
  PM003: row(EXECUTION, MEDIUM, true, false),
  ES001: row(SYSTEM, HIGH, true, true),
  ES002: row(INTEGRATION, LOW, true, true),
  ES003: row(INTEGRATION, LOW, true, true),
  FA001: row(VALIDATION, MEDIUM, false, false),
  FA002: row(USER, MEDIUM, true, false),
  FA003: row(SYSTEM, LOW, true, true),
};

/** What a caller must bring to make a StandardError; the table brings the rest. Pure, so workflow code may call it. */
export interface ErrorFacts {
  id: string;
  timestamp: Date;
  code: ErrorCode;
  message: string;
  details?: Details | undefined;
  cause?: StandardError | undefined;
  sessionId?: string | undefined;
  stepIndex?: number | undefined;
  commandId?: string | undefined;
  moduleId?: string | undefined;
  suggestedAction?: string | undefined;
}

export function standardError(facts: ErrorFacts): StandardError {
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  const { suggestedAction } = ERROR_GUIDE[facts.code];
  return { suggestedAction, ...(given as unknown as ErrorFacts), ...ERROR_TABLE[facts.code] };
}

/** Failure type by which activities tell the workflow that a foreign run has taken this session over. */
export const SESSION_SUPERSEDED = 'SessionSuperseded';

/** Failure type: the Chrome of this lease is gone; take a new one. */
export const BROWSER_GONE = 'BrowserGone';
