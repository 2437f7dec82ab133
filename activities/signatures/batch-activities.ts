import type { BatchState } from '../../contracts/batches/batch';
import type { PlannedStart } from '../../contracts/sessions/start-request';

/** The activity of the workflow of a batch. */
export interface BatchActivities {
  /** Takes the rows that are to be started now. Null where there is no such batch any more. */
  takeRows(input: TakeRowsInput): Promise<TakenPage | null>;
}

export interface TakeRowsInput {
  batchId: string;
  runId: string;
  /** From 0 in each run: a repeated attempt gets the same rows. */
  page: number;
  /** Workflows of rows that have ended, as Temporal says. */
  ended: string[];
  /** The workflow was cancelled in Temporal. */
  isCancelled: boolean;
}

export interface TakenPage {
  state: BatchState;
  rows: { workflowId: string; start: PlannedStart }[];
  /** Another page may be taken at once. */
  hasMore: boolean;
  /** Workflows of rows that are to be cancelled. */
  toCancel: string[];
}
