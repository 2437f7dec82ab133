import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { partyOf, type Party } from '../../contracts/modules/compatibility';
import { VersionRefusal } from '../../store/processes';
import type { Store } from '../../store/store';
import { aSession } from '../support/builders';
import { openStore } from '../../store/store';
import { startTestStack, type TestStack } from '../support/stack';

let stack: TestStack;
let store: Store;
let sql: postgres.Sql;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
  sql = postgres(stack.databaseUrl, { max: 1 });
});
afterAll(async () => {
  await sql.end();
  await stack.stop();
});
beforeEach(async () => {
  await sql`delete from processes`;
});

/** Of a version that has never heard of ours. */
const foreign = (moduleId: string): Party => ({ ...partyOf(moduleId, '3.0.0'), supports: {} });

const refusalOf = (joining: Promise<unknown>): Promise<string> =>
  joining.then(
    () => 'joined',
    (error: unknown) => (error instanceof VersionRefusal ? `${error.code}: ${error.message}` : String(error)),
  );

test('processes of one version join each other, as often as they like', async () => {
  const id = randomUUID();
  for (const moduleId of ['frontend-api', 'step-processor', 'executor'])
    expect(await store.processes.join(randomUUID(), partyOf(moduleId))).toEqual([]);
  expect(await store.processes.join(id, partyOf('executor'))).toEqual([]);
  expect(await store.processes.join(id, partyOf('executor'))).toEqual([]);
  const [row] = await sql`select count(*)::int as n from processes`;
  expect(row).toEqual({ n: 4 });
});

test('a process whose version does not fit those that run is refused, with their versions', async () => {
  await store.processes.join(randomUUID(), partyOf('step-processor'));
  const refusal = await refusalOf(store.processes.join(randomUUID(), foreign('frontend-api')));
  expect(refusal).toMatch(/^SM003: frontend-api \(3\.0\.0\) and step-processor \(1\.0\.0\)/);
  expect(refusal).toContain('Run all processes in one version');
});

test('of two that do not fit and start at once, exactly one gets in', async () => {
  const [old, recent] = [partyOf('step-processor'), foreign('frontend-api')];
  const outcomes = await Promise.all(
    [old, recent, old, recent].map((party) => refusalOf(store.processes.join(randomUUID(), party))),
  );
  const joined = outcomes.map((text) => text === 'joined');
  expect(joined[0]).toBe(joined[2]);
  expect(joined[1]).toBe(joined[3]);
  expect(joined[0]).not.toBe(joined[1]);
});

test('a process that seals secrets with another key is refused while one runs, and says what to set', async () => {
  await store.processes.join(randomUUID(), partyOf('frontend-api'));
  const other = await openStore({ databaseUrl: stack.databaseUrl, home: stack.home, secretKey: 'k'.repeat(32) });
  const joining = other.processes.join(randomUUID(), partyOf('executor'));
  await expect(joining).rejects.toThrow(
    /^This executor has another secret key than a frontend-api that runs.*Give all processes the same SUREFOOT_SECRET_KEY/,
  );
  await other.close();
});

test('a process that has left, or was not seen for long, refuses nobody', async () => {
  const first = randomUUID();
  await store.processes.join(first, foreign('executor'));
  expect(await refusalOf(store.processes.join(randomUUID(), partyOf('executor')))).toContain('SM003');
  await store.processes.leave(first);
  await store.processes.join(randomUUID(), foreign('executor'));
  await sql`update processes set seen_at = seen_at - interval '1 minute'`;
  expect(await refusalOf(store.processes.join(randomUUID(), partyOf('executor')))).toBe('joined');
});

test('an open session of another version keeps a process out, until it has ended', async () => {
  const sessionId = await aSession(store);
  expect((await store.sessions.get(sessionId))?.version).toBe('1.0.0');
  await sql`update sessions set version = '2.0.0' where session_id = ${sessionId}`;
  expect(await refusalOf(store.processes.join(randomUUID(), partyOf('executor')))).toMatch(
    /1 open sessions \(2\.0\.0\)/,
  );
  await sql`update sessions set closed = true where session_id = ${sessionId}`;
  expect(await refusalOf(store.processes.join(randomUUID(), partyOf('executor')))).toBe('joined');
});
