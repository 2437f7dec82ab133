import type { AppliedMessage } from '../../contracts/messages/control-message';

/** What the messages of a session hand to its next run. */
export interface ContinuedMessages {
  appliedIds: readonly string[];
  /** Applied, and not written yet. */
  unwritten: readonly AppliedMessage[];
}

/**
 * Ids that are remembered. Temporal knows the updates of one run only, and a message that was sent to the run before may
 * come again; by then all but the newest have their outcome in the store and are sent no more.
 */
const REMEMBERED = 1000;

/** The messages that this run and those before it have applied. */
export class AppliedMessages {
  private readonly ids: Set<string>;

  constructor(continued?: ContinuedMessages) {
    this.ids = new Set(continued?.appliedIds);
  }

  has(messageId: string): boolean {
    return this.ids.has(messageId);
  }

  add(messageId: string): void {
    this.ids.add(messageId);
    const [oldest] = this.ids;
    if (this.ids.size > REMEMBERED && oldest !== undefined) this.ids.delete(oldest);
  }

  get appliedIds(): readonly string[] {
    return [...this.ids];
  }
}
