import type { CommandIntent, KeyClaim } from './intent';
import type { BrowserAction, CommandResponse } from '../../contracts/commands/commands';
import { CommandEvidenceSchema, type CommandEvidence, type LostWith } from '../../contracts/commands/evidence';
import type { StandardError } from '../../contracts/errors/standard-error';
import type { LostRecords, NewRecord } from '../../contracts/events/log';
import type { ActSighting } from '../../contracts/recipes/sighting';
import type { VariableInfo } from '../../contracts/sessions/resources';
import type { Resolution } from '../../contracts/approvals/unknown-outcome';
import type { LogNotifier } from '../events/log-notifier';
import type { Sql } from '../database/connect';
import { assertOwners, type Guard } from '../events/event-log';
import { withoutNulls, type Stored } from '../database/rows';
import { withRefusals } from '../database/refusals';
import type { IntentWitness, NotedIntent } from './intent-witness';

/** A dead worker leaves a command `intended`, without an outcome. */
export type JournalStatus = 'intended' | 'done' | 'failed' | 'unknown';

/** Written after it. The response is stored without its DOM, which is the artifact `domId`. */
export interface Outcome {
  commandId: string;
  status: Exclude<JournalStatus, 'intended'>;
  response: Omit<CommandResponse, 'dom'>;
  error?: StandardError | undefined;
  evidence?: CommandEvidence | undefined;
  domId?: string | undefined;
}

export interface JournalEntry extends Omit<CommandIntent, 'act'> {
  status: JournalStatus;
  attempts: number;
  response?: Omit<CommandResponse, 'dom'>;
  error?: StandardError;
  evidence?: CommandEvidence;
  domId?: string;
  /** How an unknown outcome was resolved, by the model or by a person. */
  resolution?: Resolution;
  intendedAt: Date;
  /** Of an act of a person, for recipes; absent where its effect was not seen. */
  sighting?: ActSighting;
}

/** A command that the database has forgotten, as far as witnesses know how it ended. */
export interface RecalledCommand {
  intent: CommandIntent;
  intendedAt: string;
  epoch: number;
  /** `intended`: the caller finds out. */
  status: JournalStatus;
  error?: StandardError | undefined;
  evidence?: CommandEvidence | undefined;
}

type SavedVariable = Pick<VariableInfo, 'name' | 'value' | 'source' | 'stepIndex'>;

/** The durable record of every command; an entry and its events share a transaction. */
export interface Journal {
  /**
   * Resolves when database and host know that the command is about to act. Throws StoreRefusal when the session is paused or
   * closed, the guard is out of date, or the database has forgotten what this host has noted, and WitnessNotSaved: then
   * nothing may be done.
   */
  intend(sessionId: string, guard: Guard, intent: CommandIntent, records: readonly NewRecord[]): Promise<void>;
  finish(
    sessionId: string,
    guard: Guard,
    outcome: Outcome,
    records: readonly NewRecord[],
    variable?: SavedVariable,
  ): Promise<void>;
  /** `finish`, and `intend` of the command that follows, in one commit. False: paused, the intent was not taken. */
  advance(
    sessionId: string,
    guard: Guard,
    outcome: Outcome,
    records: readonly NewRecord[],
    variable: SavedVariable | undefined,
    next: { intent: CommandIntent; records: readonly NewRecord[] },
  ): Promise<boolean>;
  /** Marks an intended command as executed, before its outcome is known. A command that has its outcome stays as it is. */
  markExecuted(sessionId: string, guard: Guard, commandId: string): Promise<void>;
  /** Adds to the evidence of these commands that their effect on the page was lost, and with what. */
  markLost(sessionId: string, guard: Guard, commandIds: readonly string[], lostWith: LostWith): Promise<void>;
  /** Adds to an act of a person what was seen of it: what it sent, and what the page showed. */
  noteSighting(
    sessionId: string,
    guard: Guard,
    commandId: string,
    seen: { evidence: CommandEvidence; sighting: ActSighting },
  ): Promise<void>;
  /**
   * The intents that this host has noted and the database does not have, oldest first: it was put back to an earlier time.
   * A database that has the newest has them all, because it only ever loses its end.
   */
  forgotten(sessionId: string): Promise<NotedIntent[]>;
  /**
   * Enters commands that the database has forgotten; one that has an entry keeps it. The records get numbers that no reader
   * has seen, and no lease gets an epoch that was given: `known` are the newest known to have been. The first record says
   * which numbers are left out.
   */
  recall(
    sessionId: string,
    guard: Guard,
    commands: readonly RecalledCommand[],
    recordsAfter: (lost: LostRecords) => readonly NewRecord[],
    known: { seq: number; epoch: number },
  ): Promise<void>;
  find(sessionId: string, commandIds: readonly string[]): Promise<JournalEntry[]>;
  /** These commands, and the commits of their step that have no outcome. */
  ofBatch(sessionId: string, stepIndex: number, commandIds: readonly string[]): Promise<JournalEntry[]>;
  ofStep(sessionId: string, stepIndex: number): Promise<JournalEntry[]>;
  /** What persons have done during this step, oldest first; no other reader of a step gets it. */
  ofPersons(sessionId: string, stepIndex: number): Promise<JournalEntry[]>;
  /** Those of these actions that are done, oldest first. */
  done(sessionId: string, actions: readonly BrowserAction[]): Promise<JournalEntry[]>;
  ofSession(sessionId: string): Promise<JournalEntry[]>;
}

