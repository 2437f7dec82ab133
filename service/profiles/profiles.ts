import type { Profile, ProfileDetails, ProfileId, StorageState } from '../../contracts/sessions/profile';
import type { Checkpoint } from '../../store/browsers/checkpoints';
import type { ProfileChange } from '../../store/profiles/profiles';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { ClientError } from '../port/port';
import { notFound } from '../rows/session-row';
import { fromStorageState, toStorageState } from './storage-state';

/** Signed-in states that outlive sessions. Methods may throw ClientError; `wrong-state` while a session has the profile. */
export interface Profiles {
  /** Of one tenant, or of all. */
  list(tenant?: string): Promise<Profile[]>;
  /** What it holds, without values. */
  get(id: ProfileId): Promise<ProfileDetails>;
  forget(id: ProfileId): Promise<void>;
  /** With every value: a caller must not log it. */
  exportState(id: ProfileId): Promise<StorageState>;
  /** Makes it the newest version. */
  importState(id: ProfileId, state: StorageState): Promise<ProfileDetails>;
  /** Makes an earlier version the newest one. */
  restore(id: ProfileId, version: number): Promise<ProfileDetails>;
}

export function createProfiles({ store: { profiles } }: { store: Pick<Store, 'profiles'> }): Profiles {
  const read = async (id: ProfileId) => {
    const found = await profiles.get(id);
    if (found === null) throw notFound(`There is no profile ${id.name} of the tenant ${id.tenant}.`);
    const { checkpoint, ...profile } = found;
    if (checkpoint !== null) return { checkpoint, ...profile };
    throw new ClientError(
      'wrong-state',
      'CM004',
      `The profile ${id.name} was sealed with another key: give all processes the same SUREFOOT_SECRET_KEY, or forget the profile and sign in again.`,
    );
  };
  const show = async (id: ProfileId): Promise<ProfileDetails> => {
    const { checkpoint, ...profile } = await read(id);
    return { ...profile, ...contentsOf(checkpoint) };
  };
  return {
    list: (tenant) => fromStore(() => profiles.list(tenant)),
    get: (id) => fromStore(() => show(id)),
    forget: (id) =>
      fromStore(async () => {
        if (!(await profiles.forget(id))) throw notFound(`There is no profile ${id.name} of the tenant ${id.tenant}.`);
      }),
    exportState: (id) => fromStore(async () => toStorageState((await read(id)).checkpoint)),
    importState: (id, state) =>
      fromStore(async () => {
        // A storage state has no passkeys: those of the profile stay.
        const { passkeys } = (await profiles.get(id))?.checkpoint ?? {};
        assertSaved(id, await profiles.save(id, { ...fromStorageState(state), ...(passkeys && { passkeys }) }));
        return await show(id);
      }),
    restore: (id, version) =>
      fromStore(async () => {
        const change = await profiles.restore(id, version);
        if (change.kind === 'unknown') throw notFound(`The profile ${id.name} has no version ${version}.`);
        assertSaved(id, change);
        return await show(id);
      }),
  };
}

function assertSaved({ name }: ProfileId, change: ProfileChange): void {
  if (change.kind !== 'in-use') return;
  throw new ClientError(
    'wrong-state',
    'CM004',
    `Session ${change.sessionId} has the profile ${name}, and writes it when it completes. Wait for its end, or cancel it.`,
  );
}

function contentsOf({
  cookies,
  origins,
  passkeys = [],
  omitted,
}: Checkpoint): Pick<ProfileDetails, 'cookies' | 'storage' | 'passkeys' | 'omitted'> {
  return {
    cookies: cookies.map(({ domain, name, expires }) => ({
      domain: String(domain),
      name: String(name),
      ...(typeof expires === 'number' && expires > 0 ? { expiresAt: new Date(expires * 1000) } : {}),
    })),
    storage: origins
      .filter(({ local, databases }) => local.length + databases.length > 0)
      .map(({ origin, local, databases }) => ({ origin, entries: local.length, databases: databases.length })),
    passkeys: passkeys.map(({ rpId = '', userName }) => ({
      site: rpId,
      ...(userName === undefined || userName === '' ? {} : { user: userName }),
    })),
    omitted,
  };
}
