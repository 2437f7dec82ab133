import type { TransactionSql } from 'postgres';
import type { CallerKey } from '../../contracts/sessions/model-connections';
import type { VendorName } from '../../contracts/models/vendors';
import { questionOf, type SecretPlan } from '../../contracts/sessions/secrets';
import type { AskedAs } from '../../contracts/approvals/asked-secret';
import type { Sql } from '../database/connect';
import type { Sealer } from '../database/sealer';

/** A secret of a session and where its value is. `missing`: it was given, and can't be had here; the reason is a sentence. */
export interface SecretRow {
  alias: string;
  origins: string[];
  source: ValueSource | { kind: 'person'; as: AskedAs; answers: GivenAnswer[] };
  /** Of the password of the mailbox in which an answer is looked for. */
  password?: ValueSource | undefined;
  /** Present where the value is the seed of one-time codes: the periods whose code the session has typed, newest first. */
  typedSteps?: number[] | undefined;
}

export type ValueSource =
  | { kind: 'env'; env: string }
  | { kind: 'value'; value: string }
  | { kind: 'reference'; reference: string }
  | { kind: 'missing'; reason: string };

/** What a person has answered, oldest first; `usedBy` is the command that has used it. */
export interface GivenAnswer {
  questionId: string;
  value: string;
  usedBy?: string | undefined;
}

/** A period of a seed. */
export interface CodeStep {
  alias: string;
  seed: string;
  step: number;
}

export interface TakenMail {
  questionId: string;
  /** Server, user and folder. */
  mailbox: string;
  /** The validity of its ids, and its id. */
  mail: string;
}

/** A page is not searched for older ones. */
const MOST_TYPED_STEPS = 100;

/** A caller must neither log a value nor keep it. */
export interface Secrets {
  ofSession(sessionId: string): Promise<SecretRow[]>;
  /** The key that the agent of the session has given; `key` is null where it was sealed with another key. */
  callerKey(sessionId: string): Promise<{ vendor: VendorName; key: string | null } | undefined>;
  /** Replaces the key by this one, or by none. Of a session that has ended none is kept. */
  keepCallerKey(sessionId: string, own: CallerKey | undefined): Promise<void>;
  /** Takes a period of a seed for the session: resolves to false where its code was typed before, by whatever session. */
  takeCode(sessionId: string, taken: CodeStep): Promise<boolean>;
  /** Seals what a person answers, for the message that keeps it. */
  sealAnswer(sessionId: string, questionId: string, value: string): string;
  /** Takes an answer for a command: resolves to false where another command has it. */
  takeAnswer(sessionId: string, questionId: string, commandId: string): Promise<boolean>;
  /** Takes a mail of a mailbox for a question: resolves to false where another question of whatever session has it. */
  takeMail(sessionId: string, taken: TakenMail): Promise<boolean>;
  /** Of a text that may hold secrets: to be compared within a session, and readable by everybody. */
  digest(sessionId: string, text: string): string;
}

const callerKeyPlace = (sessionId: string): string => `caller key ${sessionId}`;
const answerPlace = (sessionId: string, questionId: string): string => `answer ${sessionId} ${questionId}`;
export const placeOf = (sessionId: string, alias: string): string => `secret ${sessionId} ${alias}`;

const OTHER_KEY = 'It was sealed with another key: give all processes the same SUREFOOT_SECRET_KEY.';

interface StoredSecret {
  alias: string;
  origins: string[];
  env: string | null;
  sealed: string | null;
  reference: string | null;
  asksFor: AskedAs | null;
  typedSteps: (number | bigint)[] | null;
}

