import { createApi } from '../../api/app';
import { EventPageSchema } from '../../api/openapi/schemas';
import type { Sessions } from '../../service/port/port';
import { aSession, bodyOf, endSession, startTestApi, thought, thoughts, type TestApi } from './fixture';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

async function page(sessionId: string, query: string) {
  const body = await bodyOf(api.app.request(`/v1/sessions/${sessionId}/events?${query}`));
  EventPageSchema.parse(body);
  const { data, nextAfter, hasMore, isEnded } = body;
  return { seqs: data.map(({ seq }: { seq: number }) => seq), nextAfter, hasMore, isEnded };
}

test('pages follow one another by nextAfter until the log ends', async () => {
  const sessionId = await aSession(api.store);
  await api.store.log.append(sessionId, thoughts(1, 4));
  expect(await page(sessionId, 'limit=2')).toEqual({ seqs: [1, 2], nextAfter: 2, hasMore: true, isEnded: false });
  expect(await page(sessionId, 'limit=2&after=2')).toEqual({
    seqs: [3, 4],
    nextAfter: 4,
    hasMore: false,
    isEnded: false,
  });
  expect(await page(sessionId, 'after=4')).toEqual({ seqs: [], nextAfter: 4, hasMore: false, isEnded: false });
  await endSession(api.store, sessionId);
  expect(await page(sessionId, 'after=4')).toEqual({ seqs: [5], nextAfter: 5, hasMore: false, isEnded: true });
  expect(await page(sessionId, 'after=5&wait=30')).toEqual({ seqs: [], nextAfter: 5, hasMore: false, isEnded: true });
});

test('an event has the fields of S1.30 and its seq', async () => {
  const sessionId = await aSession(api.store);
  await api.store.log.append(sessionId, [{ ...thought(1), stepIndex: 0, turn: 2 }]);
  const { data } = await bodyOf(api.app.request(`/v1/sessions/${sessionId}/events`));
  expect(data).toEqual([
    {
      id: 'thought/1',
      type: 'AI_REASONING',
      timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      sessionId,
      stepIndex: 0,
      data: { reasoning: { thought: 'number 1', confidence: 0.9, reasoningType: 'plan' } },
      metadata: { seq: 1, owner: 'task-loop', version: '1.0.0', turn: 2 },
      seq: 1,
    },
  ]);
});

test('the pages of a format that is a fold read each part of a long log once', async () => {
  const sessionId = await aSession(api.store);
  await api.store.log.append(sessionId, thoughts(1, 900));
  const { sessions } = api.parts;
  const cursors: number[] = [];
  const events: Sessions['events'] = (id, after, ...rest) => {
    cursors.push(after);
    return sessions.events(id, after, ...rest);
  };
  const app = createApi({ ...api.parts, sessions: { ...sessions, events } });
  const seqs: number[] = [];
  for (let after = 0, hasMore = true; hasMore;) {
    const body = await bodyOf(app.request(`/v1/sessions/${sessionId}/events?format=agent&limit=100&after=${after}`));
    seqs.push(...body.data.map(({ seq }: { seq: number }) => seq));
    ({ nextAfter: after, hasMore } = body);
  }
  expect(seqs.length).toBeGreaterThan(800);
  expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
  expect(cursors).toEqual([0, 500]);
});

test('with wait an empty page is held until there is an event to return, or the time is up', async () => {
  const sessionId = await aSession(api.store);
  const startedAt = performance.now();
  expect((await page(sessionId, 'wait=0.3')).seqs).toEqual([]);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(290);
  const waiting = page(sessionId, 'wait=30');
  await api.store.log.append(sessionId, thoughts(1, 3));
  expect(await waiting).toEqual({ seqs: [1, 2, 3], nextAfter: 3, hasMore: false, isEnded: false });
});

test.each([
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['wait=31', 'wait'],
  ['after=-1', 'after'],
  ['actions=s2', 'actions'],
])('?%s is refused with the path', async (query, path) => {
  const sessionId = await aSession(api.store);
  const response = await api.app.request(`/v1/sessions/${sessionId}/events?${query}`);
  expect(response.status).toBe(400);
  expect((await bodyOf(response)).error).toMatchObject({ code: 'FA001', details: { issues: [{ path }] } });
});
