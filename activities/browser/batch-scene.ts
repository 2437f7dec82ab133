import type { NetworkPolicy } from '../../contracts/browsers/origins';
import type { Store } from '../../store/store';
import type { Attachment } from './attachment';
import type { CommandPlace } from './command-records';
import type { CommitKeys } from './commit-keys';
import type { Later } from './later';
import type { Values } from './secrets';

/** What a batch lends to each of its commands. */
export interface BatchScene extends CommandPlace {
  store: Store;
  attachment: Attachment;
  values: Values;
  epoch: number;
  runId: string;
  requestTimeoutMs: number;
  screenshotsEnabled: boolean;
  /** Folder that files may be uploaded from; none where the operator has named none. */
  uploads?: string | undefined;
  /** Absent where the session may go anywhere. */
  network: NetworkPolicy | undefined;
  /** Absent where the session wants no idempotency keys. */
  commitKeys: CommitKeys | undefined;
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
  later: Later;
}

/** What the store has to agree with before it takes a word of this batch. */
export function guardOf({ runId, epoch }: BatchScene): { runId: string; epoch: number } {
  return { runId, epoch };
}
