import type { CalledFunction, RawReply } from '../../contracts/model-port/language-model';
import type { NewRecord } from '../../contracts/events/log';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import type { TaskImage } from '../../contracts/tasks/task-image';
import type { Replayed } from '../../contracts/recipes/in-reply';
import type { TaskSighting } from '../../contracts/recipes/sighting';
import type { ModelTokens } from '../../contracts/models/usage';
import type { LogNotifier } from '../events/log-notifier';
import type { Sql } from '../database/connect';
import { assertOwners, type Guard } from '../events/event-log';
import { withRefusals } from '../database/refusals';

/** A turn of a task, in the order of which its messages stand. What a task gives of before it has turns below 0. */
export interface TurnKey {
  sessionId: string;
  stepIndex: number;
  turn: number;
}

export interface TaskMessage {
  kind: 'task';
  text: string;
  /** What was said beside the task before its first turn; the text has it too. */
  said?: string[] | undefined;
  images?: TaskImage[] | undefined;
}

/** The results of all calls of the previous turn, in their order. */
export interface ResultsMessage {
  kind: 'results';
  results: {
    end: CallEnd;
    text: string;
    /** How many images; the tools have them. */
    pictures: number;
    /** The session's own page after this call and those before it: whole, or what has changed. */
    pageAfter?: { text: string; isWholePage: boolean } | undefined;
  }[];
  /** Notes of the engine beside them. */
  notes: string[];
  /** Those of them that say what was said and done, and not how to go on. */
  said?: string[] | undefined;
}

export interface ReplyMessage {
  kind: 'reply';
  responseId: string;
  previousResponseId: string;
  text: string;
  thoughts: string;
  calls: CalledFunction[];
  /** Cut off by the model's limit. */
  isCut: boolean;
  /** The model says itself that the task is not done. */
  isGivenUp?: true | undefined;
  /** What shows, by the model, that the task is done. */
  evidence?: string | undefined;
  /** In the vendor's format. */
  raw?: RawReply | undefined;
  model: string;
  /** Of the turn, with calls that failed and summaries. */
  usage: ModelTokens;
  cost?: string | undefined;
  /** The calls of the turn that used tokens. */
  billedCalls?: number | undefined;
  /** Of its one call: how full the model's window is. */
  windowTokens: number;
  /** Its calls, once they are planned. */
  planned?: PlannedCall[] | undefined;
  /** Ids of those whose arguments a person has changed. */
  edited?: string[] | undefined;
  /** What it saw of the page, where the task may be learnt. */
  sighting?: TaskSighting | undefined;
  /** The recipe that has given it in place of a model. */
  replayed?: Replayed | undefined;
}

/** Replaces every message up to the one it names. */
export interface SummaryMessage {
  kind: 'summary';
  text: string;
  covers: { stepIndex: number; turn: number; kind: MessageKind };
}

type Message = TaskMessage | ResultsMessage | ReplyMessage | SummaryMessage;
export type MessageKind = Message['kind'];
export type StoredMessage = Message & { stepIndex: number; turn: number };

/** Order within a turn; `-1` is no message but the note that the turn was begun, which the database makes. */
const ORDER_IN_TURN: Record<MessageKind, number> = { task: 0, results: 1, summary: 2, reply: 3 };
/** The summary of a conversation that a person cleared. */
export const CLEARED_TEXT = 'What was said before this was cleared by the person.';

/** Conversations; the workflow's history holds references only. A written message stays as it is. */
export interface Messages {
  /**
   * Marks the turn as begun and writes its record: `first`, or `again` where an earlier attempt began it. False, and nothing
   * is written, where the turn has its reply. Throws StoreRefusal.
   */
  begin(place: TurnKey, guard: Guard, records: { first: NewRecord; again: NewRecord }): Promise<boolean>;
  /** Stores the first message of each kind of a turn: a repeated attempt changes nothing. Of summaries the last counts. */
  save(place: TurnKey, message: Message): Promise<void>;
  /** Stores the plan unless there is one; resolves to the stored plan, which of concurrent attempts is the first's. */
  savePlanOnce(place: TurnKey, planned: PlannedCall[]): Promise<PlannedCall[]>;
  replacePlan(
    place: TurnKey,
    plan: Required<Pick<ReplyMessage, 'planned'>> & Pick<ReplyMessage, 'edited'>,
  ): Promise<void>;
  reply(place: TurnKey): Promise<(ReplyMessage & { stepIndex: number; turn: number }) | null>;
  /** The newest summary, and every message that it does not stand for, in their order. */
  conversation(sessionId: string): Promise<{ summary: SummaryMessage | null; messages: StoredMessage[] }>;
  /** Without what its task gives of before it. */
  ofStep(sessionId: string, stepIndex: number): Promise<StoredMessage[]>;
  /** Starts the conversation anew behind its newest message. Earlier messages stay stored, and no model gets them. */
  clear(sessionId: string): Promise<void>;
}

