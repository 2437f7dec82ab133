import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { KEPT_VERSIONS, sessionProfile, type ProfileId } from '../../../contracts/sessions/profile';
import { secretValues, type SecretInput } from '../../../contracts/sessions/secrets';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { Checkpoint } from '../../../store/browsers/checkpoints';
import type { Store } from '../../../store/store';
import { aPlan, aSession } from '../../support/builders';
import { everyRow } from '../../support/every-row';
import type { TestStack } from '../../support/stack';
import { RUN_ID, useStoreSession } from '../../support/store-session';

const { COMPLETED, FAILED, CANCELLED } = SessionStatus;

let stack: TestStack;
let store: Store;
let id: ProfileId;
useStoreSession((ready) => {
  ({ stack, store } = ready);
  id = { tenant: 'default', name: randomUUID() };
});

const signedIn = (value: string): Checkpoint => ({
  cookies: [{ name: 'sid', value, domain: 'acme.test', path: '/', expires: -1 }],
  origins: [{ origin: 'https://acme.test', local: [['token', value]], databases: [] }],
  tabs: [
    {
      targetId: 't',
      url: 'https://acme.test/sign-out',
      isFront: true,
      session: [{ origin: 'https://acme.test', entries: [['tab', value]] }],
      scroll: { x: 0, y: 9 },
      fields: [{ key: 'k', nth: 0, value: 'typed' }],
    },
  ],
  omitted: [],
});
const valueOf = (state: Checkpoint | null | undefined): unknown => state?.cookies[0]?.['value'];

async function begin({ tenant, name } = id): Promise<string> {
  return await aSession(store, {
    plan: aPlan({ steps: ['Open the shop'], profile: name, tenant }),
    runId: RUN_ID,
    isActive: true,
  });
}

const lease = (sessionId: string, whenInUse: 'wait' | 'copy' = 'wait', { name } = id) =>
  store.profiles.lease(sessionId, RUN_ID, { ...sessionProfile(name), whenInUse });

/** As the first browser of the session leaves it. */
async function browse(sessionId: string, state: Checkpoint): Promise<void> {
  const { epoch } = await store.leases.acquire(sessionId, { runId: RUN_ID }, 'host', 'worker');
  await store.checkpoints.save(sessionId, { runId: RUN_ID, epoch }, { browserId: 'b', checkpoint: state });
}

async function end(sessionId: string, status: SessionStatus = COMPLETED): Promise<void> {
  await store.log.append(sessionId, [], { guard: { runId: RUN_ID }, patch: { status, closed: true } });
}

/** A session that signs in, and ends. */
async function sessionThat(value: string, status?: SessionStatus): Promise<string> {
  const sessionId = await begin();
  expect(await lease(sessionId)).toMatchObject({ kind: 'leased' });
  await browse(sessionId, signedIn(value));
  await end(sessionId, status);
  return sessionId;
}

const stored = (sessionId: string) => store.checkpoints.get(sessionId);

test('a session begins with what the one before it has left, on an empty page', async () => {
  const first = await sessionThat('one');
  const second = await begin();
  expect(await lease(second)).toEqual({ kind: 'leased', version: 1 });
  expect(await lease(second)).toEqual({ kind: 'leased', version: 1 });
  const state = await stored(second);
  expect(state).toMatchObject({ browserId: '', checkpoint: { cookies: [{ value: 'one' }] } });
  expect(state!.checkpoint.tabs).toEqual([
    expect.objectContaining({ url: 'about:blank', fields: [], session: signedIn('one').tabs[0]!.session }),
  ]);
  expect((await store.profiles.get(id))!.versions).toMatchObject([{ version: 1, sessionId: first }]);
});

test('a session that has failed or was cancelled leaves the profile as it was', async () => {
  await sessionThat('good');
  await sessionThat('signed out', FAILED);
  await sessionThat('signed out', CANCELLED);
  const profile = await store.profiles.get(id);
  expect([valueOf(profile!.checkpoint), profile!.version, profile!.usedBy]).toEqual(['good', 1, undefined]);
});

