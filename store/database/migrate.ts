import postgres from 'postgres';
import { MIGRATIONS, readSchemaFile, repeatableFiles } from '../schema/migrations';

const END_LIMIT_S = 1;
/** Any number that no other advisory lock of ours has. */
const MIGRATION_LOCK = 5_001;

/**
 * Upgrades the schema to the newest migration, in one transaction and in one process at a time. A schema that a newer
 * version has upgraded further stays as it is, so that a process of the old version can start again while both run
 * (docs/upgrades.md).
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    if ((await missingMigrations(client)).length === 0) return;
    await client.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      // Another process may have upgraded while this one waited for the lock.
      const missing = await missingMigrations(tx);
      if (missing.length === 0) return;
      await tx`
        create table if not exists schema_migrations (
          name text primary key, applied_at timestamptz not null default now())`;
      const run = (file: string) => tx.unsafe(readSchemaFile(file)).simple();
      for (const name of missing) {
        for (const file of MIGRATIONS[name]!) await run(file);
        await tx`insert into schema_migrations (name) values (${name})`;
      }
      for (const file of repeatableFiles()) await run(file);
    });
  } finally {
    // With a limit: a connection that was lost under a query never ends.
    await client.end({ timeout: END_LIMIT_S });
  }
}

async function missingMigrations(client: postgres.Sql | postgres.TransactionSql): Promise<string[]> {
  const applied = await appliedMigrations(client);
  const known = Object.keys(MIGRATIONS).sort();
  const isNewer = applied.some((name) => !known.includes(name));
  return isNewer ? [] : known.filter((name) => !applied.includes(name));
}

/** The names of the migrations that the database has; none where it was never migrated. */
export async function appliedMigrations(client: postgres.Sql<{}> | postgres.TransactionSql<{}>): Promise<string[]> {
  // `to_regclass` may answer from before another process has committed: only reading a table brings its cache up to date.
  const tables = await client`
    select from pg_tables where tablename = 'schema_migrations' and schemaname = any (current_schemas(false))`;
  if (tables.length === 0) return [];
  const rows = await client<{ name: string }[]>`select name from schema_migrations order by name`;
  return rows.map(({ name }) => name);
}
