import type { ExecutionErrorType } from './execution-error-type';

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

/** Everything that the engine and docs/reference/errors.md know about an error code. */
export interface ErrorDefinition {
  code: string;
  /** S1.E, as the next three; SP004 is retryable after a wait (decision over the notes). */
  category: ErrorCategory;
  severity: ErrorSeverity;
  /** The session can go on, or a new one can start, once the cause is gone. */
  recoverable: boolean;
  /** The same again may work. */
  retryable: boolean;
  /** S1.A19: 400 for VALIDATION and USER, 502 for INTEGRATION, 500 otherwise, where no closer status is known. */
  httpStatus: number;
  /** S3.A11: what the `execution` format calls it. */
  executionType: ExecutionErrorType;
  /** The condition, as the rest of a sentence. */
  when: string;
  /** For errors that bring no advice of their own. */
  suggestedAction: string;
}

/** The errors of one module by key. */
export function defineErrors<const D extends Record<string, ErrorDefinition>>(definitions: D): D {
  return definitions;
}
