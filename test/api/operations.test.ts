/** The figures for whoever operates the system, from the real database. */
import type { Operations } from '../../contracts/modules/operations';
import { connect } from '../../store/database/connect';
import { aFailure, anOpenBreaker, aPaidSession, aRunningSystem, inTheQueue } from '../support/operations-figures';
import { aSession, bodyOf, startTestApi, type TestApi } from './fixture';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(() => api.stop());

async function figures(query = ''): Promise<Operations> {
  const response = await api.app.request(`/v1/operations${query}`);
  expect(response.status).toBe(200);
  return (await bodyOf(response)).data as Operations;
}

const kinds = ({ troubles }: Operations): string[] => troubles.map(({ kind }) => kind);

test('without processes and hosts it says that nothing goes on, and what to start', async () => {
  const found = await figures();
  expect(kinds(found)).toEqual(['no-engine-worker', 'no-browser-worker', 'no-host']);
  expect(found.troubles[0]).toMatchObject({ severity: 'bad', action: expect.stringContaining('surefoot worker') });
  expect(found).toMatchObject({ hosts: [], processes: [], queue: { waiting: 0 }, failures: [], spent: [] });
});

test('a full queue, an open breaker and a person who is needed are named with what to do', async () => {
  await aRunningSystem(api.store, { browsers: 4, capacity: 4 });
  await inTheQueue(api.store, 5 * 60_000);
  await anOpenBreaker(api.store, 'ai:openai/gpt-5');
  const paused = await aSession(api.store, { steps: ['Look'] });
  const waitingFor = { pausedFor: 'message' as const };
  await api.store.log.append(paused, [], { patch: { status: 'ACTIVE' as never } });
  await api.store.log.append(paused, [], { patch: { status: 'PAUSED' as never, waitingFor: waitingFor as never } });
  const found = await figures();
  expect(kinds(found)).toEqual(['browsers-used-up', 'breaker-open', 'person-needed']);
  expect(found.troubles[0]!.message).toBe(
    '1 session waits for a browser, the longest for 5 min: all 4 browsers are in use.',
  );
  expect(found).toMatchObject({
    hosts: [{ hostId: 'host-a', reports: true, browsers: 4, capacity: 4 }],
    processes: expect.arrayContaining(
      ['engine', 'browser', 'api'].map((role) => expect.objectContaining({ role, count: 1 })),
    ),
    models: [{ model: 'ai:openai/gpt-5', state: 'open', failures: 1 }],
    sessions: { open: 3, waitingForPerson: [{ waitsFor: 'message', count: 1 }] },
  });
  await aRunningSystem(api.store, { browsers: 1, capacity: 4 });
  expect((await figures()).troubles[0]).toMatchObject({ kind: 'queue-stands', severity: 'bad' });
});

test('browsers in use and waited for are noted by the minute, and an hour has the most of them', async () => {
  const sql = connect(api.stack.databaseUrl);
  await aRunningSystem(api.store, { browsers: 3, capacity: 4 });
  await inTheQueue(api.store, 60_000);
  await api.store.operations.noteBrowserUse();
  await api.store.operations.noteBrowserUse();
  expect(await sql`select browsers, waiting from browser_use`).toEqual([{ browsers: 3, waiting: 1 }]);
  for (const [ago, browsers] of [
    ['0 hours', 7],
    ['1 hour', 5],
    ['40 days', 9],
  ] as const)
    await sql`
      insert into browser_use (minute, browsers, waiting)
      values (date_trunc('hour', now()) + interval '1 second' - ${ago}::interval, ${browsers}, 0)`;
  const hours = (await figures('?period=day')).history.map(({ browsers, browsersWaiting }) => [
    browsers,
    browsersWaiting,
  ]);
  expect(hours.slice(-3)).toEqual([
    [0, 0],
    [5, 0],
    [7, 1],
  ]);
  // Of all tenants, like the hosts.
  expect((await figures('?period=month&tenant=acme')).history.at(-1)).toMatchObject({ browsersWaiting: 1 });
  await sql`delete from browser_use where browsers = 3`;
  await api.store.operations.noteBrowserUse();
  expect(await sql`select from browser_use where browsers = 9`).toEqual([]);
  await sql.end();
});

