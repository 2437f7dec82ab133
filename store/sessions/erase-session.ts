import type { Sql, Transaction } from '../database/connect';
import type { Files } from '../files/files';

/**
 * `open`: the session is not over, or a browser is still held for it. `keptRecipes` had versions of the session, and have
 * some of other sessions.
 */
export type Erasure =
  { kind: 'erased'; rows: Record<string, number>; keptRecipes: string[] } | { kind: 'open' } | { kind: 'unknown' };

type Erased = Extract<Erasure, { kind: 'erased' }>;

/** Deletes a session that has ended, whole: its row, every row that refers to it, and the files of its artifacts. */
export async function eraseSessionRows(sql: Sql, files: Files, sessionId: string): Promise<Erasure> {
  const erased = await sql.begin(async (tx) => {
    const [session] = await tx<{ isOver: boolean }[]>`
      select closed and not exists (select from leases l where l.session_id = s.session_id) as is_over
      from sessions s where session_id = ${sessionId} for update`;
    if (session === undefined) return { kind: 'unknown' } as const;
    if (!session.isOver) return { kind: 'open' } as const;
    const gone = await tx<{ path: string }[]>`delete from artifacts where session_id = ${sessionId} returning path`;
    const rows: Record<string, number> = { files: gone.length };
    for (const table of await tablesOfSessions(tx)) {
      const { count } = await tx`delete from ${tx(table)} where session_id = ${sessionId}`;
      if (count > 0) rows[table] = count;
    }
    const { rows: ofRecipes, keptRecipes } = await eraseLearnt(tx, sessionId);
    // A key still says that it was used; of what it did nothing is left.
    await tx`update effects set title = '', evidence = '[]' where session_id = ${sessionId}`;
    // So does a row of a batch.
    await tx`update batch_rows set variables = '{}', origin = null, reason = null, result = null where session_id = ${sessionId}`;
    await tx`delete from sessions where session_id = ${sessionId}`;
    const paths = gone.map(({ path }) => path);
    return { kind: 'erased', rows: { ...rows, ...ofRecipes }, keptRecipes, paths } as const;
  });
  if (erased.kind !== 'erased') return erased;
  const { paths, ...erasure } = erased;
  await files.remove(paths);
  return erasure;
}

/**
 * Deletes the versions of recipes that the session has left, and recipes that have no other version: the text of a step may
 * say of whom it is. Where a deleted version was used, none is until another is promoted. Versions of other sessions that it
 * has promoted do not name it any more.
 */
async function eraseLearnt(tx: Transaction, sessionId: string): Promise<Omit<Erased, 'kind'>> {
  const promoter = tx.json([{ by: 'session', who: sessionId }]);
  await tx`
    update recipe_versions set promotions = (
      select jsonb_agg(case when each->>'who' = ${sessionId} then each - 'who' else each end order by at)
      from jsonb_array_elements(promotions) with ordinality as e(each, at))
    where promotions @> ${promoter}`;
  const touched = await tx<{ recipeId: string }[]>`
    select recipe_id from recipes r where exists (
      select from recipe_versions v where v.recipe_id = r.recipe_id and v.session_id = ${sessionId}) for update`;
  if (touched.length === 0) return { rows: {}, keptRecipes: [] };
  const ids = touched.map(({ recipeId }) => recipeId);
  const { count: versions } = await tx`
    delete from recipe_versions where session_id = ${sessionId} and recipe_id = any(${ids})`;
  const { count: recipes } = await tx`
    delete from recipes r where recipe_id = any(${ids})
      and not exists (select from recipe_versions v where v.recipe_id = r.recipe_id)`;
  const kept = await tx<{ recipeId: string }[]>`
    update recipes r set promoted = (
      select version from recipe_versions v where v.recipe_id = r.recipe_id and v.version = r.promoted)
    where recipe_id = any(${ids}) returning recipe_id`;
  return {
    rows: { recipe_versions: versions, ...(recipes === 0 ? {} : { recipes }) },
    keptRecipes: kept.map(({ recipeId }) => recipeId).sort(),
  };
}

/** Whatever belongs to a session refers to its row; so a table that is added later is not forgotten. */
export async function tablesOfSessions(tx: Transaction): Promise<string[]> {
  const tables = await tx<{ name: string }[]>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where confrelid = 'sessions'::regclass and contype = 'f'`;
  return tables.map(({ name }) => name);
}
