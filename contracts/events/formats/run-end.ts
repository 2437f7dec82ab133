import type { ErrorCode, StandardError } from '../../errors/standard-error';
import { StreamEventType } from '../stream-event';
import type { ExecutionErrorType } from '../execution-event';
import type { LogRecord } from '../log';
import type { RecordFacts } from '../record-facts';

/** How a run ended, in the one place where the spellings of the contracts meet (X.A3, X.A5). */
export type RunEnd =
  | { kind: 'completed' }
  | { kind: 'cancelled' }
  | { kind: 'max_steps'; error: StandardError | undefined }
  | { kind: 'failed'; error: StandardError | undefined };

export type TaskEnd = Extract<RecordFacts, { kind: 'task-end' }>;

/** Undefined for every record but the terminal one; `task` is how the last task ended, where there was one. */
export function runEndOf({ type, data }: LogRecord, task: TaskEnd | undefined): RunEnd | undefined {
  if (type === StreamEventType.WORKFLOW_COMPLETED) return { kind: 'completed' };
  if (type !== StreamEventType.WORKFLOW_FAILED) return undefined;
  const { error } = data;
  if (isCancellation(error)) return { kind: 'cancelled' };
  const isOutOfTurns = task?.status === 'max_steps' || error?.details?.['isOutOfIterations'] === true;
  return { kind: isOutOfTurns ? 'max_steps' : 'failed', error };
}

export function isCancellation(error: StandardError | undefined): boolean {
  return error?.details?.['isCancelled'] === true;
}

/** S3.A11 of the codes of S1.38. */
export const ERROR_TYPES: Record<ErrorCode, ExecutionErrorType> = {
  SP001: 'validation',
  SP002: 'internal',
  SP003: 'timeout',
  SP004: 'rate_limited',
  TL001: 'internal',
  TL002: 'llm_error',
  TL003: 'llm_error',
  TL004: 'internal',
  TL005: 'llm_error',
  EX001: 'browser_disconnected',
  EX002: 'validation',
  EX003: 'validation',
  EX004: 'timeout',
  EX005: 'internal',
  AI001: 'llm_error',
  AI002: 'llm_error',
  AI003: 'rate_limited',
  AI004: 'llm_error',
  AI005: 'llm_error',
  CM001: 'internal',
  CM002: 'internal',
  CM003: 'internal',
  CM004: 'internal',
  SM001: 'internal',
  SM002: 'validation',
  SM003: 'validation',
  PM001: 'internal',
  PM002: 'internal',
  PM003: 'internal',
  ES001: 'internal',
  ES002: 'internal',
  ES003: 'internal',
  FA001: 'validation',
  FA002: 'validation',
  FA003: 'rate_limited',
};

export function errorTypeOf(error: StandardError | undefined): ExecutionErrorType {
  return ERROR_TYPES[error?.code as ErrorCode] ?? 'internal';
}