test('a session that never had a browser writes no version', async () => {
  await sessionThat('good');
  const idle = await begin();
  await lease(idle);
  await end(idle);
  expect((await store.profiles.get(id))!.version).toBe(1);
});

test('one session at a time has a profile; another one waits, or has a copy that is not written back', async () => {
  await sessionThat('one');
  const [holder, waits, copies] = [await begin(), await begin(), await begin()];
  await lease(holder);
  expect(await lease(waits)).toEqual({ kind: 'held', sessionId: holder, title: 'Open the shop' });
  expect(await lease(copies, 'copy')).toEqual({ kind: 'copied', version: 1 });
  expect(valueOf((await stored(copies))!.checkpoint)).toBe('one');
  await browse(copies, signedIn('of the copy'));
  await end(copies);
  expect(await store.profiles.get(id)).toMatchObject({ version: 1, usedBy: holder });
  await browse(holder, signedIn('two'));
  await end(holder);
  expect(await lease(waits)).toEqual({ kind: 'leased', version: 2 });
  expect(valueOf((await stored(waits))!.checkpoint)).toBe('two');
});

test('of sessions that ask at the same moment one has the profile, and no version is lost', async () => {
  // Seeded: which sessions fail, and on which of ten profiles each works.
  let seed = 7;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const names = Array.from({ length: 10 }, () => ({ tenant: 'default', name: randomUUID() }));
  const completed = new Map<string, number>();
  const work = async (profile: ProfileId, fails: boolean): Promise<void> => {
    const sessionId = await begin(profile);
    while ((await lease(sessionId, 'wait', profile)).kind === 'held');
    const count = Number(valueOf((await stored(sessionId))?.checkpoint) ?? 0);
    await browse(sessionId, signedIn(String(count + 1)));
    await end(sessionId, fails ? FAILED : COMPLETED);
    if (!fails) completed.set(profile.name, (completed.get(profile.name) ?? 0) + 1);
  };
  const lines = Array.from({ length: 8 }, () =>
    Array.from({ length: 25 }, () => ({ profile: names[Math.floor(random() * 10)]!, fails: random() < 0.3 })),
  );
  await Promise.all(
    lines.map(async (line) => {
      for (const { profile, fails } of line) await work(profile, fails);
    }),
  );
  for (const profile of names) {
    const found = await store.profiles.get(profile);
    const count = completed.get(profile.name)!;
    expect([found!.version, valueOf(found!.checkpoint)]).toEqual([count, String(count)]);
  }
}, 60_000);

test('the profile of another tenant is another one, and its row opens nowhere else', async () => {
  await sessionThat('secret of default');
  const stranger = await begin({ tenant: 'stranger', name: id.name });
  expect(await lease(stranger)).toEqual({ kind: 'leased', version: 0 });
  expect(await stored(stranger)).toBeNull();
  await end(stranger);
  const sql = postgres(stack.databaseUrl, { max: 1 });
  await sql`insert into profile_versions (tenant, name, version, state)
    select 'stranger', name, version, state from profile_versions where name = ${id.name}`;
  await sql.end();
  expect((await store.profiles.get({ ...id, tenant: 'stranger' }))!.checkpoint).toBeNull();
  expect(await lease(await begin({ tenant: 'stranger', name: id.name }))).toEqual({ kind: 'unreadable' });
});

test('an open session that was idle for a day does not keep others from the profile, nor write it', async () => {
  await sessionThat('one');
  const idle = await begin();
  await lease(idle);
  await browse(idle, signedIn('of the idle one'));
  const sql = postgres(stack.databaseUrl, { max: 1 });
  await sql`update sessions set last_activity = now() - interval '25 hours' where session_id = ${idle}`;
  await sql.end();
  expect(await lease(await begin())).toEqual({ kind: 'leased', version: 1 });
  await end(idle);
  expect(valueOf((await store.profiles.get(id))!.checkpoint)).toBe('one');
});

