import { condition, defineUpdate, setHandler } from '@temporalio/workflow';
import { ORDER_KINDS, type Accepted } from '../../contracts/sessions/order';

/** Carries out one order, or refuses it. */
type OrderHandler = (...args: unknown[]) => Promise<Accepted>;

/** Orders that come while a plain start is planned: an update without a handler would be refused. */
export class EarlyOrders {
  private readonly handlers = new Map<string, OrderHandler>();

  /** Has every order wait until its handler is there. */
  hold(): void {
    for (const kind of ORDER_KINDS) {
      setHandler(defineUpdate<Accepted, unknown[]>(kind), async (...args: unknown[]) => {
        await condition(() => this.handlers.has(kind));
        return await this.handlers.get(kind)!(...args);
      });
    }
  }

  handleWith(kind: string, handler: OrderHandler): void {
    this.handlers.set(kind, handler);
  }
}
