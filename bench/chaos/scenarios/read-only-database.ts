import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { readStackFile } from '../../../runtime/settings/stack-file';
import type { HarnessClient } from '../../harness/harness';
import { retryUntil } from '../retry-until';

const BEGUN_WITHIN_MS = 120_000;
const READ_ONLY_MS = 4000;

/** From its first command on the database takes no writes for a while, as after a failover. */
export async function failOver(
  { home, store }: Pick<HarnessClient, 'home' | 'store'>,
  sessionId: string,
): Promise<void> {
  const sql = postgres(readStackFile(home)!.databaseUrl, { max: 1, onnotice: () => {} });
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    // This connection itself must be able to change it back.
    await sql.unsafe('set default_transaction_read_only = off');
    await sql.unsafe(`alter system set default_transaction_read_only = ${value}`);
    await sql`select pg_reload_conf()`;
  };
  try {
    await retryUntil('the session has begun a command', BEGUN_WITHIN_MS, async () => {
      const log = await store.log.read(sessionId, 0, 1000);
      return log.some(({ type }) => type === StreamEventType.COMMAND_STARTED) ? true : undefined;
    });
    await setReadOnly('on');
    await sleep(READ_ONLY_MS);
  } finally {
    await setReadOnly('off');
    await sql.end();
  }
}
