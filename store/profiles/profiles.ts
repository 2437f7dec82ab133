import {
  PROFILE_IDLE_HOURS,
  type Profile,
  type ProfileId,
  type SessionProfile,
} from '../../contracts/sessions/profile';
import { DEFAULT_TENANT } from '../../contracts/sessions/start-request';
import { checkpointPlace, profilePlace } from '../browsers/checkpoint-place';
import type { Checkpoint } from '../browsers/checkpoints';
import type { Sql, Transaction } from '../database/connect';
import { withRefusals } from '../database/refusals';
import { withoutNulls } from '../database/rows';
import type { Sealer } from '../database/sealer';
import { toFreshBrowser } from './fresh-browser';

/** `held`: another open session has the profile. `unreadable`: it was sealed with another key. Version 0: there is no state yet. */
export type ProfileLease =
  | { kind: 'leased' | 'copied'; version: number }
  | { kind: 'held'; sessionId: string; title: string }
  | { kind: 'unreadable' };

/** `in-use`: an open session has it and writes it back. */
export type ProfileChange =
  { kind: 'saved'; version: number } | { kind: 'in-use'; sessionId: string } | { kind: 'unknown' };

export interface ProfileState {
  /** Null when it was sealed with another key. It holds whatever pages store: never log it. */
  checkpoint: Checkpoint | null;
  versions: { version: number; savedAt: Date; sessionId?: string }[];
}

/** Signed-in states that outlive sessions. They are written back by the database itself, when a session completes. */
export interface Profiles {
  /**
   * Gives the session its profile, for its first browser to begin with. Harmless to repeat. A session that has a checkpoint
   * already goes on with that, as with a copy. Throws StoreRefusal when the session belongs to another run.
   */
  lease(sessionId: string, runId: string, profile: SessionProfile): Promise<ProfileLease>;
  /** By name; of one tenant, or of all. */
  list(tenant?: string): Promise<Profile[]>;
  get(id: ProfileId): Promise<(Profile & ProfileState) | null>;
  /** Writes the next version. */
  save(id: ProfileId, checkpoint: Checkpoint): Promise<ProfileChange>;
  /** Makes an earlier version the newest one. */
  restore(id: ProfileId, version: number): Promise<ProfileChange>;
  /** Deletes every version, and what checkpoints of ended sessions have of it. An open session writes nothing back. False where there is none. */
  forget(id: ProfileId): Promise<boolean>;
}

export function createProfiles(sql: Sql, sealer: Sealer): Profiles {
  const openState = (id: ProfileId, state: string): Checkpoint | null => {
    const text = sealer.open(state, placeOf(id));
    return text === null ? null : (JSON.parse(text) as Checkpoint);
  };
  return {
    lease: (sessionId, runId, { name, whenInUse }) =>
      withRefusals(
        sql.begin(async (tx): Promise<ProfileLease> => {
          const [session] = await tx<{ tenant: string }[]>`
            select coalesce(plan->>'tenant', ${DEFAULT_TENANT}) as tenant
            from guarded_session(${sessionId}, ${tx.json({ runId })})`;
          const id = { tenant: session!.tenant, name };
          await lock(tx, id);
          const [own] = await tx<{ isCopy: boolean; version: number }[]>`
            select is_copy, version from profile_leases where session_id = ${sessionId}`;
          if (own !== undefined) return { kind: own.isCopy ? 'copied' : 'leased', version: own.version };
          const [{ hasState } = { hasState: false }] = await tx<{ hasState: boolean }[]>`
            select exists (select from checkpoints where session_id = ${sessionId}) as has_state`;
          const held = hasState ? undefined : await holderOf(tx, id);
          if (held !== undefined && whenInUse === 'wait') return { kind: 'held', ...held };
          const newest = await newestOf(tx, id);
          const isCopy = hasState || held !== undefined;
          if (newest !== undefined && !hasState) {
            const checkpoint = openState(id, newest.state);
            if (checkpoint === null) return { kind: 'unreadable' };
            const place = checkpointPlace(sessionId, keyOf(id));
            await tx`
              insert into checkpoints (session_id, browser_id, epoch, checkpoint)
              values (${sessionId}, '', 0, ${sealer.seal(JSON.stringify(toFreshBrowser(checkpoint)), place)})`;
          }
          const version = newest?.version ?? 0;
          await tx`
            insert into profile_leases (session_id, tenant, name, version, is_copy)
            values (${sessionId}, ${id.tenant}, ${name}, ${version}, ${isCopy})`;
          return { kind: isCopy ? 'copied' : 'leased', version };
        }),
      ),
    async list(tenant) {
      return await selectProfiles(sql, tenant === undefined ? sql`` : sql`where tenant = ${tenant}`);
    },
    async get(id) {
      const [profile] = await selectProfiles(sql, sql`where tenant = ${id.tenant} and name = ${id.name}`);
      if (profile === undefined) return null;
      const rows = await sql<{ version: number; savedAt: Date; sessionId: string | null; state: string | null }[]>`
        select version, saved_at, session_id, case when version = ${profile.version} then state end as state
        from profile_versions where tenant = ${id.tenant} and name = ${id.name} order by version desc`;
      const [newest] = rows;
      const versions = rows.map(({ state: _state, sessionId, ...row }) => ({
        ...row,
        ...(sessionId === null ? {} : { sessionId }),
      }));
      const checkpoint = newest?.state == null ? EMPTY : openState(id, newest.state);
      return { ...profile, checkpoint, versions };
    },
    save: (id, checkpoint) =>
      change(sql, id, async (tx) => {
        const state = sealer.seal(JSON.stringify(checkpoint), placeOf(id));
        return await tx<{ version: number }[]>`
          insert into profile_versions (tenant, name, version, state)
          values (${id.tenant}, ${id.name}, next_profile_version(${id.tenant}, ${id.name}), ${state}) returning version`;
      }),
    restore: (id, version) =>
      change(
        sql,
        id,
        (tx) => tx<{ version: number }[]>`
          insert into profile_versions (tenant, name, version, state)
          select tenant, name, next_profile_version(tenant, name), state from profile_versions
          where tenant = ${id.tenant} and name = ${id.name} and version = ${version} returning version`,
      ),
    forget: (id) =>
      sql.begin(async (tx) => {
        await lock(tx, id);
        const { count: leases } = await tx`
          update profile_leases set is_copy = true where tenant = ${id.tenant} and name = ${id.name} and not is_copy`;
        const { count: versions } = await tx`
          delete from profile_versions where tenant = ${id.tenant} and name = ${id.name}`;
        const ended = tx`select session_id from sessions where profile_key = ${keyOf(id)} and closed`;
        await tx`delete from checkpoints where session_id in (${ended})`;
        await tx`delete from step_checkpoints where session_id in (${ended})`;
        return leases + versions > 0;
      }),
  };
}

