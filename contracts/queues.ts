/** Task queue of workflows, model calls and publishing: the one that `temporal workflow start` names. */
export const ENGINE_QUEUE = 'surefoot';

/** Shared by the browser workers of every host: the next free one gives a session its browser. */
export const BROWSERS_QUEUE = 'surefoot-browsers';

/** Polled by every browser worker of one host. */
export function hostQueue(hostId: string): string {
  return `surefoot-host-${hostId}`;
}

/** Polled by one worker process: a session stays with the worker that is attached to its browser while that worker lives. */
export function workerQueue(workerId: string): string {
  return `surefoot-worker-${workerId}`;
}

export const SESSION_WORKFLOW = 'session';

/** The signal by which engine workers have a session compare what it knows with its database. */
export const VERIFY_STORE_SIGNAL = 'verify-store';

/** The query by which engine workers read what a session knows that its database may have forgotten, also when it has ended. */
export const RECOVERY_QUERY = 'recovery';

/** The workflow that starts a session for each row of a batch. */
export const BATCH_WORKFLOW = 'batch';

/** The signal by which a batch learns that rows of it have ended, or that a person has changed it. */
export const BATCH_CHANGED_SIGNAL = 'batch-changed';
