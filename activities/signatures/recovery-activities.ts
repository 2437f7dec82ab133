import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { OutboxBatch } from '../../contracts/events/outbox';
import type { SessionPlan } from '../../contracts/sessions/start-request';

/** Activities of the engine workers for a session whose database was put back to an earlier time. */
export interface RecoveryActivities {
  /** Writes again what the database has forgotten of the calling workflow's session. */
  recoverSession(input: RecoverSessionInput): Promise<RecoverSessionOutput>;
}

/** A command whose outcome was reported to the workflow. */
export interface ReportedCommand {
  stepIndex: number;
  turn: number;
  position: number;
  command: PlannedCommand;
  status: 'done' | 'failed' | 'unknown';
}

export interface RecoverSessionInput {
  sessionId: string;
  /** The row is created from it when there is none. */
  plan: SessionPlan;
  continuedFrom?: string;
  /** Of the current step; none where the session has ended. */
  stepIndex?: number;
  /** Of the newest lease that was reported. */
  epoch: number;
  /** The host that has the session's browser. */
  hostId?: string;
  /** The newest, oldest first. */
  commands: readonly ReportedCommand[];
  /** What was delivered before is in it again. */
  outbox: OutboxBatch;
}

export interface RecoverSessionOutput {
  /** Commits that the database had forgotten. */
  forgotten: string[];
}
