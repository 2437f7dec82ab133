import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { bytesOf } from '../../contracts/json';
import { INLINE_BYTES, toCarriedStep } from '../../contracts/sessions/carried-steps';
import { namedOrigins } from '../../contracts/sessions/given-origins';
import type { AddedSteps } from '../../workflows/messages';
import type { StepInput } from '../../contracts/sessions/step-input';
import { toSteps } from '../../contracts/sessions/to-steps';
import type { Accepted, OrderKind, OrderRefusal } from '../../contracts/sessions/order';
import { faultPoint } from '../../runtime/fault-point';
import type { OrderRow } from '../../store/sessions/orders';
import type { Store } from '../../store/store';
import { DEADLINES } from '../connection/deadlines';
import { fromStore } from '../connection/store-errors';
import { toClientError } from '../connection/temporal-errors';
import { ClientError } from '../port';
import { isEnded, requireSessionRow } from '../sessions/session-row';

/** How an order is named in "can't be …". */
export const ORDER_VERBS: Record<OrderKind, string> = {
  pause: 'paused',
  resume: 'resumed',
  cancel: 'cancelled',
  close: 'closed',
  addSteps: 'given more steps',
  cancelTurn: 'asked to stop its response',
  cancelCall: 'asked to cancel a call',
  'resolve-unknown': 'given this answer',
  'resolve-budget': 'given this decision',
  'decide-approval': 'given this answer',
  'revoke-approval': 'asked to revoke an approval',
};

/** Longer than the deadline of the update: whoever takes the order next is the only one that sends it. */
export const ORDER_TAKEN_MS = 3 * DEADLINES.update;

/** Between two looks at an older order that somebody else is sending. */
const TAKEN_POLL_MS = 50;

export interface OrderedSession {
  sessionId: string;
  workflowId: string;
}

/** Sends stored orders to their workflows, with the id of the order as the id of the update, and records what they answer. */
export function createOrderDelivery({ store, temporal }: { store: Store; temporal: Client }) {
  /** Sends an order that the caller has taken. Resolves to null where the session did not answer: the order stays pending. */
  async function send({ sessionId, workflowId }: OrderedSession, order: OrderRow, deadline: number) {
    const { orderId, kind, input } = order;
    const handle = temporal.workflow.getHandle(workflowId);
    try {
      const args = (input === null ? [] : [await toMessage(sessionId, order)]) as [unknown];
      const answer = await temporal.withDeadline(deadline, () =>
        handle.executeUpdate<Accepted, [unknown]>(kind, { updateId: orderId, args }),
      );
      faultPoint('before-settle', sessionId);
      return await fromStore(() => store.orders.settle(orderId, { state: 'applied', answer }));
    } catch (error) {
      const refusal = await refusalOf(sessionId, kind, error);
      if (refusal !== undefined)
        return await fromStore(() => store.orders.settle(orderId, { state: 'refused', refusal }));
      await fromStore(() => store.orders.release(orderId));
      return null;
    }
  }

  /** Steps that are too large for a message go by reference to the order. */
  async function toMessage(sessionId: string, { orderId, kind, input }: OrderRow): Promise<unknown> {
    if (kind !== 'addSteps' || bytesOf(input) <= INLINE_BYTES) return input;
    const { plan } = await fromStore(() => requireSessionRow(store, sessionId));
    const inputs = input as StepInput[];
    const steps = toSteps(inputs, plan.config).map((step, index) => toCarriedStep(step, { orderId, index }));
    return { orderId, steps, named: namedOrigins(inputs, plan.variables) } satisfies AddedSteps;
  }

  /** Why the session will never apply the order; undefined where it may be sent again. Throws what nobody expects. */
  async function refusalOf(sessionId: string, kind: OrderKind, error: unknown): Promise<OrderRefusal | undefined> {
    const row = await fromStore(() => requireSessionRow(store, sessionId));
    const context = { sessionId, verb: ORDER_VERBS[kind], status: row.status, isEnded: isEnded(row) };
    const known = toClientError(error, context);
    if (!(known instanceof ClientError)) throw known;
    // An update that has failed fails again, for whatever reason.
    if (known.kind === 'unavailable' && !(error instanceof WorkflowUpdateFailedError)) return undefined;
    const { code, message, issues, state } = known;
    return {
      code,
      message,
      ...(issues.length === 0 ? {} : { issues: [...issues] }),
      ...(known.kind === 'invalid' ? {} : { state: state ?? row.status }),
    };
  }

  return {
    send,
    /**
     * Delivers what a session was given and nobody is sending, oldest first; with `before`, only what is older than that
     * order. Resolves to false at the first order that the session does not answer in time.
     */
    async deliverPending(
      session: OrderedSession,
      { before, deadline = Date.now() + DEADLINES.update }: { before?: string; deadline?: number } = {},
    ): Promise<boolean> {
      for (;;) {
        const order = await fromStore(() => store.orders.take(session.sessionId, ORDER_TAKEN_MS, before));
        if (order === null) {
          // Nothing overtakes an older order: whoever sends it may have died, and it is free again when its time is over.
          if (before === undefined || !(await fromStore(() => store.orders.hasPending(session.sessionId, before))))
            return true;
          if (Date.now() > deadline) return false;
          await sleep(TAKEN_POLL_MS);
          continue;
        }
        if ((await send(session, order, deadline)) === null) return false;
      }
    },
  };
}
