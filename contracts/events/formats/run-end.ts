import { isCancellation } from '../../errors/cancellation';
import { ERRORS } from '../../errors/error-codes';
import type { ErrorDefinition } from '../../errors/error-definition';
import { originOf, type StandardError } from '../../errors/standard-error';
import { StreamEventType } from '../stream-event';
import type { ExecutionErrorType } from '../../errors/execution-error-type';
import type { LogRecord } from '../log';
import type { RecordFacts } from '../record-facts';

/** How a run ended: the one place that maps the spellings of the contracts (X.A3, X.A5). */
export type RunEnd =
  | { kind: 'completed' }
  | { kind: 'cancelled' }
  | { kind: 'max_steps'; error: StandardError | undefined }
  | { kind: 'failed'; error: StandardError | undefined };

export type TaskEndFacts = Extract<RecordFacts, { kind: 'task-end' }>;

/** The end of the run; undefined for every record but the terminal one. `task` is the end of the last task, if there was one. */
export function runEndOf({ type, data }: LogRecord, task: TaskEndFacts | undefined): RunEnd | undefined {
  if (type === StreamEventType.WORKFLOW_COMPLETED) return { kind: 'completed' };
  if (type !== StreamEventType.WORKFLOW_FAILED) return undefined;
  const { error } = data;
  if (isCancellation(error)) return { kind: 'cancelled' };
  const isOutOfTurns = task?.status === 'max_steps' || error?.details?.['isOutOfIterations'] === true;
  return { kind: isOutOfTurns ? 'max_steps' : 'failed', error };
}

/** S3.A11; an error that says nothing of its kind has that of its cause. */
export function errorTypeOf(error: StandardError | undefined): ExecutionErrorType {
  if (error === undefined) return 'internal';
  const { code, moduleId } = originOf(error);
  // Of a site that could not be reached, not of a model.
  if (code === 'TL002' && moduleId === 'executor') return 'internal';
  return (ERRORS as Partial<Record<string, ErrorDefinition>>)[code]?.executionType ?? 'internal';
}