type CommandRow = Stored<
  Omit<JournalEntry, 'pageUrl'>,
  'target' | 'idempotencyKey' | 'by' | 'response' | 'error' | 'evidence' | 'domId' | 'resolution' | 'sighting'
> & { pageUrl: string | null };

function toEntry({ pageUrl, evidence, ...row }: CommandRow): JournalEntry {
  return {
    ...withoutNulls(row),
    pageUrl: pageUrl ?? '',
    ...(evidence === null ? {} : { evidence: CommandEvidenceSchema.parse(evidence) }),
  };
}

/** Numbers that are skipped after a loss: readers may have seen some of the records that nobody here knows of. */
const SKIPPED_SEQS = 10_000;

/** The sessions of this host that have begun to do what the key names. */
async function holdersOf(witness: IntentWitness, { key, origin }: KeyClaim, sessionId: string) {
  const others = (await witness.list()).filter((each) => each.sessionId !== sessionId);
  const begun = await Promise.all(
    others.map(async (other) => {
      const { intents } = await witness.of(other.sessionId);
      const found = intents.findLast(({ intent: { once } }) => once?.key === key && once.origin === origin);
      return found === undefined
        ? []
        : [{ sessionId: other.sessionId, stepIndex: found.intent.once!.stepIndex, at: found.at }];
    }),
  );
  return begun.flat();
}

