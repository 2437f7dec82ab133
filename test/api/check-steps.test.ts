/** Steps are read without being run: what is understood, and on a page what would be pressed. */
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { bodyOf, post, startTestApi, type TestApi } from './fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const check = async (body: unknown, query = '') => await bodyOf(api.app.request(`/v1/steps/check${query}`, post(body)));
const totalSessions = async () => (await bodyOf(api.app.request('/v1/sessions'))).pagination.total as number;

test('each step says how it is read, and nothing is started', async () => {
  const before = await totalSessions();
  const { data } = await check({
    steps: [
      'Open http://127.0.0.1/ and click "Sign in"',
      'Type "${mail}" into Email',
      'Save the total as sum',
      'Expect "${sum}"',
      'Expect "${some}"',
      { task: 'Find a tent' },
    ],
    variables: { mail: 'ada@example.org' },
  });
  expect(data).toMatchObject({
    isReady: false,
    steps: [
      { status: 'ready', parts: [expect.stringContaining('Open'), expect.stringContaining('click')] },
      { status: 'ready' },
      { status: 'ready' },
      { status: 'ready' },
      { status: 'refused', message: expect.stringContaining('some') },
      { status: 'model' },
    ],
  });
  expect(await totalSessions()).toBe(before);
});

test('on the page of a session it says what would be pressed, and what is not there', async () => {
  const started = await bodyOf(api.app.request('/v1/sessions', post({ steps: ['Open http://127.0.0.1/'] })));
  const { sessionId } = started.data as { sessionId: string };
  const page: PageSnapshot = {
    snapshotId: 's',
    url: 'http://shop.test/cart',
    title: 'Cart',
    tabs: [],
    nodes: [
      { role: 'button', name: 'Check out', ref: 'e1' },
      { role: 'textbox', name: 'Coupon', ref: 'e2' },
    ],
  };
  await (await api.stack.store()).memory.saveSnapshot(sessionId, {}, page);
  const steps = ['Type "SPRING" into Coupon and click "Check out"', 'Click "Pay now"'];
  const { data } = await check({ steps }, `?session=${sessionId}`);
  expect(data).toMatchObject({
    isReady: false,
    url: page.url,
    steps: [
      { status: 'ready', would: [expect.stringContaining('Coupon'), expect.stringContaining('Check out')] },
      { status: 'not-here', would: [], message: expect.stringContaining('Pay now') },
    ],
  });
});

test('a request that could not be started is refused as it would be there', async () => {
  expect(await check({ steps: [] })).toMatchObject({ success: false, error: { code: 'FA001' } });
});
