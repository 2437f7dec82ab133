import { join } from 'node:path';
import { createArtifacts, type Artifacts } from './artifacts';
import { createBell } from './bell';
import { createCheckpoints, type Checkpoints } from './checkpoints';
import { connect, migrate } from './connect';
import { createEventLog, type EventLog } from './event-log';
import { createJournal, type Journal } from './journal';
import { createHosts, createLeases, type Hosts, type Leases } from './leases';
import { createModelCalls, type ModelCalls } from './model-calls';
import { createSessions, type Sessions } from './sessions';
import { createStepMemory, type StepMemory } from './step-memory';
import { createVariables, type Variables } from './variables';

/** Everything kept outside Temporal, on one Postgres and one artifact folder. */
export interface Store {
  log: EventLog;
  journal: Journal;
  sessions: Sessions;
  leases: Leases;
  hosts: Hosts;
  memory: StepMemory;
  modelCalls: ModelCalls;
  variables: Variables;
  artifacts: Artifacts;
  checkpoints: Checkpoints;
  /** Rejects when the database can't be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store, bringing the schema to the newest version first. `home` is the folder that artifacts lie under. */
export async function openStore(options: {
  databaseUrl: string;
  home: string;
  maxConnections?: number;
}): Promise<Store> {
  await migrate(options.databaseUrl);
  const sql = connect(options.databaseUrl, options);
  const bell = createBell(sql, () => connect(options.databaseUrl, { maxConnections: 1 }));
  return {
    log: createEventLog(sql, bell),
    journal: createJournal(sql, bell),
    sessions: createSessions(sql),
    leases: createLeases(sql),
    hosts: createHosts(sql),
    memory: createStepMemory(sql),
    modelCalls: createModelCalls(sql),
    variables: createVariables(sql),
    artifacts: createArtifacts(sql, join(options.home, 'artifacts')),
    checkpoints: createCheckpoints(sql),
    async ping() {
      await sql`select 1`;
    },
    async close() {
      await bell.close();
      await sql.end({ timeout: 5 });
    },
  };
}
