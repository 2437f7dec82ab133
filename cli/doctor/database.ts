import { connect, type Sql } from '../../store/database/connect';
import { appliedMigrations } from '../../store/database/migrate';
import { oneLineOf } from '../context/failure';
import { withinTimeout, assertReachable, databaseEndpoint } from '../context/endpoints';
import { finding, type Finding } from './check';
import { checkForgotten } from './forgotten';
import { asCalled } from '../terminal/as-called';

/** After this silence the sessions of a host move to another one. */
const STALE_AFTER_MS = 3000;

/** Checks the database without changing it; the processes migrate the schema when they start. */
export async function checkDatabase(databaseUrl: string, home: string): Promise<Finding[]> {
  try {
    await assertReachable(databaseEndpoint(databaseUrl));
  } catch (error) {
    return [finding('bad', 'PostgreSQL', oneLineOf(error))];
  }
  const sql = connect(databaseUrl, { maxConnections: 1 });
  try {
    const [row] = await withinTimeout('PostgreSQL', sql`show server_version`);
    const found = finding('good', 'PostgreSQL', `${row?.['serverVersion']} answers`);
    const schema = await checkSchema(sql);
    return schema.health === 'good'
      ? [found, schema, ...(await checkKeepers(sql)), await checkForgotten(sql, home)]
      : [found, schema];
  } catch (error) {
    return [finding('bad', 'PostgreSQL', `${oneLineOf(error)}. Check DATABASE_URL.`)];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function checkSchema(sql: Sql): Promise<Finding> {
  const newest = (await appliedMigrations(sql)).at(-1);
  if (newest !== undefined) return finding('good', 'Schema', `is at ${newest}`);
  return finding(
    'bad',
    'Schema',
    `The tables are missing; the first process that starts creates them: ${asCalled('worker')}.`,
  );
}

async function checkKeepers(sql: Sql): Promise<Finding[]> {
  const hosts = await sql<{ hostId: string; silentForMs: number }[]>`
    select host_id, extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 as silent_for_ms from hosts order by host_id`;
  const alive = hosts.filter(({ silentForMs }) => silentForMs < STALE_AFTER_MS).map(({ hostId }) => hostId);
  if (alive.length > 0)
    return [finding('good', 'Keepers', `${alive.join(', ')} ${alive.length === 1 ? 'reports' : 'report'}`)];
  const silent = hosts.length === 0 ? 'No keeper has ever reported' : 'No keeper reports any more';
  return [finding('bad', 'Keepers', `${silent}, so no session gets a browser; start one with ${asCalled('keeper')}.`)];
}
