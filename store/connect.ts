import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { PostgresJSDialect } from 'kysely-postgres-js';
import postgres from 'postgres';
import { MIGRATIONS } from './migrations';

export type Sql = postgres.Sql<{ bigint: number }>;
export type Transaction = postgres.TransactionSql<{ bigint: number }>;

const END_LIMIT_S = 1;

/** Opens a pool. `seq` and the like come back as numbers: they stay far below 2^53. */
export function connect(databaseUrl: string, options: { maxConnections?: number } = {}): Sql {
  return postgres(databaseUrl, {
    max: options.maxConnections ?? 10,
    onnotice: () => {},
    // The driver's own back-off grows to 20 s: a database that is back would be noticed that much later.
    backoff: (retries) => Math.min(0.05 * 2 ** retries, 1),
    connection: { application_name: 'surefoot' },
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  });
}

/**
 * Brings the schema to the newest version; one that a newer version of ours has brought further stays as it is, so that
 * a process of the old one can start again while both run (docs/upgrades.md). Safe to run from several processes at once:
 * kysely holds a lock.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const db = new Kysely<unknown>({ dialect: new PostgresJSDialect({ postgres: client }) });
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
    });
    if (await isFromNewerVersion(db, await migrator.getMigrations())) return;
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error instanceof Error ? error : new Error(JSON.stringify(error));
  } finally {
    // With a limit, which db.destroy() has not: a connection that was lost under a query never comes to its end.
    await client.end({ timeout: END_LIMIT_S });
  }
}

async function isFromNewerVersion(db: Kysely<unknown>, own: readonly { name: string }[]): Promise<boolean> {
  const { rows: tables } = await sql`select 1 where to_regclass('kysely_migration') is not null`.execute(db);
  if (tables.length === 0) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.some(({ name }) => own.every((one) => one.name !== name));
}
