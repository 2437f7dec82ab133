import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { requestsIn } from '../../../contracts/commands/evidence';
import { assertGapless } from '../../../service/events/follow-format';
import { lostBefore } from '../../../contracts/events/log';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';
import { takeSnapshot } from '../../support/put-back';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

const ADD = a('CLICK_ELEMENT', { selector: 'role=button[name="Add one"]' });

async function onCounter(): Promise<StagedSession> {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  return session;
}

/** Runs the commands, and has the database forget them. */
async function forget(session: StagedSession, commands: readonly PlannedCommand[]): Promise<void> {
  const snapshot = await takeSnapshot(stage.databaseUrl, session.sessionId);
  await session.did(commands);
  await snapshot.putBack();
}

const statuses = async (session: StagedSession): Promise<string[]> =>
  (await session.journal()).map(({ status }) => status);

test('a commit that the database has forgotten is not done again: it is unknown, with what the host knows', async () => {
  const session = await onCounter();
  const batch = session.plan([ADD]);
  await forget(session, batch);
  expect(await statuses(session)).toEqual(['done']);
  const { outcomes } = await session.run(batch);
  expect(outcomes).toMatchObject([{ status: 'unknown', code: 'TL004' }]);
  expect(session.count()).toBe(1);
  const entry = await session.lastEntry();
  expect(entry).toMatchObject({ status: 'unknown', evidence: { kind: 'forgotten' } });
  expect(requestsIn(entry.evidence)).toMatchObject([{ method: 'POST', status: 303 }, { method: 'GET' }]);
  expect(entry.error?.message).toMatch(/put back to an earlier time.*Requests since: POST .*\/parts\/counter/);
  const warning = (await session.log()).find(({ type }) => type === 'WARNING_ISSUED')?.data.warning;
  expect(warning).toMatchObject({
    code: 'CM002',
    message: expect.stringContaining('1 command of this session, 1 of them such'),
  });
});

test('another worker of the host, which has seen nothing, does not do it again either', async () => {
  const session = await onCounter();
  const batch = session.plan([ADD]);
  await forget(session, batch);
  const { outcomes } = await session.run(batch, { worker: 'second' });
  expect(outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(session.count()).toBe(1);
});

test('of a batch that was forgotten whole nothing is sent again, and what comes after it is skipped', async () => {
  const session = await onCounter();
  const batch = session.plan([ADD, a('EXPECT', { text: 'Count: 1' }), ADD, ADD]);
  await forget(session, batch);
  const { outcomes } = await session.run([...batch, session.plan([ADD])[0]!]);
  expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'skipped', 'skipped', 'skipped', 'skipped']);
  expect(await statuses(session)).toEqual(['done', 'unknown', 'unknown', 'unknown']);
  expect(session.count()).toBe(3);
});

test('a database that is put back in the middle of a batch is found out before the next command acts', async () => {
  const session = await onCounter();
  const batch = session.plan([ADD, a('WAIT_FOR', { seconds: 1 }), ADD]);
  const snapshot = await takeSnapshot(stage.databaseUrl, session.sessionId);
  await expect(
    session.run(batch, {
      whileRunning: async () => {
        await eventually('the first click has arrived', () => session.count() === 1);
        await snapshot.putBack();
      },
    }),
  ).rejects.toMatchObject({ type: 'StoreBehind', nonRetryable: true });
  const { outcomes } = await session.run(batch);
  expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'skipped', 'skipped']);
  expect(session.count()).toBe(1);
});

test('what was typed and forgotten is typed again, because nothing was sent for it', async () => {
  const session = await stage.newSession();
  await session.open('/parts/form');
  const batch = session.plan([a('INPUT_TEXT', { selector: '#name', text: 'Ada' })]);
  await forget(session, batch);
  expect((await session.run(batch)).outcomes).toMatchObject([{ status: 'done' }]);
  expect(await statuses(session)).toEqual(['done', 'done']);
});

test('what was typed before a forgotten click of its batch is done: the batch had gone on behind it', async () => {
  const session = await stage.newSession();
  await session.open('/parts/form');
  const batch = session.plan([
    a('INPUT_TEXT', { selector: '#name', text: 'Ada' }),
    a('CLICK_ELEMENT', { selector: '#name' }),
  ]);
  await forget(session, batch);
  expect((await session.run(batch)).outcomes).toMatchObject([{ status: 'done' }, { status: 'unknown' }]);
  expect(await statuses(session)).toEqual(['done', 'done', 'unknown']);
});

test('a lease that the database has forgotten is given to nobody: two workers never have the same epoch', async () => {
  const session = await onCounter();
  const snapshot = await takeSnapshot(stage.databaseUrl, session.sessionId);
  await session.did([a('GET_DOM')], { worker: 'second' });
  const known = session.lease!.epoch;
  await snapshot.putBack();
  expect((await stage.store.leases.get(session.sessionId))?.epoch).toBe(known - 1);
  await session.did([a('GET_DOM')], { worker: 'third' });
  expect(session.lease!.epoch).toBeGreaterThan(known);
});

test('a session that lost nothing goes on beside one that did', async () => {
  const [lost, kept] = [await onCounter(), await onCounter()];
  await forget(lost, lost.plan([ADD]));
  await kept.did([ADD]);
  expect(await statuses(kept)).toEqual(['done', 'done']);
  expect(kept.count()).toBe(1);
});

test('numbers of the log that were lost are not given to other records', async () => {
  const session = await onCounter();
  const batch = session.plan([ADD]);
  await forget(session, batch);
  const seen = (await session.log()).at(-1)!.seq + 3;
  await session.run(batch);
  const log = await session.log();
  const index = log.findIndex(({ type }) => type === 'WARNING_ISSUED');
  expect(log[index]!.seq).toBeGreaterThan(seen + 100);
  expect(lostBefore(log[index]!)).toEqual({ lostFrom: log[index - 1]!.seq + 1, lostTo: log[index]!.seq - 1 });
  // Every format reads on, from before the loss and from within it.
  for (const after of [log[index - 1]!.seq, seen]) expect(() => assertGapless(log.slice(index), after)).not.toThrow();
  expect(() => assertGapless(log.slice(index), log[index - 1]!.seq - 1)).toThrow(/are gone/);
});

test('the notes of a host are its own: a folder and files that no other user reads', () => {
  const folder = join(stage.home, 'witness');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});
