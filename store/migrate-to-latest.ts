import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { PostgresJSDialect } from 'kysely-postgres-js';
import type postgres from 'postgres';
import { MIGRATIONS } from './migrations';

/** Runs what is missing, all of it or nothing; the client stays open. */
export async function migrateToLatest(client: postgres.Sql): Promise<void> {
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new PostgresJSDialect({ postgres: client }) }),
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error instanceof Error ? error : new Error(JSON.stringify(error));
}
