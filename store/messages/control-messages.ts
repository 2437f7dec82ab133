import type { TransactionSql } from 'postgres';
import type { AppliedMessage, ControlMessage } from '../../contracts/messages/control-message';
import { CONTROL_MESSAGE_NAMES, messageDefinition, type ControlMessageName } from '../../contracts/messages/messages';
import type { Sql } from '../database/connect';
import { withReadTimeout } from '../database/read-timeout';
import { withoutNulls, type Stored } from '../database/rows';

export interface NewMessage {
  /** Id of the update that carries it. */
  messageId: string;
  sessionId: string;
  name: ControlMessageName;
  /** Hash of the request: a repetition with the same id has to be the same. */
  requestHash: string;
  /** Argument of the update. */
  input: unknown;
}

/** A message with what is needed to deliver it. */
export type MessageRow = ControlMessage & Pick<NewMessage, 'requestHash' | 'input'>;

/** How a message ended. */
export type Settlement = Required<Pick<ControlMessage, 'state'>> & Pick<ControlMessage, 'answer' | 'refusal'>;

/**
 * Messages to sessions. Each is stored before it is sent and keeps its first outcome, so a repetition gets that outcome.
 * Whoever sends one takes it first: a message that was refused for one sender must not be applied for another.
 */
export interface ControlMessages {
  /** Creates the message unless its id is known, and takes it. `isNew` is false for a known one, which is not taken. */
  create(message: NewMessage, takenForMs: number): Promise<{ message: MessageRow; isNew: boolean }>;
  get(messageId: string): Promise<MessageRow | null>;
  /** The messages of a session, oldest first. */
  ofSession(sessionId: string): Promise<ControlMessage[]>;
  /** A pending message of the same request, if there is one. */
  findPending(message: Pick<NewMessage, 'sessionId' | 'name' | 'requestHash'>): Promise<MessageRow | null>;
  /** Takes the oldest pending message of a session unless somebody has taken it; with `before`, only one that is older than that message. */
  take(sessionId: string, takenForMs: number, before?: string): Promise<MessageRow | null>;
  /** Whether an older message of the session is pending: also one that somebody has taken, who may have died. */
  hasPending(sessionId: string, before: string): Promise<boolean>;
  /** Lets others take a pending message. */
  release(messageId: string): Promise<void>;
  /**
   * Has the messages that a session has applied delivered again: Temporal may have forgotten them. A session that knows them
   * changes nothing. One that was about its moment is not delivered again: what it would cancel now is something else.
   */
  reopen(sessionId: string): Promise<void>;
  /** Records the outcome of a pending message; resolves to the message with its first outcome. */
  settle(messageId: string, settlement: Settlement): Promise<MessageRow>;
  /** Sessions with pending messages that nobody has taken, oldest message first. */
  sessionsWithPending(limit: number): Promise<{ sessionId: string; workflowId: string }[]>;
}

const MOMENTARY = CONTROL_MESSAGE_NAMES.filter((name) => messageDefinition(name).isMomentary === true);

/** Records messages that a workflow has applied, in the transaction of its records. */
export async function saveAppliedMessage(
  tx: TransactionSql<{ bigint: number }>,
  { messageId, answer }: AppliedMessage,
): Promise<void> {
  await tx`
    update control_messages set state = 'applied', answer = ${tx.json(answer as never)}, settled_at = clock_timestamp()
    where message_id = ${messageId} and state = 'pending'`;
}

type Row = Stored<Omit<MessageRow, 'input'>, 'settledAt' | 'answer' | 'refusal'> & { input: string };

export function createControlMessages(sql: Sql): ControlMessages {
  const columns = sql`message_id, session_id, name, request_hash, input, state, created_at, settled_at, answer, refusal`;
  const until = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
  const isFree = sql`state = 'pending' and (taken_until is null or taken_until < clock_timestamp())`;
  const isBefore = (messageId: string | undefined) =>
    messageId === undefined
      ? sql``
      : sql`and number < (select number from control_messages where message_id = ${messageId})`;
  const find = async (messageId: string): Promise<MessageRow | null> => {
    const [row] = await withReadTimeout(
      sql<Row[]>`select ${columns} from control_messages where message_id = ${messageId}`,
    );
    return row === undefined ? null : toMessage(row);
  };
  return {
    async create({ messageId, sessionId, name, requestHash, input }, takenForMs) {
      const [row] = await withReadTimeout(sql<Row[]>`
        insert into control_messages (message_id, session_id, name, request_hash, input, taken_until)
        values (${messageId}, ${sessionId}, ${name}, ${requestHash}, ${JSON.stringify(input ?? null)}, ${until(takenForMs)})
        on conflict do nothing returning ${columns}`);
      return row === undefined
        ? { message: (await find(messageId))!, isNew: false }
        : { message: toMessage(row), isNew: true };
    },
    get: find,
    async ofSession(sessionId) {
      const rows = await withReadTimeout(
        sql<Row[]>`select ${columns} from control_messages where session_id = ${sessionId} order by number`,
      );
      return rows.map((row) => {
        const { input: _input, requestHash: _hash, ...message } = toMessage(row);
        return message;
      });
    },
    async findPending({ sessionId, name, requestHash }) {
      const [row] = await withReadTimeout(sql<Row[]>`
        select ${columns} from control_messages where session_id = ${sessionId} and name = ${name}
          and request_hash = ${requestHash} and state = 'pending' order by number limit 1`);
      return row === undefined ? null : toMessage(row);
    },
    async take(sessionId, takenForMs, before) {
      const [row] = await withReadTimeout(sql<Row[]>`
        update control_messages set taken_until = ${until(takenForMs)} where ${isFree} and message_id = (
          select message_id from control_messages where session_id = ${sessionId} and state = 'pending'
            ${isBefore(before)} order by number limit 1)
        returning ${columns}`);
      return row === undefined ? null : toMessage(row);
    },
    async hasPending(sessionId, before) {
      const [row] = await withReadTimeout(sql<{ isPending: boolean }[]>`
        select exists (select from control_messages where session_id = ${sessionId} and state = 'pending'
          ${isBefore(before)}) as is_pending`);
      return row!.isPending;
    },
    async release(messageId) {
      await withReadTimeout(
        sql`update control_messages set taken_until = null where message_id = ${messageId} and state = 'pending'`,
      );
    },
    async reopen(sessionId) {
      await withReadTimeout(sql`
        update control_messages set state = 'pending', answer = null, settled_at = null, taken_until = null
        where session_id = ${sessionId} and state = 'applied'
          and name <> all(${MOMENTARY})`);
    },
    async settle(messageId, { state, answer, refusal }) {
      await withReadTimeout(sql`
        update control_messages set state = ${state}, settled_at = clock_timestamp(),
          answer = ${answer === undefined ? null : sql.json(answer as never)},
          refusal = ${refusal === undefined ? null : sql.json(refusal as never)}
        where message_id = ${messageId} and state = 'pending'`);
      return (await find(messageId))!;
    },
    async sessionsWithPending(limit) {
      const rows = await withReadTimeout(sql<{ sessionId: string; workflowId: string }[]>`
        select session_id, workflow_id from sessions join (
          select session_id, min(number) as oldest from control_messages where ${isFree} group by session_id) as waiting
        using (session_id) order by oldest limit ${limit}`);
      return [...rows];
    },
  };
}

function toMessage({ input, ...row }: Row): MessageRow {
  return { ...withoutNulls(row), input: JSON.parse(input) as unknown };
}
