import { removeFiles } from '../artifacts/remove-files';
import type { Sql, Transaction } from '../database/connect';

/** `open`: the session is not over, or a browser is still held for it. */
export type Erasure = { kind: 'erased'; rows: Record<string, number> } | { kind: 'open' } | { kind: 'unknown' };

/** Deletes a session that has ended, whole: its row, every row that refers to it, and the files of its artifacts. */
export async function eraseSession(sql: Sql, folder: string, sessionId: string): Promise<Erasure> {
  const erased = await sql.begin(async (tx) => {
    const [session] = await tx<{ isOver: boolean }[]>`
      select closed and not exists (select from leases l where l.session_id = s.session_id) as is_over
      from sessions s where session_id = ${sessionId} for update`;
    if (session === undefined) return { kind: 'unknown' } as const;
    if (!session.isOver) return { kind: 'open' } as const;
    const files = await tx<{ path: string }[]>`delete from artifacts where session_id = ${sessionId} returning path`;
    const rows: Record<string, number> = { files: files.length };
    for (const table of await tablesOfSessions(tx)) {
      const { count } = await tx`delete from ${tx(table)} where session_id = ${sessionId}`;
      if (count > 0) rows[table] = count;
    }
    // The text of a step may say of whom it is.
    const { count: recipes } = await tx`
      delete from recipes r where exists (
        select from recipe_versions v where v.recipe_id = r.recipe_id and v.session_id = ${sessionId})`;
    if (recipes > 0) rows['recipes'] = recipes;
    await tx`delete from sessions where session_id = ${sessionId}`;
    return { kind: 'erased', rows, paths: files.map(({ path }) => path) } as const;
  });
  if (erased.kind !== 'erased') return erased;
  await removeFiles(folder, erased.paths);
  return { kind: 'erased', rows: erased.rows };
}

/** Whatever belongs to a session refers to its row; so a table that is added later is not forgotten. */
export async function tablesOfSessions(tx: Transaction): Promise<string[]> {
  const tables = await tx<{ name: string }[]>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where confrelid = 'sessions'::regclass and contype = 'f'`;
  return tables.map(({ name }) => name);
}
