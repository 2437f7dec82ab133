import type { Approval } from '../approvals/approval';
import type { Budget } from '../models/budget';
import type { StandardError } from '../errors/standard-error';
import type { NewRecord } from '../events/log';
import type { SessionStatus } from './session';
import type { StepStatus } from '../steps/step-result';
import type { Resolution } from '../approvals/unknown-outcome';
import type { WaitingFor } from '../approvals/waiting-for';

/** What changes in the session's row together with the events. */
export interface RowPatch {
  status?: SessionStatus;
  paused?: boolean;
  closed?: boolean;
  currentStep?: number;
  error?: StandardError;
  /** What a person is asked for; null when that is over. */
  waitingFor?: WaitingFor | null;
  /** What it may use from now on. */
  budget?: Budget;
  /** Counts within a run: of an attempt that comes late the row takes nothing that a later patch has changed. */
  number?: number;
}

/** How an unknown outcome was resolved, on its way to the journal. */
export type ResolvedUnknown = Resolution & { commandId: string };

/** How a step ended, without its commands, which stand in the journal; `durationMs` is active time. */
export interface StepSummary {
  stepIndex: number;
  status: StepStatus;
  reasoning: string;
  durationMs: number;
  error?: StandardError | undefined;
  page: PageState;
}

/** The page at the end of a step (S1.28.8, S1.A32), its DOM by reference. */
export interface PageState {
  domId?: string | undefined;
  screenshotId: string;
  url: string;
}

/** What the workflow wants written; it rides along with whichever activity comes next. Writing it twice, or late, changes nothing. */
export interface OutboxBatch {
  records: NewRecord[];
  patch: RowPatch;
  stepResults: StepSummary[];
  resolutions?: ResolvedUnknown[];
  approvals?: Approval[];
}
