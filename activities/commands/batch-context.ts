import type { NetworkPolicy } from '../../contracts/browsers/origins';
import type { Store } from '../../store/store';
import type { Attachment } from '../browsers/attachment';
import type { CommandPlace } from './outcomes/command-records';
import type { IdempotencyKeys } from './idempotency-keys';
import type { BackgroundTasks } from './background-tasks';
import type { SessionValues } from '../secrets/session-values';

/** What a batch lends to each of its commands. */
export interface BatchContext extends CommandPlace {
  store: Store;
  attachment: Attachment;
  values: SessionValues;
  epoch: number;
  runId: string;
  requestTimeoutMs: number;
  screenshotsEnabled: boolean;
  /** Folder that files may be uploaded from; none where the operator has named none. */
  uploads?: string | undefined;
  /** Absent where the session may go anywhere. */
  network: NetworkPolicy | undefined;
  /** Absent where the session wants no idempotency keys. */
  idempotencyKeys: IdempotencyKeys | undefined;
  /** Aborts at a pause, a cancellation or the worker's shutdown. */
  signal: AbortSignal;
  /**
   * The outcome of the command before on its way to the disk: nothing acts before it is there. Resolves to the id of
   * the command whose intent was written with it, if one was.
   */
  outcome: Promise<string | undefined>;
  /** The page after the command before: nothing acts until it is taken. */
  captured: Promise<unknown>;
  /** Writes that need not hold up the next command; awaited before the batch returns. */
  backgroundTasks: BackgroundTasks;
}

/** What the store has to agree with before it takes a word of this batch. */
export function guardOf({ runId, epoch }: BatchContext): { runId: string; epoch: number } {
  return { runId, epoch };
}
