/** Schedules by REST, on a real Temporal server without workers: what it gets, and what it starts. */
import { createApi } from '../../api/app';
import type { ScheduleDetails } from '../../contracts/sessions/schedule';
import { readSettings } from '../../runtime/settings/settings';
import { createSchedules } from '../../service/schedules/schedules';
import { eventually } from '../support/eventually';
import { bodyOf, post, startTestApi, type TestApi } from './fixture';

let api: TestApi;
let temporal: Awaited<ReturnType<TestApi['stack']['temporal']>>;

beforeAll(async () => {
  api = await startTestApi();
  temporal = await api.stack.temporal();
}, 120_000);
afterAll(() => api.stop());

const REQUEST = { steps: ['open http://127.0.0.1/', 'click "Buy"'] };
const SEED = 'GEZDGNBVGY3TQOJQ'; // cspell:disable-line

async function create(body: object): Promise<{ status: number; data: ScheduleDetails; error: { message: string } }> {
  const response = await api.app.request('/v1/schedules', post({ request: REQUEST, ...body }));
  const { data, error } = await bodyOf(response);
  return { status: response.status, data, error };
}

async function get(path: string): Promise<{ status: number; data: ScheduleDetails }> {
  const response = await api.app.request(`/v1/schedules/${path}`);
  const { data } = await bodyOf(response);
  return { status: response.status, data };
}

const act = (path: string, body?: object, headers?: Record<string, string>) =>
  api.app.request(`/v1/schedules/${path}`, post(body, headers));

test('a schedule is created once, shown as it was given, listed, paused, resumed and deleted', async () => {
  const body = {
    id: 'whole',
    cron: '30 3 * * MON-FRI',
    calendar: [{ hour: { start: 8, end: 18, step: 2 }, dayOfWeek: ['MONDAY', { start: 'THURSDAY', end: 'SATURDAY' }] }],
    every: ['10m', '1h/15m'],
    timeZone: 'Europe/Vienna',
    overlap: 'buffer-one',
    catchUp: '2h',
    note: 'for the audit',
    request: { ...REQUEST, tenant: 'acme', secrets: { password: { env: 'SHOP', origins: ['https://shop.example'] } } },
  };
  const created = await create(body);
  expect([created.status, created.data]).toMatchObject([
    201,
    {
      id: 'whole',
      tenant: 'acme',
      cron: expect.arrayContaining(['30 3 * * MON-FRI', '0 8-18/2 * * MON,THU-SAT']),
      every: ['10m', '1h/15m'],
      timeZone: 'Europe/Vienna',
      overlap: 'buffer-one',
      catchUp: '2h',
      note: 'for the audit',
      paused: false,
      request: body.request,
      counts: { started: 0 },
    },
  ]);
  expect(created.data.nextStarts.length).toBeGreaterThan(0);
  expect(await create(body)).toMatchObject({ status: 201, data: { id: 'whole' } });
  expect(await create({ ...body, cron: '0 4 * * *' })).toMatchObject({ status: 409 });

  expect(await get('whole?tenant=other')).toMatchObject({ status: 404 });
  expect(await get('whole?tenant=acme')).toMatchObject({ status: 200 });
  const listed = async (tenant: string) =>
    (await bodyOf(api.app.request(`/v1/schedules?tenant=${tenant}`))).data as ScheduleDetails[];
  await eventually('the schedule is listed', async () => (await listed('acme')).length === 1);
  expect(await listed('other')).toEqual([]);

  expect((await act('whole/pause?tenant=other')).status).toBe(404);
  const paused = await bodyOf(act('whole/pause', { note: 'the site moves' }));
  expect(paused.data).toMatchObject({ paused: true, note: 'the site moves', nextStarts: [] });
  expect((await bodyOf(act('whole/resume'))).data).toMatchObject({ paused: false });
  const removed = await api.app.request('/v1/schedules/whole', { method: 'DELETE' });
  expect(removed.status).toBe(200);
  expect(await get('whole')).toMatchObject({ status: 404 });
});