interface MessageRow {
  stepIndex: number;
  turn: number;
  kind: MessageKind;
  body: object;
}

export function createMessages(sql: Sql, notifier: LogNotifier): Messages {
  const json = (value: unknown) => sql.json(value as never);
  const toMessage = ({ body, kind, stepIndex, turn }: MessageRow): StoredMessage =>
    ({ ...body, kind, stepIndex, turn }) as StoredMessage;

  return {
    async begin({ sessionId, stepIndex, turn }, guard, { first, again }) {
      assertOwners([first, again]);
      const [row] = await withRefusals(
        sql<
          { begun: boolean }[]
        >`select begin_turn(${sessionId}, ${json(guard)}, ${stepIndex}, ${turn}, ${json([first])}, ${json([again])}) as begun`,
      );
      notifier.notify(sessionId);
      return row!.begun;
    },
    async save({ sessionId, stepIndex, turn }, { kind, ...body }) {
      await sql`
        insert into messages (session_id, step_index, turn, position, kind, body)
        values (${sessionId}, ${stepIndex}, ${turn}, ${ORDER_IN_TURN[kind]}, ${kind}, ${json(body)})
        on conflict (session_id, step_index, turn, position) do update set body = excluded.body
          where excluded.kind = 'summary'`;
    },
    async savePlanOnce({ sessionId, stepIndex, turn }, planned) {
      const [row] = await sql<{ planned: PlannedCall[] }[]>`
        update messages set body = case when body ? 'planned' then body else body || ${json({ planned })} end
        where session_id = ${sessionId} and step_index = ${stepIndex} and turn = ${turn} and kind = 'reply'
        returning body->'planned' as planned`;
      return row!.planned;
    },
    async replacePlan({ sessionId, stepIndex, turn }, plan) {
      await sql`
        update messages set body = body || ${json(plan)}
        where session_id = ${sessionId} and step_index = ${stepIndex} and turn = ${turn} and kind = 'reply'`;
    },
    async reply({ sessionId, stepIndex, turn }) {
      const [row] = await sql<MessageRow[]>`
        select * from messages
        where session_id = ${sessionId} and step_index = ${stepIndex} and turn = ${turn} and kind = 'reply'`;
      return row === undefined ? null : (toMessage(row) as ReplyMessage & { stepIndex: number; turn: number });
    },
    async conversation(sessionId) {
      const [newest] = await sql<MessageRow[]>`
        select * from messages where session_id = ${sessionId} and kind = 'summary'
        order by step_index desc, turn desc limit 1`;
      const summary = newest === undefined ? null : (toMessage(newest) as SummaryMessage);
      const { stepIndex, turn, kind } = summary?.covers ?? { stepIndex: -1, turn: 0, kind: 'task' };
      const rows = await sql<MessageRow[]>`
        select * from messages
        where session_id = ${sessionId} and kind in ('task', 'results', 'reply')
          and (step_index, turn, position) > (${stepIndex}, ${turn}, ${ORDER_IN_TURN[kind]})
        order by step_index, turn, position`;
      return { summary, messages: rows.map(toMessage) };
    },
    async clear(sessionId) {
      const body = (newest: Omit<MessageRow, 'body'>) => ({
        text: CLEARED_TEXT,
        covers: newest,
      });
      const [newest] = await sql<Omit<MessageRow, 'body'>[]>`
        select step_index, turn, kind from messages
        where session_id = ${sessionId} and kind in ('task', 'results', 'reply')
        order by step_index desc, turn desc, position desc limit 1`;
      if (newest === undefined) return;
      await sql`
        insert into messages (session_id, step_index, turn, position, kind, body)
        values (${sessionId}, ${newest.stepIndex}, ${newest.turn}, ${ORDER_IN_TURN.summary}, 'summary', ${json(body(newest))})
        on conflict (session_id, step_index, turn, position) do update set body = excluded.body`;
    },
    async ofStep(sessionId, stepIndex) {
      const rows = await sql<MessageRow[]>`
        select * from messages
        where session_id = ${sessionId} and step_index = ${stepIndex} and turn >= 0
          and kind in ('task', 'results', 'reply')
        order by turn, position`;
      return rows.map(toMessage);
    },
  };
}
