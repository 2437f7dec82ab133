import { compatibilityOf, storedSession, type Party } from '../contracts/modules/compatibility';
import { withReadTimeout } from './database/read-timeout';
import type { Sql } from './database/connect';

/** One that has not been seen for so long is gone; the database's clock decides. */
const GONE_AFTER_MS = 15_000;
/** The key of an advisory lock of ours alone: a process that joins sees all that have joined before. */
const JOINING = 0x5f0071;

/** A process may not work beside those that run. */
export class MembershipRefusal extends Error {}

/** SM003: versions that do not fit each other have met. */
export class VersionRefusal extends MembershipRefusal {
  readonly code = 'SM003';
}

/** The processes of the system that run now, so that versions which do not fit are found before they work together. */
export interface Processes {
  /**
   * Enters the process, or says again that it lives. Throws VersionRefusal when one that runs, or a session that is
   * open, is of a version that it can't work with, and MembershipRefusal when one that runs seals secrets with another key;
   * resolves to the warnings about deprecated versions.
   */
  join(processId: string, self: Party): Promise<string[]>;
  leave(processId: string): Promise<void>;
  /** The modules that some process which lives says it carries. */
  running(): Promise<string[]>;
  /** How many that live carry each module, by version. */
  counts(): Promise<ProcessCount[]>;
}

export interface ProcessCount {
  moduleId: string;
  version: string;
  count: number;
}

export function createProcesses(sql: Sql, keyId: () => string): Processes {
  return {
    join: (processId, self) =>
      sql.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(${JOINING})`;
        await tx`delete from processes where seen_at < clock_timestamp() - ${GONE_AFTER_MS} * interval '1 millisecond'`;
        const peers = await tx<(Omit<Party, 'name'> & { keyId: string })[]>`
          select module_id, version, supports, key_id from processes where process_id <> ${processId}`;
        const stranger = peers.find((peer) => peer.keyId !== keyId());
        if (stranger !== undefined) throw new MembershipRefusal(otherKey(self.moduleId, stranger.moduleId));
        const sessions = await tx<
          { version: string; n: number }[]
        >`select version, count(*) as n from sessions where not closed group by version`;
        const others: Party[] = [
          ...peers.map((peer) => ({ ...peer, name: peer.moduleId })),
          ...sessions.map(({ version, n }) => storedSession(`${n} open sessions`, version)),
        ];
        const verdicts = others.map((other) => compatibilityOf(self, other));
        const refusals = verdicts.flatMap((verdict) => (verdict.kind === 'incompatible' ? [verdict.message] : []));
        if (refusals.length > 0) throw new VersionRefusal(`${[...new Set(refusals)].join(' ')} ${ADVICE}`);
        await tx`
          insert into processes (process_id, module_id, version, supports, key_id)
          values (${processId}, ${self.moduleId}, ${self.version}, ${tx.json(self.supports as never)}, ${keyId()})
          on conflict (process_id) do update set seen_at = clock_timestamp()`;
        return [...new Set(verdicts.flatMap((verdict) => (verdict.kind === 'deprecated' ? [verdict.message] : [])))];
      }),
    async leave(processId) {
      await sql`delete from processes where process_id = ${processId}`;
    },
    async running() {
      const rows = await withReadTimeout(sql<{ moduleId: string }[]>`
        select distinct module_id from processes
        where seen_at >= clock_timestamp() - ${GONE_AFTER_MS} * interval '1 millisecond'`);
      return rows.map((row) => row.moduleId);
    },
    async counts() {
      return await withReadTimeout(sql<ProcessCount[]>`
        select module_id, version, count(*) as count from processes
        where seen_at >= clock_timestamp() - ${GONE_AFTER_MS} * interval '1 millisecond'
        group by module_id, version order by module_id, version`);
    },
  };
}

function otherKey(self: string, other: string): string {
  return (
    `This ${self} has another secret key than a ${other} that runs, so neither could open what the other seals. ` +
    'Give all processes the same SUREFOOT_SECRET_KEY (32 random characters or more); without it each SUREFOOT_HOME has a key of its own.'
  );
}

const ADVICE = 'Run all processes in one version, and let the open sessions of another one end in that version first.';
