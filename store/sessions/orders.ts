import type { TransactionSql } from 'postgres';
import type { AppliedOrder, Order, OrderKind } from '../../contracts/sessions/order';
import type { Sql } from '../database/connect';
import { withReadTimeout } from '../database/read-timeout';
import { withoutNulls, type Stored } from '../database/rows';

export interface NewOrder {
  /** Id of the update that carries it. */
  orderId: string;
  sessionId: string;
  kind: OrderKind;
  /** Hash of the request: a repetition with the same id has to be the same. */
  requestHash: string;
  /** Argument of the update. */
  input: unknown;
}

/** An order with what is needed to deliver it. */
export type OrderRow = Order & Pick<NewOrder, 'requestHash' | 'input'>;

/** How an order ended. */
export type Settlement = Required<Pick<Order, 'state'>> & Pick<Order, 'answer' | 'refusal'>;

/**
 * Orders to sessions. Each is stored before it is sent and keeps its first outcome, so a repetition gets that outcome.
 * Whoever sends one takes it first: an order that was refused for one sender must not be applied for another.
 */
export interface Orders {
  /** Creates the order unless its id is known, and takes it. `isNew` is false for a known one, which is not taken. */
  create(order: NewOrder, takenForMs: number): Promise<{ order: OrderRow; isNew: boolean }>;
  get(orderId: string): Promise<OrderRow | null>;
  /** The orders of a session, oldest first. */
  ofSession(sessionId: string): Promise<Order[]>;
  /** A pending order of the same request, if there is one. */
  findPending(order: Pick<NewOrder, 'sessionId' | 'kind' | 'requestHash'>): Promise<OrderRow | null>;
  /** Takes the oldest pending order of a session unless somebody has taken it; with `before`, only one that is older than that order. */
  take(sessionId: string, takenForMs: number, before?: string): Promise<OrderRow | null>;
  /** Whether an older order of the session is pending: also one that somebody has taken, who may have died. */
  hasPending(sessionId: string, before: string): Promise<boolean>;
  /** Lets others take a pending order. */
  release(orderId: string): Promise<void>;
  /**
   * Has the orders that a session has applied delivered again: Temporal may have forgotten them. A session that knows them
   * changes nothing. What was cancelled in the middle is not cancelled again: it may be something else now.
   */
  reopen(sessionId: string): Promise<void>;
  /** Records the outcome of a pending order; resolves to the order with its first outcome. */
  settle(orderId: string, settlement: Settlement): Promise<OrderRow>;
  /** Sessions with pending orders that nobody has taken, oldest order first. */
  sessionsWithPending(limit: number): Promise<{ sessionId: string; workflowId: string }[]>;
}

/** Records orders that a workflow has applied, in the transaction of its records. */
export async function saveAppliedOrder(
  tx: TransactionSql<{ bigint: number }>,
  { orderId, answer }: AppliedOrder,
): Promise<void> {
  await tx`
    update session_orders set state = 'applied', answer = ${tx.json(answer as never)}, settled_at = clock_timestamp()
    where order_id = ${orderId} and state = 'pending'`;
}

type Row = Stored<Omit<OrderRow, 'input'>, 'settledAt' | 'answer' | 'refusal'> & { input: string };

export function createOrders(sql: Sql): Orders {
  const columns = sql`order_id, session_id, kind, request_hash, input, state, created_at, settled_at, answer, refusal`;
  const until = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
  const isFree = sql`state = 'pending' and (taken_until is null or taken_until < clock_timestamp())`;
  const isBefore = (orderId: string | undefined) =>
    orderId === undefined ? sql`` : sql`and number < (select number from session_orders where order_id = ${orderId})`;
  const find = async (orderId: string): Promise<OrderRow | null> => {
    const [row] = await withReadTimeout(sql<Row[]>`select ${columns} from session_orders where order_id = ${orderId}`);
    return row === undefined ? null : toOrder(row);
  };
  return {
    async create({ orderId, sessionId, kind, requestHash, input }, takenForMs) {
      const [row] = await withReadTimeout(sql<Row[]>`
        insert into session_orders (order_id, session_id, kind, request_hash, input, taken_until)
        values (${orderId}, ${sessionId}, ${kind}, ${requestHash}, ${JSON.stringify(input ?? null)}, ${until(takenForMs)})
        on conflict do nothing returning ${columns}`);
      return row === undefined ? { order: (await find(orderId))!, isNew: false } : { order: toOrder(row), isNew: true };
    },
    get: find,
    async ofSession(sessionId) {
      const rows = await withReadTimeout(
        sql<Row[]>`select ${columns} from session_orders where session_id = ${sessionId} order by number`,
      );
      return rows.map((row) => {
        const { input: _input, requestHash: _hash, ...order } = toOrder(row);
        return order;
      });
    },
    async findPending({ sessionId, kind, requestHash }) {
      const [row] = await withReadTimeout(sql<Row[]>`
        select ${columns} from session_orders where session_id = ${sessionId} and kind = ${kind}
          and request_hash = ${requestHash} and state = 'pending' order by number limit 1`);
      return row === undefined ? null : toOrder(row);
    },
    async take(sessionId, takenForMs, before) {
      const [row] = await withReadTimeout(sql<Row[]>`
        update session_orders set taken_until = ${until(takenForMs)} where ${isFree} and order_id = (
          select order_id from session_orders where session_id = ${sessionId} and state = 'pending'
            ${isBefore(before)} order by number limit 1)
        returning ${columns}`);
      return row === undefined ? null : toOrder(row);
    },
    async hasPending(sessionId, before) {
      const [row] = await withReadTimeout(sql<{ isPending: boolean }[]>`
        select exists (select from session_orders where session_id = ${sessionId} and state = 'pending'
          ${isBefore(before)}) as is_pending`);
      return row!.isPending;
    },
    async release(orderId) {
      await withReadTimeout(
        sql`update session_orders set taken_until = null where order_id = ${orderId} and state = 'pending'`,
      );
    },
    async reopen(sessionId) {
      await withReadTimeout(sql`
        update session_orders set state = 'pending', answer = null, settled_at = null, taken_until = null
        where session_id = ${sessionId} and state = 'applied'
          and kind not in ('cancelTurn', 'cancelCall')`);
    },
    async settle(orderId, { state, answer, refusal }) {
      await withReadTimeout(sql`
        update session_orders set state = ${state}, settled_at = clock_timestamp(),
          answer = ${answer === undefined ? null : sql.json(answer as never)},
          refusal = ${refusal === undefined ? null : sql.json(refusal as never)}
        where order_id = ${orderId} and state = 'pending'`);
      return (await find(orderId))!;
    },
    async sessionsWithPending(limit) {
      const rows = await withReadTimeout(sql<{ sessionId: string; workflowId: string }[]>`
        select session_id, workflow_id from sessions join (
          select session_id, min(number) as oldest from session_orders where ${isFree} group by session_id) as waiting
        using (session_id) order by oldest limit ${limit}`);
      return [...rows];
    },
  };
}

function toOrder({ input, ...row }: Row): OrderRow {
  return { ...withoutNulls(row), input: JSON.parse(input) as unknown };
}
