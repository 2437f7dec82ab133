import type { Sql } from '../database/connect';
import type { Sealer } from '../database/sealer';

/**
 * What persons were shown of pages when they were asked about a command, by the digest that an approval names: whatever is
 * compared when the command runs. It holds what stands on pages, so it is sealed.
 */
export interface ApprovedViews {
  save(sessionId: string, view: { digest: string; command: string; text: string }): Promise<void>;
  /** Undefined where there is none, or where it was sealed with another key. */
  get(sessionId: string, digest: string): Promise<string | undefined>;
  /** Those about the same command (viewKey), newest first; the last few. */
  ofCommand(sessionId: string, command: string): Promise<string[]>;
}

const MOST_OF_COMMAND = 5;

export function createApprovedViews(sql: Sql, sealer: Sealer): ApprovedViews {
  const placeOf = (sessionId: string): string => `approved view ${sessionId}`;
  return {
    async save(sessionId, { digest, command, text }) {
      await sql`
        insert into approved_views (session_id, digest, command, sealed)
        values (${sessionId}, ${digest}, ${command}, ${sealer.seal(text, placeOf(sessionId))})
        on conflict (session_id, digest) do update set sealed = excluded.sealed, at = clock_timestamp()`;
    },
    async get(sessionId, digest) {
      const [row] = await sql<
        { sealed: string }[]
      >`select sealed from approved_views where session_id = ${sessionId} and digest = ${digest}`;
      return row === undefined ? undefined : (sealer.open(row.sealed, placeOf(sessionId)) ?? undefined);
    },
    async ofCommand(sessionId, command) {
      const rows = await sql<{ sealed: string }[]>`
        select sealed from approved_views where session_id = ${sessionId} and command = ${command}
        order by at desc limit ${MOST_OF_COMMAND}`;
      return rows.flatMap(({ sealed }) => sealer.open(sealed, placeOf(sessionId)) ?? []);
    },
  };
}