export function createJournal(sql: Sql, notifier: LogNotifier, witness: IntentWitness): Journal {
  const json = (value: unknown) => sql.json(value as never);
  /** The guard of an intent: the database must know the newest one that this host has noted. */
  const noting = async (sessionId: string, guard: Guard): Promise<Guard & { noted?: string }> => {
    const newest = (await witness.of(sessionId)).intents.at(-1);
    return newest === undefined ? guard : { ...guard, noted: newest.intent.commandId };
  };
  const note = async (sessionId: string, { epoch = 0 }: Guard, intent: CommandIntent, seq: number): Promise<void> => {
    if (intent.effect === 'pure') return;
    await witness.note(sessionId, { kind: 'intent', intent, epoch, seq, at: new Date().toISOString() });
  };
  // Positions are those within a batch, and the calls of one turn are a batch each: among them the time decides.
  const entries = async (sessionId: string, condition: ReturnType<Sql>): Promise<JournalEntry[]> => {
    const rows = await sql<CommandRow[]>`
      select command_id, step_index, turn, position, action, parameters, effect, target, page_url, idempotency_key, status,
        attempts, response, error, evidence, dom_id, resolution, by, intended_at, sighting
      from commands where session_id = ${sessionId} ${condition} order by step_index, turn, intended_at, position`;
    return rows.map(toEntry);
  };
  const having = (noted: readonly NotedIntent[]): ReturnType<Sql> =>
    sql`and command_id in ${sql(noted.map(({ intent }) => intent.commandId))}`;
  return {
    async intend(sessionId, guard, { idempotencyKey, ...given }, records) {
      assertOwners(records);
      const { once } = given;
      const witnessed = once && (await holdersOf(witness, once, sessionId));
      const intent = once === undefined ? given : { ...given, once: { ...once, witnessed } };
      const expected = json(await noting(sessionId, guard));
      const [row] = await withRefusals(
        idempotencyKey === undefined
          ? sql<
              { seq: number }[]
            >`select journal_intend(${sessionId}, ${expected}, ${json(intent)}, ${json(records)}) as seq`
          : sql<
              { seq: number }[]
            >`select journal_intend_keyed(${sessionId}, ${expected}, ${json(intent)}, ${json(records)}, ${idempotencyKey}) as seq`,
      );
      notifier.notify(sessionId);
      await note(sessionId, guard, { ...given, idempotencyKey }, row!.seq);
    },
    async finish(sessionId, guard, outcome, records, variable) {
      assertOwners(records);
      await withRefusals(
        sql`select journal_finish(${sessionId}, ${json(guard)}, ${json(outcome)}, ${json(records)}, ${variable === undefined ? null : json(variable)})`,
      );
      notifier.notify(sessionId);
    },
    async advance(sessionId, guard, outcome, records, variable, next) {
      assertOwners([...records, ...next.records]);
      const expected = json(await noting(sessionId, guard));
      const [row] = await withRefusals(
        sql<
          { seq: number | null }[]
        >`select journal_advance(${sessionId}, ${expected}, ${json(outcome)}, ${json(records)},
          ${variable === undefined ? null : json(variable)}, ${json(next.intent)}, ${json(next.records)}) as seq`,
      );
      notifier.notify(sessionId);
      if (row!.seq === null) return false;
      await note(sessionId, guard, next.intent, row!.seq);
      return true;
    },
    async markExecuted(sessionId, guard, commandId) {
      await withRefusals(
        sql.begin(async (tx) => {
          await tx`select guarded_session(${sessionId}, ${json(guard)})`;
          await tx`
            update commands set evidence = ${json({ kind: 'executed' } satisfies CommandEvidence)}
            where session_id = ${sessionId} and command_id = ${commandId} and status = 'intended'`;
        }),
      );
    },
    async markLost(sessionId, guard, commandIds, lostWith) {
      if (commandIds.length === 0) return;
      await withRefusals(
        sql.begin(async (tx) => {
          await tx`select guarded_session(${sessionId}, ${json(guard)})`;
          await tx`
            update commands set evidence = evidence || ${json({ lostWith })}
            where session_id = ${sessionId} and command_id in ${tx(commandIds as string[])}`;
        }),
      );
    },
    async noteSighting(sessionId, guard, commandId, { evidence, sighting }) {
      await withRefusals(
        sql.begin(async (tx) => {
          await tx`select guarded_session(${sessionId}, ${json(guard)})`;
          await tx`
            update commands set evidence = ${json(evidence)}, sighting = ${json(sighting)}
            where session_id = ${sessionId} and command_id = ${commandId} and by = 'person'`;
        }),
      );
    },
    async forgotten(sessionId) {
      const { intents } = await witness.of(sessionId);
      const newest = intents.at(-1);
      if (newest === undefined || (await entries(sessionId, having([newest]))).length > 0) return [];
      const kept = new Set((await entries(sessionId, having(intents))).map(({ commandId }) => commandId));
      // A command that was begun again is noted again.
      const newestOfEach = new Map(intents.map((noted) => [noted.intent.commandId, noted]));
      return [...newestOfEach.values()].filter(({ intent }) => !kept.has(intent.commandId));
    },
    async recall(sessionId, guard, commands, recordsAfter, known) {
      const epoch = Math.max(known.epoch, ...commands.map((command) => command.epoch));
      await withRefusals(
        sql.begin(async (tx) => {
          const [session] = await tx<{ nextSeq: number }[]>`
            select next_seq from guarded_session(${sessionId}, ${json(guard)})`;
          const { nextSeq: lostFrom } = session!;
          const lostTo = Math.max(lostFrom - 1, known.seq) + SKIPPED_SEQS;
          const records = recordsAfter({ lostFrom, lostTo });
          assertOwners(records);
          for (const { intent, intendedAt, status, error, evidence, ...command } of commands) {
            await tx`
              insert into commands (session_id, command_id, step_index, turn, position, action, parameters, effect, target,
                page_url, epoch, status, error, evidence, idempotency_key, by, intended_at, finished_at)
              values (${sessionId}, ${intent.commandId}, ${intent.stepIndex}, ${intent.turn}, ${intent.position},
                ${intent.action}, ${json(intent.parameters)}, ${intent.effect},
                ${intent.target === undefined ? null : json(intent.target)}, ${intent.pageUrl}, ${command.epoch}, ${status},
                ${error === undefined ? null : json(error)}, ${evidence === undefined ? null : json(evidence)},
                ${intent.idempotencyKey ?? null}, ${intent.by ?? null}, ${intendedAt},
                ${status === 'intended' ? null : sql`clock_timestamp()`})
              on conflict do nothing`;
            if (intent.once !== undefined)
              await tx`select claim_effect(s, ${json(intent.once)}) from sessions s where session_id = ${sessionId}`;
          }
          await tx`
            update sessions set epoch = greatest(epoch, ${epoch}::int), next_seq = ${lostTo + 1}::bigint
            where session_id = ${sessionId}`;
          await tx`select append_events(${sessionId}, '{}', ${json(records)}, '{}')`;
        }),
      );
      notifier.notify(sessionId);
    },
    find: (sessionId, commandIds) => entries(sessionId, sql`and command_id in ${sql(commandIds as string[])}`),
    ofBatch: (sessionId, stepIndex, commandIds) =>
      entries(
        sessionId,
        sql`and by is null and (command_id in ${sql(commandIds as string[])}
          or (step_index = ${stepIndex} and effect = 'commit' and status = 'intended'))`,
      ),
    ofStep: (sessionId, stepIndex) => entries(sessionId, sql`and by is null and step_index = ${stepIndex}`),
    ofPersons: (sessionId, stepIndex) => entries(sessionId, sql`and by = 'person' and step_index = ${stepIndex}`),
    done: (sessionId, actions) => entries(sessionId, sql`and status = 'done' and action = any(${actions as string[]})`),
    ofSession: (sessionId) => entries(sessionId, sql``),
  };
}
