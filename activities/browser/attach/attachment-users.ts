import type { Attachment } from './attachment';
import { withinMs } from '../../../runtime/time-limit';

/** An attempt that Temporal has given up notices that with its next heartbeat. */
const NOTICE_LIMIT_MS = 800;
/** After that it finishes a commit under way, stops what it may stop, and writes what it has. */
const STOP_LIMIT_MS = 3000;

interface User {
  left: Promise<void>;
  leave: () => void;
  /** Aborts when the user has to leave; undefined for one that never leaves early. */
  stop: AbortSignal | undefined;
}

/** The attempt that uses each attachment of this worker; one at a time. */
export class AttachmentUsers {
  private readonly users = new WeakMap<Attachment, User>();

  has(attachment: Attachment): boolean {
    return this.users.has(attachment);
  }

  private readonly pauses = new WeakMap<Attachment, Promise<unknown>>();

  /** Runs what must not meet an activity, or nothing while one is there; the next activity waits for it. */
  async betweenUsers<T>(attachment: Attachment, work: () => Promise<T>): Promise<T | undefined> {
    if (this.has(attachment)) return undefined;
    const working = work();
    this.pauses.set(
      attachment,
      working.catch(() => {}),
    );
    try {
      return await working;
    } finally {
      this.pauses.delete(attachment);
    }
  }

  /** Resolves once nothing runs between users. */
  async untilFree(attachment: Attachment): Promise<void> {
    for (let pause = this.pauses.get(attachment); pause !== undefined; pause = this.pauses.get(attachment)) await pause;
  }

  begin(attachment: Attachment, stop: AbortSignal | undefined): void {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    this.users.set(attachment, { left, leave, stop });
  }

  end(attachment: Attachment): void {
    this.users.get(attachment)?.leave();
    this.users.delete(attachment);
  }

  /**
   * Waits until the current user leaves, within limits. A worker that stalls is taken for dead and may get the next
   * attempt itself; taking over at once would cut off a commit in flight.
   */
  async waitUntilReleased(attachment: Attachment): Promise<void> {
    const user = this.users.get(attachment);
    if (user?.stop === undefined) return;
    const { left, stop } = user;
    try {
      await withinMs(NOTICE_LIMIT_MS, Promise.race([left, aborted(stop)]));
      await withinMs(STOP_LIMIT_MS, left);
    } catch {
      // The user does not leave in time: the caller takes over from it.
    }
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
