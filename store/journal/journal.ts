import type { BrowserAction, BrowserParameters, CommandResponse } from '../../contracts/commands/commands';
import { CommandEvidenceSchema, type CommandEvidence } from '../../contracts/commands/evidence';
import type { EffectClass } from '../../contracts/commands/define-command';
import type { StandardError } from '../../contracts/errors/standard-error';
import type { NewRecord } from '../../contracts/events/log';
import type { VariableInfo } from '../../contracts/sessions/resources';
import type { Resolution } from '../../contracts/approvals/unknown-outcome';
import type { LogNotifier } from '../events/log-notifier';
import type { Sql } from '../database/connect';
import { assertOwners, type Guard } from '../events/event-log';
import { withoutNulls, type Stored } from '../database/rows';
import { withRefusals } from '../database/refusals';

/** A dead worker leaves a command `intended`, without an outcome. */
export type JournalStatus = 'intended' | 'done' | 'failed' | 'unknown';

/** Written before a command acts. */
export interface Intent {
  commandId: string;
  stepIndex: number;
  turn: number;
  position: number;
  action: BrowserAction;
  parameters: BrowserParameters;
  effect: EffectClass;
  target?: Record<string, unknown> | undefined;
  pageUrl: string;
  /** Sent with its requests, where the session's config asks for it. */
  idempotencyKey?: string | undefined;
}

/** Written after it. The response is stored without its DOM, which is the artifact `domId`. */
export interface Outcome {
  commandId: string;
  status: Exclude<JournalStatus, 'intended'>;
  response: Omit<CommandResponse, 'dom'>;
  error?: StandardError | undefined;
  evidence?: CommandEvidence | undefined;
  domId?: string | undefined;
}

export interface JournalEntry extends Intent {
  status: JournalStatus;
  attempts: number;
  response?: Omit<CommandResponse, 'dom'>;
  error?: StandardError;
  evidence?: CommandEvidence;
  domId?: string;
  /** How an unknown outcome was resolved, by the model or by a person. */
  resolution?: Resolution;
  intendedAt: Date;
}

type SavedVariable = Pick<VariableInfo, 'name' | 'value' | 'source' | 'stepIndex'>;

/** The durable record of every command; an entry and its events share a transaction. */
export interface Journal {
  /** Throws StoreRefusal when the session is paused or closed, or the guard is out of date: then nothing may be done. */
  intend(sessionId: string, guard: Guard, intent: Intent, records: readonly NewRecord[]): Promise<void>;
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
    next: { intent: Intent; records: readonly NewRecord[] },
  ): Promise<boolean>;
  /** Marks an intended command as executed, before its outcome is known. A command that has its outcome stays as it is. */
  markExecuted(sessionId: string, guard: Guard, commandId: string): Promise<void>;
  /** Adds to the evidence of these commands that their effect on the page was lost with its browser. */
  markLost(sessionId: string, guard: Guard, commandIds: readonly string[]): Promise<void>;
  find(sessionId: string, commandIds: readonly string[]): Promise<JournalEntry[]>;
  /** These commands, and the commits of their step that have no outcome. */
  ofBatch(sessionId: string, stepIndex: number, commandIds: readonly string[]): Promise<JournalEntry[]>;
  ofStep(sessionId: string, stepIndex: number): Promise<JournalEntry[]>;
  /** Those of these actions that are done, oldest first. */
  done(sessionId: string, actions: readonly BrowserAction[]): Promise<JournalEntry[]>;
  ofSession(sessionId: string): Promise<JournalEntry[]>;
}

type CommandRow = Stored<
  Omit<JournalEntry, 'pageUrl'>,
  'target' | 'idempotencyKey' | 'response' | 'error' | 'evidence' | 'domId' | 'resolution'
> & { pageUrl: string | null };

function toEntry({ pageUrl, evidence, ...row }: CommandRow): JournalEntry {
  return {
    ...withoutNulls(row),
    pageUrl: pageUrl ?? '',
    ...(evidence === null ? {} : { evidence: CommandEvidenceSchema.parse(evidence) }),
  };
}

export function createJournal(sql: Sql, notifier: LogNotifier): Journal {
  const json = (value: unknown) => sql.json(value as never);
  // Positions are those within a batch, and the calls of one turn are a batch each: among them the time decides.
  const entries = async (sessionId: string, condition: ReturnType<Sql>): Promise<JournalEntry[]> => {
    const rows = await sql<CommandRow[]>`
      select command_id, step_index, turn, position, action, parameters, effect, target, page_url, idempotency_key, status,
        attempts, response, error, evidence, dom_id, resolution, intended_at
      from commands where session_id = ${sessionId} ${condition} order by step_index, turn, intended_at, position`;
    return rows.map(toEntry);
  };
  return {
    async intend(sessionId, guard, { idempotencyKey, ...intent }, records) {
      assertOwners(records);
      await withRefusals(
        idempotencyKey === undefined
          ? sql`select journal_intend(${sessionId}, ${json(guard)}, ${json(intent)}, ${json(records)})`
          : sql`select journal_intend_keyed(${sessionId}, ${json(guard)}, ${json(intent)}, ${json(records)}, ${idempotencyKey})`,
      );
      notifier.notify(sessionId);
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
      const [row] = await withRefusals(
        sql`select journal_advance(${sessionId}, ${json(guard)}, ${json(outcome)}, ${json(records)},
          ${variable === undefined ? null : json(variable)}, ${json(next.intent)}, ${json(next.records)}) as is_intended`,
      );
      notifier.notify(sessionId);
      return row!.isIntended as boolean;
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
    async markLost(sessionId, guard, commandIds) {
      if (commandIds.length === 0) return;
      await withRefusals(
        sql.begin(async (tx) => {
          await tx`select guarded_session(${sessionId}, ${json(guard)})`;
          await tx`
            update commands set evidence = evidence || ${json({ lostWith: 'browser' })}
            where session_id = ${sessionId} and command_id in ${tx(commandIds as string[])}`;
        }),
      );
    },
    find: (sessionId, commandIds) => entries(sessionId, sql`and command_id in ${sql(commandIds as string[])}`),
    ofBatch: (sessionId, stepIndex, commandIds) =>
      entries(
        sessionId,
        sql`and (command_id in ${sql(commandIds as string[])}
          or (step_index = ${stepIndex} and effect = 'commit' and status = 'intended'))`,
      ),
    ofStep: (sessionId, stepIndex) => entries(sessionId, sql`and step_index = ${stepIndex}`),
    done: (sessionId, actions) => entries(sessionId, sql`and status = 'done' and action = any(${actions as string[]})`),
    ofSession: (sessionId) => entries(sessionId, sql``),
  };
}
