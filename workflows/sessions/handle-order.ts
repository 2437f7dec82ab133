import { currentUpdateInfo, setHandler } from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import type { Accepted } from '../../contracts/sessions/order';
import { accepted } from './refusals';
import type { SessionRun } from './session-run';

/** Handles an update by whose id the order is known: one that was applied before is answered and changes nothing. */
export function handleOrder<Args extends unknown[]>(
  run: SessionRun,
  update: UpdateDefinition<Accepted, Args>,
  mayApply: (...args: Args) => void,
  apply: (...args: Args) => Accepted | Promise<Accepted>,
): void {
  const { session, orders, earlyOrders } = run;
  const validator = (...args: Args): void => {
    if (!orders.has(currentUpdateInfo()!.id)) mayApply(...args);
  };
  const handler = async (...args: Args): Promise<Accepted> => {
    const { id: orderId } = currentUpdateInfo()!;
    if (orders.has(orderId)) return accepted(run);
    const answer = await apply(...args);
    orders.add(orderId);
    session.outbox.order({ orderId, answer });
    return answer;
  };
  setHandler(update, handler, { validator });
  earlyOrders.handleWith(update.name, async (...args) => {
    validator(...(args as Args));
    return await handler(...(args as Args));
  });
}