test('cost, tokens and failures are summed by day, by model and by code, of one tenant or of all', async () => {
  await aRunningSystem(api.store, { browsers: 0, capacity: 4 });
  await aPaidSession(api.store, { cost: '0.10000000000000000001' });
  await aPaidSession(api.store, { cost: '0.2', tenant: 'acme' });
  await aPaidSession(api.store, { cost: '0', model: 'ai:google/gemini', outcome: 'failed' });
  await aFailure(api.store, 'EX002', 'older');
  const newest = await aFailure(api.store, 'EX002', 'No element fits.');
  await aFailure(api.store, 'TL002', 'Of acme.', 'acme');
  await aSession(api.store, { steps: ['Look'] });
  const sql = connect(api.stack.databaseUrl);
  await sql`update sessions set created_at = now() - interval '3 days' where plan->>'name' = 'Buy'`;
  await sql.end();

  const all = await figures('?period=week&timeZone=Pacific/Auckland');
  expect(all.troubles).toEqual([]);
  expect(all.history).toHaveLength(7);
  expect(all.history.at(-1)).toMatchObject({
    started: 4,
    completed: 3,
    failed: 3,
    open: 1,
    calls: 3,
    failedCalls: 1,
    tokens: 3000,
    cost: '0.30000000000000000001',
  });
  expect(all.history.at(-4)).toMatchObject({ started: 3, open: 3, calls: 0, cost: '0' });
  const midnight = { timeZone: 'Pacific/Auckland', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  for (const { at } of all.history) expect(new Date(at).toLocaleTimeString('en', midnight)).toBe('00:00');
  expect(all.spent).toMatchObject([
    { model: 'ai:openai/gpt-5', calls: 2, failedCalls: 0, tokens: 2000, cost: '0.30000000000000000001' },
    { model: 'ai:google/gemini', calls: 1, failedCalls: 1 },
  ]);
  expect(all.failures).toMatchObject([
    { code: 'EX002', count: 2, newestSessionId: newest, newestMessage: 'No element fits.' },
    { code: 'TL002', count: 1 },
  ]);
  expect(all.failures[0]!.suggestedAction).toBe('Name the element as the page shows it.');

  const acme = await figures('?period=day&tenant=acme');
  expect(acme.history).toHaveLength(24);
  expect(acme).toMatchObject({ spent: [{ cost: '0.2' }], failures: [{ code: 'TL002' }], sessions: { open: 0 } });
  const slots = new Set((await figures('?period=month')).history.map(({ at }) => at));
  expect(slots.size).toBe(30);
});

test('what is kept for longer than it should be, and versions that differ, are said', async () => {
  await aRunningSystem(api.store, { browsers: 0, capacity: 4 });
  await aFailure(api.store, 'EX002', 'old');
  const sql = connect(api.stack.databaseUrl);
  await sql`update sessions set last_activity = now() - interval '35 days'`;
  await sql`insert into processes (process_id, module_id, version, supports, key_id) values ('x', 'executor', '0.0.9', '{}', 'k')`;
  await sql.end();
  const found = await figures();
  expect(kinds(found)).toEqual(['versions-differ', 'retention-late']);
  expect(found.retention).toMatchObject({ sessionDays: 30, artifactHours: 24 });
  expect(found.retention.databaseBytes).toBeGreaterThan(1_000_000);
});

test.each([
  ['period=year', 'period'],
  ['timeZone=Mars/Olympus', 'timeZone'],
  ['timeZone=%2B02:00', 'timeZone'],
  ['tenant=', 'tenant'],
])('GET /v1/operations?%s is refused with the path', async (query, path) => {
  const response = await api.app.request(`/v1/operations?${query}`);
  expect(response.status).toBe(400);
  expect((await bodyOf(response)).error).toMatchObject({ code: 'FA001', details: { issues: [{ path }] } });
});
