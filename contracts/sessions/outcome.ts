import type { ResultSummary } from '../results/result';
import type { SessionStatus } from './session';

/** What the workflow returns when the session has completed. */
export interface SessionOutcome<Result = unknown> {
  sessionId: string;
  status: SessionStatus;
  completedSteps: number;
  /** What its newest task or extract step that was to return one has returned; a large one is in the store alone. */
  result?: Result;
  resultInfo?: Pick<ResultSummary, 'stepIndex' | 'rows' | 'bytes'>;
}
