import { createHash, randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { canonicalJson } from '../../contracts/json';
import type { Order, OrderKind, OrderRefusal } from '../../contracts/sessions/order';
import { faultPoint } from '../../runtime/fault-point';
import type { NewOrder, OrderRow } from '../../store/sessions/orders';
import { orderIdFromKey } from '../../store/sessions/session-id';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { DEADLINES } from '../connection/deadlines';
import { fromStore } from '../connection/store-errors';
import { wrongState } from '../connection/temporal-errors';
import { ClientError, type OrderOptions, type OrderReceipt } from '../port';
import { isEnded, notFound, requireSessionRow } from '../sessions/session-row';
import { createOrderDelivery, ORDER_TAKEN_MS, ORDER_VERBS } from './deliver-orders';
import { keyReused, parseIdempotencyKey } from './idempotency-key';

export interface OrderRequest {
  kind: OrderKind;
  /** As the caller has given it: a repetition under the same key has to be the same. */
  request?: unknown;
  /** Checks the request against the session and makes the input of the order; by default that is the request. */
  prepare?: (row: SessionRow) => Promise<unknown>;
}

/** Of requests that are repeated after an outage; the rest need a key. */
const MOST_LOST = 1000;

export type OrderControl = ReturnType<typeof createOrderControl>;

/**
 * Gives orders to sessions. An order is stored, then sent. Where the session does not answer, the order stays stored: the
 * engine workers deliver it (worker/order-sweep.ts), and the caller gets a receipt that says so.
 */
export function createOrderControl(parts: { store: Store; temporal: Client }) {
  const { store } = parts;
  const delivery = createOrderDelivery(parts);

  /** Steps that were to be added without a key, by session and request, while nobody knows whether they are stored. */
  const lostAdditions = new Map<string, string>();

  /** Stores the order. Where the answer of the database is lost, the same request that comes again is the same order. */
  async function create(order: NewOrder, hasKey: boolean): Promise<{ order: OrderRow; isNew: boolean }> {
    const { sessionId, requestHash } = order;
    const name = `${sessionId} ${requestHash}`;
    const orderId = (hasKey ? undefined : lostAdditions.get(name)) ?? order.orderId;
    try {
      const created = await fromStore(() => store.orders.create({ ...order, orderId }, ORDER_TAKEN_MS));
      lostAdditions.delete(name);
      return created;
    } catch (error) {
      const isLost = error instanceof ClientError && error.kind === 'unavailable';
      if (isLost && !hasKey && lostAdditions.size < MOST_LOST) lostAdditions.set(name, orderId);
      throw error;
    }
  }

  /** Finds the order that this request repeats: by its key, or, of one that may not be given twice, one that is pending. */
  async function findRepeated(sessionId: string, kind: OrderKind, requestHash: string, key: string | undefined) {
    if (key !== undefined) return await store.orders.get(orderIdFromKey(sessionId, key));
    // Steps may be meant to be added twice.
    return kind === 'addSteps' ? null : await store.orders.findPending({ sessionId, kind, requestHash });
  }

  async function replay(row: SessionRow, order: OrderRow, requestHash: string): Promise<OrderReceipt> {
    if (order.requestHash !== requestHash) throw keyReused(`order ${order.orderId} of session ${row.sessionId}`);
    if (order.state === 'pending') await delivery.deliverPending(row);
    const now = order.state === 'pending' ? await fromStore(() => store.orders.get(order.orderId)) : order;
    return receiptOf(row, now ?? order, true);
  }

  async function giveOrder(
    name: string,
    { kind, request = null, prepare }: OrderRequest,
    { idempotencyKey }: OrderOptions = {},
  ): Promise<OrderReceipt> {
    const key = idempotencyKey === undefined ? undefined : parseIdempotencyKey(idempotencyKey);
    const row = await fromStore(() => requireSessionRow(store, name));
    const { sessionId } = row;
    const requestHash = hashOf(kind, request);
    const repeated = await fromStore(() => findRepeated(sessionId, kind, requestHash, key));
    if (repeated !== null) return await replay(row, repeated, requestHash);
    // First: what it refuses says more than that the session has ended.
    const input = prepare === undefined ? request : await prepare(row);
    if (isEnded(row)) throw wrongState({ sessionId, verb: ORDER_VERBS[kind], status: row.status, isEnded: true });
    const deadline = Date.now() + DEADLINES.update;
    const orderId = key === undefined ? randomUUID() : orderIdFromKey(sessionId, key);
    const { order, isNew } = await create({ orderId, sessionId, kind, requestHash, input }, key !== undefined);
    if (!isNew) return await replay(row, order, requestHash);
    faultPoint('after-order', sessionId);
    if (!(await delivery.deliverPending(row, { before: orderId, deadline }))) {
      await fromStore(() => store.orders.release(orderId));
      return receiptOf(row, order, false);
    }
    return receiptOf(row, (await delivery.send(row, order, deadline)) ?? order, false);
  }

  return {
    giveOrder,
    orders: (name: string): Promise<Order[]> =>
      fromStore(async () => store.orders.ofSession((await requireSessionRow(store, name)).sessionId)),
    order: (name: string, orderId: string): Promise<Order> =>
      fromStore(async () => {
        const { sessionId } = await requireSessionRow(store, name);
        const order = await store.orders.get(orderId);
        if (order?.sessionId !== sessionId) throw notFound(`There is no order ${orderId} in session ${sessionId}.`);
        const { input: _input, requestHash: _hash, ...shown } = order;
        return shown;
      }),
  };
}

function hashOf(kind: OrderKind, request: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([kind, request]))
    .digest('hex');
}

/** Throws the refusal of an order that the session has refused. */
function receiptOf(row: SessionRow, order: OrderRow, isReplayed: boolean): OrderReceipt {
  const { orderId, answer, refusal } = order;
  const { sessionId, status, plan } = row;
  if (refusal !== undefined) throw toError(refusal, isReplayed);
  if (answer !== undefined) return { ...answer, sessionId, orderId, orderState: 'applied', isReplayed };
  const message =
    `The order is stored. Session ${sessionId} does not answer now and gets it as soon as Temporal and a worker run ` +
    '(`npx surefoot worker` starts one); the order shows what became of it.';
  const known = { status, pauseRequested: false, totalSteps: plan.steps.length };
  return { ...known, sessionId, orderId, orderState: 'pending', message, isReplayed };
}

function toError({ code, message, issues, state }: OrderRefusal, isReplayed: boolean): ClientError {
  const more = { isReplayed, ...(issues === undefined ? {} : { issues }), ...(state === undefined ? {} : { state }) };
  return new ClientError(state === undefined ? 'invalid' : 'wrong-state', code as ClientError['code'], message, more);
}
