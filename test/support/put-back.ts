import postgres from 'postgres';

/** The rows of sessions as they were at one moment, in the database itself. */
export interface Snapshot {
  /** Puts these sessions back to that moment, as a snapshot of the database that is restored does. */
  putBack(): Promise<void>;
}

let snapshots = 0;

/** Keeps the rows of these sessions, for a test that has their database forget what comes next. */
export async function takeSnapshot(databaseUrl: string, ...sessionIds: string[]): Promise<Snapshot> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const schema = `snapshot_${(snapshots += 1)}_${process.pid}`;
  const names = await sql<{ name: string }[]>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where confrelid = 'sessions'::regclass and contype = 'f'`;
  const tables = ['sessions', ...names.map(({ name }) => name), 'effects'];
  await sql`create schema ${sql(schema)}`;
  for (const table of tables)
    await sql`create table ${sql(`${schema}.${table}`)} as select * from ${sql(table)} where session_id in ${sql(sessionIds)}`;
  await sql.end();
  return {
    async putBack() {
      const back = postgres(databaseUrl, { max: 1, onnotice: () => {} });
      await back.begin(async (tx) => {
        // A snapshot is restored below the triggers and the constraints.
        await tx`set local session_replication_role = replica`;
        const columns = await tx<{ name: string }[]>`
          select column_name as name from information_schema.columns
          where table_name = 'sessions' and table_schema = 'public' and is_generated = 'NEVER'`;
        const sets = columns.map(({ name }) => `"${name}" = excluded."${name}"`).join(', ');
        const list = tx.unsafe(columns.map(({ name }) => `"${name}"`).join(', '));
        const kept = tx(`${schema}.sessions`);
        await tx`delete from sessions where session_id in ${tx(sessionIds)}
          and session_id not in (select session_id from ${kept})`;
        // In place: a writer that waits for the lock of a row finds it, as it was.
        await tx`insert into sessions (${list}) select ${list} from ${kept} on conflict (session_id) do update set ${tx.unsafe(sets)}`;
        for (const table of tables.slice(1)) {
          await tx`delete from ${tx(table)} where session_id in ${tx(sessionIds)}`;
          await tx`insert into ${tx(table)} overriding system value select * from ${tx(`${schema}.${table}`)}`;
        }
      });
      await back.end();
    },
  };
}
