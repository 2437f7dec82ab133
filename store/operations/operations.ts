import type { Operations, OperationsQuery } from '../../contracts/modules/operations';
import type { Sql } from '../database/connect';
import { noteBrowserUse } from './browser-use';
import { readHistory, type History } from './history';
import { readPresent, type Present } from './present';

type Kept = Pick<Operations['retention'], 'databaseBytes' | 'oldestLogEndedAt'>;
export type Figures = Present &
  Pick<History, 'history' | 'spent' | 'failures'> & {
    sessions: Operations['sessions'];
    kept: Kept;
  };

/** Figures for whoever operates the system. */
export interface OperationsReader {
  read(query: OperationsQuery): Promise<Figures>;
  /** Notes how many browsers are in use, for the charts; to be called about once a minute, by any number of workers. */
  noteBrowserUse(): Promise<void>;
}

export function createOperationsReader(sql: Sql): OperationsReader {
  return {
    noteBrowserUse: () => noteBrowserUse(sql),
    async read(query) {
      const [present, kept] = await Promise.all([readPresent(sql, query.tenant), readKept(sql)]);
      const { webhooksFailed, ...history } = await readHistory(sql, query, present.sessions.open);
      return { ...present, ...history, sessions: { ...present.sessions, webhooksFailed }, kept };
    },
  };
}

async function readKept(sql: Sql): Promise<Kept> {
  const [row] = await sql<{ databaseBytes: number; oldestLogEndedAt: Date | null }[]>`
    select pg_database_size(current_database()) as database_bytes,
      (select min(last_activity) from sessions where closed and expired_at is null) as oldest_log_ended_at`;
  const { databaseBytes, oldestLogEndedAt } = row!;
  return { databaseBytes, ...(oldestLogEndedAt === null ? {} : { oldestLogEndedAt }) };
}
