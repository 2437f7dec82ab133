import type { Sql } from '../database/connect';
import { isSealed, type Sealer } from '../database/sealer';
import { checkpointPlace } from './checkpoint-place';

/** The state of a session's browser before each of its steps, with the snapshot of its page. */
export interface StepCheckpoints {
  /** Keeps the present state as the one before a step; what is kept of the step already stays. */
  keep(sessionId: string, stepIndex: number): Promise<void>;
  /** The state before a step, for another session; null where none is kept, or none can be read. */
  find(sessionId: string, stepIndex: number): Promise<ForkPoint | null>;
  /** Gives it to a session that has no browser yet: the first one that it gets is restored from it. */
  seed(sessionId: string, point: ForkPoint): Promise<void>;
}

export interface ForkPoint {
  browserId: string;
  /** JSON. It holds whatever pages store: never log it. */
  checkpoint: string;
  /** The session that it is of has secrets, which its pages may have stored. */
  hasSecrets: boolean;
  snapshot: unknown;
}

export function createStepCheckpoints(sql: Sql, sealer: Sealer): StepCheckpoints {
  return {
    async keep(sessionId, stepIndex) {
      await sql`
        insert into step_checkpoints (session_id, step_index, browser_id, checkpoint, snapshot)
        select c.session_id, ${stepIndex}, c.browser_id, c.checkpoint, s.newest
        from checkpoints c join page_snapshots s using (session_id)
        where c.session_id = ${sessionId} on conflict do nothing`;
    },
    async find(sessionId, stepIndex) {
      // A step that ran nothing has left the state to the next one.
      const [found] = await sql<
        { browserId: string; checkpoint: string; snapshot: unknown; profileKey: string | null }[]
      >`
        select browser_id, checkpoint, snapshot, profile_key from step_checkpoints join sessions using (session_id)
        where session_id = ${sessionId} and step_index >= ${stepIndex} order by step_index limit 1`;
      if (found === undefined) return null;
      const { profileKey, ...row } = found;
      const hasSecrets = isSealed(row.checkpoint);
      const place = checkpointPlace(sessionId, profileKey);
      const checkpoint = hasSecrets ? sealer.open(row.checkpoint, place) : row.checkpoint;
      return checkpoint === null ? null : { ...row, checkpoint, hasSecrets };
    },
    async seed(sessionId, { browserId, checkpoint, hasSecrets, snapshot }) {
      await sql.begin(async (tx) => {
        const [session] = await tx<{ profileKey: string | null }[]>`
          select profile_key from sessions where session_id = ${sessionId}`;
        const place = checkpointPlace(sessionId, session?.profileKey ?? null);
        const shown = hasSecrets ? sealer.seal(checkpoint, place) : checkpoint;
        await tx`
          insert into checkpoints (session_id, browser_id, epoch, checkpoint)
          values (${sessionId}, ${browserId}, 0, ${shown}) on conflict do nothing`;
        await tx`
          insert into page_snapshots (session_id, newest)
          values (${sessionId}, ${tx.json(snapshot as never)}) on conflict do nothing`;
      });
    },
  };
}