test('what is forgotten is in no row any more, and the session that has it does not write it', async () => {
  const value = `forget ${randomUUID()}`;
  const ended = await sessionThat(value);
  const open = await begin();
  await lease(open);
  expect(await store.profiles.forget(id)).toBe(true);
  expect(await store.profiles.forget(id)).toBe(false);
  expect(await stored(ended)).toBeNull();
  await browse(open, signedIn(value));
  await end(open);
  expect(await store.profiles.get(id)).toBeNull();
});

test('the state is sealed in every row', async () => {
  const value = `value ${randomUUID()}`;
  await sessionThat(value);
  await lease(await begin());
  expect((await everyRow(stack.databaseUrl)).filter((row) => row.includes(value))).toEqual([]);
});

test('it is changed by hand only while no session has it; ten versions are kept, and each can come back', async () => {
  for (let number = 1; number <= KEPT_VERSIONS + 2; number += 1)
    expect(await store.profiles.save(id, signedIn(`v${number}`))).toEqual({ kind: 'saved', version: number });
  expect((await store.profiles.get(id))!.versions.map(({ version }) => version)).toEqual([
    12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
  ]);
  expect(await store.profiles.restore(id, 3)).toEqual({ kind: 'saved', version: 13 });
  expect(valueOf((await store.profiles.get(id))!.checkpoint)).toBe('v3');
  expect(await store.profiles.restore(id, 3)).toEqual({ kind: 'unknown' });
  const sessionId = await begin();
  await lease(sessionId);
  expect(await store.profiles.save(id, signedIn('other'))).toEqual({ kind: 'in-use', sessionId });
  expect(await store.profiles.restore(id, 12)).toEqual({ kind: 'in-use', sessionId });
});

test('an exclusive secret is used by one open session of a tenant, however it is named', async () => {
  const at = { origins: ['https://acme.test'], exclusive: true };
  const value = { password: { value: 'hunter2-hunter', ...at } };
  const begun = async (secrets: Record<string, SecretInput>, tenant?: string) => {
    const sessionId = randomUUID();
    const plan = aPlan({ steps: ['Open the shop'], secrets, ...(tenant === undefined ? {} : { tenant }) });
    await store.sessions.create({ sessionId, workflowId: sessionId, plan, secretValues: secretValues({ secrets }) });
    await store.sessions.assignRun(sessionId, RUN_ID, undefined);
    await store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
    return sessionId;
  };
  const leased = (sessionId: string) => store.secretLeases.lease(sessionId, RUN_ID);
  const sessions = await Promise.all(
    [
      value,
      { pin: { env: 'PIN', ...at }, login: { value: 'hunter2-hunter', ...at } },
      { other: { env: 'PIN', ...at } },
      { shared: { value: 'hunter2-hunter', origins: at.origins } },
    ].map((secrets) => begun(secrets as Record<string, SecretInput>)),
  );
  const [first, second, third, shared] = sessions as [string, string, string, string];
  expect([await leased(first), await leased(first), await leased(shared)]).toEqual([
    { kind: 'leased' },
    { kind: 'leased' },
    { kind: 'leased' },
  ]);
  expect(await leased(second)).toEqual({ kind: 'held', alias: 'login', sessionId: first, title: 'Open the shop' });
  // One that waits has none of its secrets.
  expect(await leased(third)).toEqual({ kind: 'leased' });
  expect(await leased(await begun(value, 'other-tenant'))).toEqual({ kind: 'leased' });
  await end(first, FAILED);
  expect(await leased(second)).toMatchObject({ kind: 'held', alias: 'pin', sessionId: third });
  await end(third);
  const raced = await Promise.all([leased(second), leased(await begun(value))]);
  expect(raced.map(({ kind }) => kind).sort()).toEqual(['held', 'leased']);
  await expect(store.secretLeases.lease(second, 'another-run')).rejects.toMatchObject({ reason: 'superseded' });
  expect((await everyRow(stack.databaseUrl)).join()).not.toContain('hunter2-hunter');
});