const EMPTY: Checkpoint = { cookies: [], origins: [], tabs: [], omitted: [] };

const keyOf = ({ tenant, name }: ProfileId): string => `${tenant}/${name}`;
const placeOf = (id: ProfileId): string => profilePlace(keyOf(id));

/** Until the end of the transaction nobody else leases or changes the profile; a session that ends needs no lock, its lease is one. */
async function lock(tx: Transaction, id: ProfileId): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('profile'), hashtext(${keyOf(id)}))`;
}

/** The session that has the profile. One that was idle for too long goes on with a copy from now on. */
async function holderOf(tx: Transaction, { tenant, name }: ProfileId) {
  await tx`
    update profile_leases l set is_copy = true from sessions s
    where l.session_id = s.session_id and tenant = ${tenant} and name = ${name} and not is_copy
      and s.last_activity < clock_timestamp() - ${PROFILE_IDLE_HOURS} * interval '1 hour'`;
  const [holder] = await tx<{ sessionId: string; title: string }[]>`
    select session_id, title from profile_leases join sessions using (session_id)
    where tenant = ${tenant} and name = ${name} and not is_copy`;
  return holder;
}

async function newestOf(tx: Transaction, { tenant, name }: ProfileId) {
  const [newest] = await tx<{ version: number; state: string }[]>`
    select version, state from profile_versions where tenant = ${tenant} and name = ${name}
    order by version desc limit 1`;
  return newest;
}

async function change(
  sql: Sql,
  id: ProfileId,
  write: (tx: Transaction) => Promise<readonly { version: number }[]>,
): Promise<ProfileChange> {
  return await sql.begin(async (tx): Promise<ProfileChange> => {
    await lock(tx, id);
    const holder = await holderOf(tx, id);
    if (holder !== undefined) return { kind: 'in-use', sessionId: holder.sessionId };
    const [written] = await write(tx);
    return written === undefined ? { kind: 'unknown' } : { kind: 'saved', version: written.version };
  });
}

async function selectProfiles(sql: Sql, where: ReturnType<Sql>): Promise<Profile[]> {
  const rows = await sql<Profile[]>`
    select tenant, name, coalesce(version, 0) as version, saved_at, session_id as used_by from (
      select distinct on (tenant, name) tenant, name, version, saved_at from profile_versions
      order by tenant, name, version desc) v
    full join (select tenant, name, session_id from profile_leases where not is_copy) l using (tenant, name)
    ${where} order by tenant, name`;
  return rows.map((row) => withoutNulls(row) as Profile);
}
