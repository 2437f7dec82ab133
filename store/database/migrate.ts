import postgres from 'postgres';
import type * as Latest from '../migrate-to-latest';
import { MIGRATION_NAMES } from '../migrations/names';

const END_LIMIT_S = 1;

/**
 * Brings the schema to the newest version; one that a newer version of ours has brought further stays as it is, so that
 * a process of the old one can start again while both run (docs/upgrades.md). Safe to run from several processes at once:
 * kysely holds a lock.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    if (!(await isBehind(client))) return;
    // Loaded only now: a process that starts seldom has anything to bring up, and kysely takes longer than all of the store.
    const { migrateToLatest } = require('../migrate-to-latest') as typeof Latest;
    await migrateToLatest(client);
  } finally {
    // With a limit, which kysely's own end has not: a connection that was lost under a query never comes to its end.
    await client.end({ timeout: END_LIMIT_S });
  }
}

async function isBehind(client: postgres.Sql): Promise<boolean> {
  const tables = await client`select 1 where to_regclass('kysely_migration') is not null`;
  if (tables.length === 0) return true;
  const rows = await client<{ name: string }[]>`select name from kysely_migration`;
  const own: readonly string[] = MIGRATION_NAMES;
  const isNewer = rows.some(({ name }) => !own.includes(name));
  return !isNewer && rows.length < own.length;
}
