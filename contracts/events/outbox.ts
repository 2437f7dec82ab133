import type { Approval } from '../approvals/approval';
import type { Revocation } from '../approvals/remembered-approval';
import type { Budget } from '../models/budget';
import type { StandardError } from '../errors/standard-error';
import type { NewRecord } from './log';
import type { AppliedMessage } from '../messages/control-message';
import type { PageWaitState } from '../sessions/page-wait';
import type { SessionStatus } from '../sessions/session';
import type { StepStatus } from '../steps/step-result';
import type { Resolution } from '../approvals/unknown-outcome';
import type { WaitingFor } from '../approvals/waiting-for';

/** The changes of the session's row in the transaction of the events. */
export interface RowPatch {
  status?: SessionStatus;
  paused?: boolean;
  closed?: boolean;
  /** The newest that was begun: it only grows. */
  currentStep?: number;
  error?: StandardError;
  /** What the session waits for; null when the wait is over. */
  waitingFor?: WaitingFor | null;
  /** How far the wait on its page has come; null when it is over. */
  pageWait?: PageWaitState | null;
  /** The budget from now on. */
  budget?: Budget;
  /** Counts within a run: a stale attempt does not overwrite what a later patch has changed. */
  number?: number;
}

/** The resolution of an unknown outcome, for the journal. */
export type ResolvedUnknown = Resolution & { commandId: string };

/** How a step ended, without its commands, which are in the journal; `durationMs` is active time. */
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

/** What the workflow has decided and not yet written; the next activity writes it first. A repeated or stale write changes nothing. */
export interface OutboxBatch {
  records: NewRecord[];
  patch: RowPatch;
  stepResults: StepSummary[];
  resolutions?: ResolvedUnknown[];
  approvals?: Approval[];
  revocations?: Revocation[];
  messages?: AppliedMessage[];
  /** A database without them was put back to an earlier time. */
  known?: KnownWrites;
}

/** The newest writes that a workflow knows its database to have. */
export interface KnownWrites {
  /** Event id of the newest record of its own. */
  recordId?: string;
  /** The newest command whose outcome was reported. */
  commandId?: string;
  /** The run that this one has taken the session over from. */
  continuedFrom?: string;
  /** Of this run, in events: a Temporal with a shorter one was put back to an earlier time. */
  historyLength?: number;
}

/** The page as a batch has left it: one that ran nothing took no picture, so that of the same address still stands. */
export function pageAfter(known: PageState | undefined, page: PageState): PageState {
  if (page.screenshotId !== '' || page.domId !== undefined) return page;
  return { screenshotId: '', ...(known?.url === page.url ? known : undefined), url: page.url };
}
