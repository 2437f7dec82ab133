import type { NetworkPolicy } from '../../../contracts/browsers/network-policy';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { Store } from '../../../store/store';
import type { Attachment } from '../attach/attachment';
import type { SessionValues } from '../../secrets/session-values';
import type { ApprovedDeeds } from './approved-deeds';
import type { BackgroundTasks } from './background-tasks';
import type { Recorder } from '../pages/recorder';
import type { IdempotencyKeys } from './idempotency-keys';
import type { OnceKeys } from './once-keys';
import type { CommandPlace } from '../../recorded/command-records';

/** What the commands of one batch share. */
export interface BatchContext extends CommandPlace {
  store: Store;
  attachment: Attachment;
  values: SessionValues;
  epoch: number;
  runId: string;
  commandTimeoutMs: number;
  screenshotsEnabled: boolean;
  /** Folder that files may be uploaded from; absent where the operator has named none. */
  uploads?: string | undefined;
  /** Where the session may go. */
  network: NetworkPolicy;
  /** Absent where the session wants no idempotency keys. */
  idempotencyKeys: IdempotencyKeys | undefined;
  deeds: ApprovedDeeds;
  /** The key of a commit, where what it does is to happen once. */
  once: OnceKeys | undefined;
  /** Absent where the session is not recorded. */
  recorder: Recorder | undefined;
  /** Aborts at a pause, a cancellation or the worker's shutdown. */
  signal: AbortSignal;
  /** Writes that need not hold up the next command; awaited before the batch returns. */
  backgroundTasks: BackgroundTasks;
}

/** A command with its place in the batch. */
export interface BatchCommand {
  command: PlannedCommand;
  position: number;
  /** The command after it, if the journal has no entry of that one. */
  next: PlannedCommand | undefined;
}

/** What one command hands to the next, which waits for both before it acts. */
export interface NextIntent {
  /** Settles when the outcome is in the journal: with the id of the command whose intent was written along with it. */
  written: Promise<string | undefined>;
  /** Settles when the page after the command is captured; absent before any has run. */
  captured?: Promise<unknown>;
}

/** What the store compares before it accepts a write of this batch. */
export function guardOf({ runId, epoch }: Pick<BatchContext, 'runId' | 'epoch'>): { runId: string; epoch: number } {
  return { runId, epoch };
}