export function createSecrets(sql: Sql, sealer: Sealer): Secrets {
  /** The answers that the session has taken; `value` is null where one can't be opened. */
  async function answersOf(sessionId: string) {
    const rows = await sql<{ alias: string; questionId: string; sealed: string; usedBy: string | null }[]>`
      select given.*, used.command_id as used_by
      from control_messages m
      cross join jsonb_to_record(m.input::jsonb) as given (alias text, "questionId" text, sealed text)
      left join used_answers used on used.session_id = m.session_id and used.question_id = given."questionId"
      where m.session_id = ${sessionId} and m.name = 'answerSecret' and m.state = 'applied' and given.sealed is not null
      order by m.number`;
    return rows.map(({ sealed, ...answer }) => ({
      ...answer,
      value: sealer.open(sealed, answerPlace(sessionId, answer.questionId)),
    }));
  }

  function valueSource(
    sessionId: string,
    alias: string,
    { env, reference, sealed }: Pick<StoredSecret, 'env' | 'reference' | 'sealed'>,
  ): ValueSource {
    if (reference !== null) return { kind: 'reference', reference };
    if (env !== null) return { kind: 'env', env };
    const value = sealed === null ? null : sealer.open(sealed, placeOf(sessionId, alias));
    if (value !== null) return { kind: 'value', value };
    const reason =
      sealed === null
        ? 'The store does not hold it (any more): start the session again by the API or the CLI.'
        : OTHER_KEY;
    return { kind: 'missing', reason };
  }

  return {
    digest: (sessionId, text) => sealer.digest(text, `digest ${sessionId}`),
    async callerKey(sessionId) {
      const [row] = await sql<{ vendor: VendorName; sealed: string }[]>`
        select vendor, sealed from caller_keys where session_id = ${sessionId}`;
      return row && { vendor: row.vendor, key: sealer.open(row.sealed, callerKeyPlace(sessionId)) };
    },
    async keepCallerKey(sessionId, own) {
      if (own === undefined) await sql`delete from caller_keys where session_id = ${sessionId}`;
      else
        await sql`
          insert into caller_keys (session_id, vendor, sealed)
          select session_id, ${own.vendor}, ${sealer.seal(own.key, callerKeyPlace(sessionId))}
          from sessions where session_id = ${sessionId} and not closed
          on conflict (session_id) do update set vendor = excluded.vendor, sealed = excluded.sealed`;
    },
    sealAnswer: (sessionId, questionId, value) => sealer.seal(value, answerPlace(sessionId, questionId)),
    async takeAnswer(sessionId, questionId, commandId) {
      const rows = await sql`
        insert into used_answers as used (session_id, question_id, command_id)
        values (${sessionId}, ${questionId}, ${commandId})
        on conflict (session_id, question_id) do update set command_id = used.command_id
        where used.command_id = excluded.command_id returning question_id`;
      return rows.length > 0;
    },
    async takeMail(sessionId, { questionId, mailbox, mail }) {
      const rows = await sql`
        insert into taken_mails as taken (mailbox, mail, session_id, question_id)
        values (${sealer.digest(mailbox, 'a mailbox')}, ${mail}, ${sessionId}, ${questionId})
        on conflict (mailbox, mail) do update set mail = taken.mail
        where taken.session_id = excluded.session_id and taken.question_id = excluded.question_id returning mail`;
      return rows.length > 0;
    },
    async takeCode(sessionId, { alias, seed, step }) {
      const rows = await sql`
        insert into typed_codes (seed, step, session_id, alias)
        values (${sealer.digest(seed, 'seed of one-time codes')}, ${step}, ${sessionId}, ${alias})
        on conflict do nothing returning step`;
      return rows.length > 0;
    },
    async ofSession(sessionId) {
      const rows = await sql<StoredSecret[]>`
        select alias, origins, env, reference, sealed, asks_for, case when is_seed then array(
          select step from typed_codes as typed where typed.session_id = secrets.session_id and typed.alias = secrets.alias
          order by step desc limit ${MOST_TYPED_STEPS}) end as typed_steps
        from secrets where session_id = ${sessionId} order by alias`;
      const answers = rows.some(({ asksFor }) => asksFor !== null) ? await answersOf(sessionId) : [];
      return rows.map(({ alias, origins: names, env, reference, sealed, asksFor, typedSteps }): SecretRow => {
        const source = valueSource(sessionId, alias, { env, reference, sealed });
        const about = { alias, origins: names, ...(typedSteps === null ? {} : { typedSteps: typedSteps.map(Number) }) };
        if (asksFor !== null) {
          const given = answers.filter((each) => each.alias === alias);
          const opened = given.flatMap(({ value, questionId, usedBy }) =>
            value === null ? [] : [{ questionId, value, usedBy: usedBy ?? undefined }],
          );
          if (opened.length < given.length) return { ...about, source: { kind: 'missing', reason: OTHER_KEY } };
          const hasPassword = (env ?? reference ?? sealed) !== null;
          const password = hasPassword ? { password: source } : {};
          return { ...about, ...password, source: { kind: 'person', as: asksFor, answers: opened } };
        }
        return { ...about, source };
      });
    },
  };
}

export async function insertSecrets(
  tx: TransactionSql<{ bigint: number }>,
  sealer: Sealer,
  sessionId: string,
  plans: Readonly<Record<string, SecretPlan>>,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [alias, { origins, env: own, from, totp, ...asked }] of Object.entries(plans)) {
    const { env, from: reference } = totp ?? asked.mailbox?.password ?? { env: own, from };
    const value = values[alias];
    const sealed = value === undefined ? null : sealer.seal(value, placeOf(sessionId, alias));
    await tx`
      insert into secrets (session_id, alias, origins, env, reference, sealed, is_seed, asks_for)
      values (${sessionId}, ${alias}, ${tx.json(origins)}, ${env ?? null}, ${reference ?? null}, ${sealed}, ${totp !== undefined},
        ${questionOf(asked)?.as ?? null})`;
  }
}
