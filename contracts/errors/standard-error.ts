import { z } from 'zod';
import { enumOf } from '../enum-of';
import { ERRORS, type ErrorCode } from './error-codes';
import { ErrorCategory, ErrorSeverity, type ErrorDefinition } from './error-definition';

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

/** What a caller must bring to make a StandardError; the definition of the code brings the rest. Pure, so workflow code may call it. */
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

/** The module that an error is raised by, where nobody says so (S1.R21, S1.R22). */
const RAISED_BY: Readonly<Record<string, string>> = {
  SP: 'step-processor',
  TL: 'task-loop',
  EX: 'executor',
  AI: 'ai-integration',
  CM: 'ai-context-manager',
  SM: 'ai-schema-manager',
  PM: 'ai-prompt-manager',
  ES: 'executor-streamer',
  FA: 'frontend-api',
};

function moduleOf(code: ErrorCode): string | undefined {
  return RAISED_BY[code.slice(0, 2)];
}

export function standardError(facts: ErrorFacts): StandardError {
  const set = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  const { category, severity, recoverable, retryable, suggestedAction } = ERRORS[facts.code];
  return {
    suggestedAction,
    moduleId: moduleOf(facts.code),
    ...(set as unknown as ErrorFacts),
    category,
    severity,
    recoverable,
    retryable,
  };
}

/** The error that began it: where an error only says that something failed, its cause says what (S1.R22). */
export function originOf(error: StandardError): StandardError {
  const definitions: Partial<Record<string, ErrorDefinition>> = ERRORS;
  const says = definitions[error.code]?.executionType ?? 'internal';
  return says === 'internal' && error.cause !== undefined ? originOf(error.cause) : error;
}

/** Failure type of activities when another run has taken this session over. */
export const SESSION_SUPERSEDED = 'SessionSuperseded';

/** Failure type: the Chrome of this lease is gone; take a new one. */
export const BROWSER_GONE = 'BrowserGone';

/** Failure type: the database was put back to an earlier time, and has forgotten what this session has done since. */
export const STORE_BEHIND = 'StoreBehind';
