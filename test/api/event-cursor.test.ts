import { aSession, bodyOf, endSession, startTestApi, thoughts, type TestApi } from './fixture';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const open = (
  sessionId: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) =>
  api.app.request(`/v1/sessions/${sessionId}/events${query}`, {
    headers: { accept: 'text/event-stream', ...headers },
  });

test('a cursor beyond the end of the log, after the database was put back, is answered with 410', async () => {
  const sessionId = await aSession(api.store);
  await api.store.log.append(sessionId, thoughts(1, 2));
  const ask = async (init: Parameters<typeof open>[1]) => {
    const response = await open(sessionId, init);
    return [response.status, ((await bodyOf(response)) as { error: { message: string } }).error.message];
  };
  const beyond = [410, expect.stringMatching(/ends at 2, and this reader has read up to 4: the database was put back/)];
  expect(await ask({ query: '?after=4' })).toEqual(beyond);
  expect(await ask({ headers: { 'last-event-id': '4' } })).toEqual(beyond);
  const last = await endSession(api.store, sessionId);
  const ended = await open(sessionId, { headers: { 'last-event-id': String(last + 5) } });
  expect(ended.status).toBe(410);
});

test('a cursor that is no seq is refused', async () => {
  const sessionId = await aSession(api.store);
  for (const cursor of ['x', '-1', '1.5', '99999999999999999999']) {
    const response = await open(sessionId, { headers: { 'last-event-id': cursor } });
    expect(response.status).toBe(400);
    expect((await bodyOf(response)).error).toMatchObject({
      code: 'FA001',
      details: { issues: [{ path: 'last-event-id' }] },
    });
  }
});
