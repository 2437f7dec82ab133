import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { PostgresJSDialect } from 'kysely-postgres-js';
import postgres from 'postgres';
import * as first from './migrations/0001-first';
import * as checkpoints from './migrations/0002-checkpoints';
import * as modelCalls from './migrations/0009-model-calls';

export type Sql = postgres.Sql<{ bigint: number }>;

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

/** Brings the schema to the newest version. Safe to run from several processes at once: kysely holds a lock. */
export async function migrate(databaseUrl: string): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: new PostgresJSDialect({ postgres: postgres(databaseUrl, { max: 1, onnotice: () => {} }) }),
  });
  try {
    const migrator = new Migrator({
      db,
      provider: {
        getMigrations: () =>
          Promise.resolve({ '0001-first': first, '0002-checkpoints': checkpoints, '0009-model-calls': modelCalls }),
      },
    });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error instanceof Error ? error : new Error(JSON.stringify(error));
  } finally {
    await db.destroy();
  }
}
