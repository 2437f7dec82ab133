import postgres from 'postgres';
import { jsonText } from './json-text';

export type Sql = postgres.Sql<{ bigint: number }>;
export type Transaction = postgres.TransactionSql<{ bigint: number }>;

/**
 * A client that is silent in a transaction for so long is frozen, or its machine is cut off: the server ends it, because
 * sessions wait for the rows that it has locked. A live one never waits between two statements. Set within each transaction,
 * because a pooler refuses it as a parameter of the connection.
 */
const ENDS_WHEN_SILENT = "set local idle_in_transaction_session_timeout = '10s'";

/** Opens a pool. Columns come back in camel case, and `seq` and the like as numbers: they stay far below 2^53. */
export function connect(databaseUrl: string, options: { maxConnections?: number } = {}): Sql {
  const sql = postgres(databaseUrl, {
    max: options.maxConnections ?? 10,
    onnotice: () => {},
    // The driver's own back-off grows to 20 s: a database that is back would be noticed that much later.
    backoff: (retries) => Math.min(0.05 * 2 ** retries, 1),
    connection: { application_name: 'surefoot' },
    // Columns only: the keys of a json payload stay as they were written.
    transform: { column: { from: postgres.toCamel } },
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  });
  for (const type of JSON_TYPES) sql.options.serializers[type] = jsonText;
  const begin = sql.begin as unknown as Begin;
  const beginLimited: Begin = (work) =>
    begin((tx) => {
      // Sent ahead of the first statement; where it fails, that one fails too.
      tx.unsafe(ENDS_WHEN_SILENT).catch(() => {});
      return work(tx);
    });
  return Object.assign(sql, { begin: beginLimited }) as unknown as Sql;
}

/** Of the driver's forms the one that is used here. */
type Begin = (work: (tx: Transaction) => unknown) => Promise<unknown>;

/** The types json and jsonb, as PostgreSQL numbers them. */
const JSON_TYPES = [114, 3802];
