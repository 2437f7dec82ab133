import type { AppliedOrder } from '../../contracts/sessions/order';

/** What the orders of a session hand to its next run. */
export interface ContinuedOrders {
  appliedIds: readonly string[];
  /** Applied, and not written yet. */
  unwritten: readonly AppliedOrder[];
}

/**
 * Ids that are remembered. Temporal knows the updates of one run only, and an order that was sent to the run before may
 * come again; by then all but the newest have their outcome in the store and are sent no more.
 */
const REMEMBERED = 1000;

/** The orders that this run and those before it have applied. */
export class AppliedOrders {
  private readonly ids: Set<string>;

  constructor(continued?: ContinuedOrders) {
    this.ids = new Set(continued?.appliedIds);
  }

  has(orderId: string): boolean {
    return this.ids.has(orderId);
  }

  add(orderId: string): void {
    this.ids.add(orderId);
    const [oldest] = this.ids;
    if (this.ids.size > REMEMBERED && oldest !== undefined) this.ids.delete(oldest);
  }

  get appliedIds(): readonly string[] {
    return [...this.ids];
  }
}