test('an update changes what it names; the rest stays, also that it is paused, and so does its tenant', async () => {
  const request = { ...REQUEST, tenant: 'acme' };
  const body = { id: 'changed', cron: '30 3 * * MON-FRI', timeZone: 'Europe/Vienna', catchUp: '2h', request };
  await create({ ...body, overlap: 'buffer-one', paused: true, note: 'for the audit' });
  const update = (change: object, path = 'changed') =>
    api.app.request(`/v1/schedules/${path}`, { ...post(change), method: 'PATCH' });
  const kept = { tenant: 'acme', timeZone: 'Europe/Vienna', catchUp: '2h', paused: true };

  const [other] = [{ ...request, steps: ['open http://127.0.0.1/', 'click "Sell"'] }];
  expect((await bodyOf(update({ request: other, overlap: 'skip' }))).data).toMatchObject({
    ...kept,
    cron: ['30 3 * * MON-FRI'],
    overlap: 'skip',
    note: 'for the audit',
    request: other,
  });
  expect((await bodyOf(update({ every: '36h', cron: '0 4 * * *', note: 'twice' }))).data).toMatchObject({
    ...kept,
    cron: ['0 4 * * *'],
    every: ['36h'],
    overlap: 'skip',
    note: 'twice',
    request: other,
  });
  expect((await bodyOf(update({ timeZone: 'Asia/Tokyo' }))).data).toMatchObject({
    cron: ['0 4 * * *'],
    every: ['36h'],
    timeZone: 'Asia/Tokyo',
  });
  await eventually('a session is asked for', async () => (await act('changed/trigger')).status === 202);
  await eventually('it has the new request', async () => (await get('changed')).data.sessions.length > 0);
  const [started] = (await get('changed')).data.sessions;
  const { events } = await temporal.workflow.getHandle(started!.workflowId).fetchHistory();
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
  expect(JSON.parse(Buffer.from(input!).toString())).toMatchObject({ steps: other!.steps, tenant: 'acme' });

  for (const [change, status, message] of [
    [{}, 400, 'say what to change'],
    [{ cron: '77 3 * * *' }, 400, 'cron: Temporal does not take it: Minute is not in range'],
    [{ request: { steps: [] } }, 400, 'steps'],
    [{ request: { ...request, tenant: 'other' } }, 400, 'request.tenant: it is acme, got other'],
  ] as const) {
    const response = await update(change);
    expect([response.status, (await bodyOf(response)).error.message]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  }
  expect((await update({ cron: '0 5 * * *' }, 'changed?tenant=other')).status).toBe(404);
  expect((await update({ cron: '0 5 * * *' }, 'none')).status).toBe(404);
  await api.app.request('/v1/schedules/changed', { method: 'DELETE' });
});

test.each([
  [{}, 'say when'],
  [{ cron: 'CRON_TZ=UTC 0 3 * * *' }, 'cron: expected a cron expression'],
  [{ cron: '77 3 * * *' }, 'cron: Temporal does not take it: Minute is not in range'],
  [{ cron: '0 3 * * *', timeZone: 'Mars/Olympus' }, 'timeZone: Temporal does not take it'],
  [{ every: '10 minutes' }, 'every: expected a number with s, m, h or d'],
  [{ every: '10m/1h' }, 'the offset 1h has to be shorter than 10m'],
  [{ calendar: { dayOfWeek: { start: 'FRIDAY', end: 'MONDAY' } } }, 'a range does not go round'],
  [{ every: '10m', catchUp: '1s' }, 'catchUp: expected at least 10s'],
  [{ every: '10m', overlap: 'maybe' }, 'overlap'],
  [{ every: '10m', request: { steps: [] } }, 'request.steps: a session needs at least one step'],
  [
    {
      every: '10m',
      request: { ...REQUEST, variables: { a: 'b' }, secrets: { a: { env: 'A', origins: ['https://a.example'] } } },
    },
    'request.secrets.a: a is the name of a variable too',
  ],
  [
    { every: '10m', request: { ...REQUEST, secrets: { a: { value: 'hunter2', origins: ['https://a.example'] } } } },
    'request.secrets.a.value: Temporal keeps what a schedule starts, so give env',
  ],
  [
    {
      every: '10m',
      request: { ...REQUEST, secrets: { a: { totp: { value: SEED }, origins: ['https://a.example'] } } },
    },
    'request.secrets.a.totp.value: Temporal keeps what a schedule starts, so give env',
  ],
  [{ every: '10m', request: { ...REQUEST, notBefore: '2026-01-01T00:00:00Z' } }, 'request.notBefore: each session'],
  [{ every: '10m', request: { ...REQUEST, config: { aiConnectionId: 'team-b' } } }, 'team-b'],
])('a mistake in %j is found when the schedule is created', async (body, message) => {
  const { status, error } = await create({ id: 'wrong', ...body });
  expect([status, error.message]).toEqual([400, expect.stringContaining(message)]);
  expect(JSON.stringify(error)).not.toContain('hunter2');
  expect(await get('wrong')).toMatchObject({ status: 404 });
});

test('what goes below a floor of the operator is refused when the schedule is created', async () => {
  const floors = readSettings({
    SUREFOOT_APPROVAL_FLOOR: 'always',
    TEMPORAL_ADDRESS: api.stack.temporalAddress,
    DATABASE_URL: api.stack.databaseUrl,
  });
  const guarded = createApi({ ...api.parts, schedules: createSchedules({ store: api.store, temporal, floors }) });
  const answer = await guarded.request('/v1/schedules', post({ id: 'low', every: '1d', request: REQUEST }));
  expect(answer.status).toBe(403);
  expect((await bodyOf(answer)).error.message).toContain('request.config.agent.approvalMode');
});

test('a trigger starts the request itself as a session workflow, once for each Idempotency-Key', async () => {
  await create({ id: 'now', cron: '0 3 1 1 *', overlap: 'allow-all' });
  const headers = { 'idempotency-key': 'trigger-1' };
  for (let times = 0; times < 2; times += 1) {
    const answer = await act('now/trigger', {}, headers);
    expect([answer.status, (await bodyOf(answer)).data]).toEqual([202, { triggered: true }]);
  }
  const [session] = await eventually('the start', async () => {
    const { sessions } = (await get('now')).data;
    return sessions.length > 0 ? sessions : undefined;
  });
  const handle = temporal.workflow.getHandle(session!.workflowId);
  const { type, taskQueue, staticSummary, priority } = await handle.describe();
  expect({ type, taskQueue, summary: await staticSummary(), priority }).toMatchObject({
    type: 'session',
    taskQueue: 'surefoot',
    summary: 'open http://127.0.0.1/ → click "Buy"',
    priority: { priorityKey: 3, fairnessKey: 'default' },
  });
  const { events } = await handle.fetchHistory();
  const [payload] = events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;
  expect(JSON.parse(Buffer.from(payload!.data!).toString())).toEqual(REQUEST);
  await handle.terminate();
  // A second start under the key would have come before this one.
  await act('now/trigger', {}, { 'idempotency-key': 'trigger-2' });
  await eventually('the second start', async () => (await get('now')).data.counts.started > 1);
  expect((await get('now')).data.counts.started).toBe(2);
});

test('a start is skipped, as the answer says, while another session of the schedule is open', async () => {
  await create({ id: 'skips', cron: '0 3 1 1 *' });
  await act('skips/trigger');
  await eventually('the start', async () => (await get('skips')).data.sessions.length === 1);
  const { data } = await bodyOf(act('skips/trigger'));
  const { sessions } = (await get('skips')).data;
  expect(data.reason).toContain(`Session ${sessions[0]!.sessionId} of this schedule is open: the start is skipped`);
  await eventually('the skip', async () => (await get('skips')).data.counts.skipped === 1);
});

test('a backfill starts a session for each time that was due between two', async () => {
  await create({ id: 'missed', every: '1d', paused: true });
  const request = { from: '2026-01-01T00:00:00Z', to: '2026-01-03T01:00:00+01:00', overlap: 'allow-all' };
  expect((await act('missed/backfill', request)).status).toBe(202);
  const days = ['03', '02', '01'].map((day) => `missed-2026-01-${day}T00:00:00Z`);
  await eventually('three starts', async () => (await get('missed')).data.sessions.length === 3);
  expect((await get('missed')).data.sessions.map(({ workflowId }) => workflowId)).toEqual(days);
  const wrong = await bodyOf(act('missed/backfill', { from: '2026-01-01', to: '2026-01-03T00:00:00Z' }));
  expect(wrong.error.message).toContain('from: expected a time with its offset');
});

test('a schedule made by other means shows no secret, and one that starts other workflows is unknown', async () => {
  const origins = ['https://a.example'];
  const secrets = { a: { value: 'hunter2', origins }, b: { totp: { value: SEED }, origins } };
  const args = [{ ...REQUEST, tenant: 'acme', secrets }];
  const spec = { intervals: [{ every: '1d' as const }] };
  const action = { type: 'startWorkflow' as const, taskQueue: 'surefoot' };
  await temporal.schedule.create({ scheduleId: 'foreign', spec, action: { ...action, workflowType: 'session', args } });
  await temporal.schedule.create({ scheduleId: 'others', spec, action: { ...action, workflowType: 'report' } });
  const { data } = await get('foreign?tenant=acme');
  expect(data).toMatchObject({
    tenant: 'acme',
    request: { secrets: { a: { value: '[secret]' }, b: { totp: { value: '[secret]' } } } },
  });
  expect(await get('others')).toMatchObject({ status: 404 });
  const ids = async () =>
    ((await bodyOf(api.app.request('/v1/schedules?tenant=acme'))).data as ScheduleDetails[]).map(({ id }) => id);
  await eventually('it is listed', async () => (await ids()).includes('foreign'));
  expect(await ids()).not.toContain('others');
});
