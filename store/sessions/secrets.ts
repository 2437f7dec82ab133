import type { TransactionSql } from 'postgres';
import type { SecretPlan } from '../../contracts/sessions/secrets';
import type { Sql } from '../database/connect';
import type { Sealer } from '../database/sealer';

/** A secret of a session and where its value is. `missing`: it was given, and can't be had here; the reason is a sentence. */
export interface SecretRow {
  alias: string;
  origins: string[];
  source: { kind: 'env'; env: string } | { kind: 'value'; value: string } | { kind: 'missing'; reason: string };
}

/** A caller must neither log a value nor keep it. */
export interface Secrets {
  ofSession(sessionId: string): Promise<SecretRow[]>;
  /** Of a text that may hold secrets: to be compared within a session, and readable by everybody. */
  digest(sessionId: string, text: string): string;
}

const placeOf = (sessionId: string, alias: string): string => `secret ${sessionId} ${alias}`;

export function createSecrets(sql: Sql, sealer: Sealer): Secrets {
  return {
    digest: (sessionId, text) => sealer.digest(text, `digest ${sessionId}`),
    async ofSession(sessionId) {
      const rows = await sql<{ alias: string; origins: string[]; env: string | null; sealed: string | null }[]>`
        select alias, origins, env, sealed from secrets where session_id = ${sessionId} order by alias`;
      return rows.map(({ alias, origins, env, sealed }) => {
        if (env !== null) return { alias, origins, source: { kind: 'env', env } };
        const value = sealed === null ? null : sealer.open(sealed, placeOf(sessionId, alias));
        if (value !== null) return { alias, origins, source: { kind: 'value', value } };
        const reason =
          sealed === null
            ? 'The store does not hold it (any more): start the session again by the API or the CLI.'
            : 'It was sealed with another key: give all processes the same SUREFOOT_SECRET_KEY.';
        return { alias, origins, source: { kind: 'missing', reason } };
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
  for (const [alias, { origins, env }] of Object.entries(plans)) {
    const value = values[alias];
    const sealed = value === undefined ? null : sealer.seal(value, placeOf(sessionId, alias));
    await tx`
      insert into secrets (session_id, alias, origins, env, sealed)
      values (${sessionId}, ${alias}, ${tx.json(origins)}, ${env ?? null}, ${sealed})`;
  }
}
