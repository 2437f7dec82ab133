import type { Attachment } from './attachment';
import { withinMs } from '../../runtime/time-limit';

/** An attempt that Temporal has given up hears of it with its next beat. */
const NOTICE_LIMIT_MS = 800;
/** From then on it finishes the commit that is under way, or stops what it may stop, and writes what it has. */
const STOP_LIMIT_MS = 3000;

interface User {
  left: Promise<void>;
  leave: () => void;
  /** Aborts when this user is to leave. Undefined for one that stays whatever it is told. */
  stop: AbortSignal | undefined;
}

/** Who uses the attachments of this worker: one attempt each, at a time. */
export class AttachmentUsers {
  private readonly users = new WeakMap<Attachment, User>();

  has(attachment: Attachment): boolean {
    return this.users.has(attachment);
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
   * A worker that stalls is taken for dead and gets the next attempt itself. Taking over from the one that is still at
   * work would cut off a commit in flight; it leaves soon. One that does not is not waited for any longer.
   */
  async waitUntilReleased(attachment: Attachment): Promise<void> {
    const user = this.users.get(attachment);
    if (user?.stop === undefined) return;
    const { left, stop } = user;
    try {
      await withinMs(NOTICE_LIMIT_MS, Promise.race([left, aborted(stop)]));
      await withinMs(STOP_LIMIT_MS, left);
    } catch {
      // It goes on as if it had not heard, or can't leave: whoever asks takes over from it.
    }
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
