import { eventually } from '../support/eventually';
import { aSession, bodyOf, endSession, startTestApi, thoughts, type TestApi } from './fixture';
import { readStream, seqsOf } from './stream-reader';

/** The database's client waits longer and longer between attempts to connect. */
const BACK_WITHIN_MS = 60_000;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ streams: { heartbeatMs: 50, retryMs: 50 } });
});
afterAll(() => api.stop());

/** Ends the database server the hard way; its supervisor starts it again when it may. */
function killDatabase(): void {
  const database = api.stack.stack.processes().find(({ name }) => name === 'postgres');
  if (database === undefined) throw new Error('Expected the stack to run a postgres, found none.');
  process.kill(database.pid, 'SIGKILL');
}

test('[S1.38] streams outlive a crash of the database without loss; a new one is refused with ES001', async () => {
  const sessionId = await aSession(api.store);
  await api.store.log.append(sessionId, thoughts(1, 700));
  const open = (after: number) =>
    api.app.request(`/v1/sessions/${sessionId}/events?after=${after}`, { headers: { accept: 'text/event-stream' } });
  const atTheTip = readStream(await open(690));
  expect(seqsOf(await atTheTip.take(10))).toHaveLength(10);
  const behind = readStream(await open(0));
  expect(seqsOf(await behind.take(1))).toEqual([1]);

  const restOfBoth = Promise.all([atTheTip.rest(), behind.rest()]);
  // Away until both refusals were seen.
  const release = api.stack.stack.hold('postgres');
  killDatabase();
  const refused = await eventually('the API says that the database is away', async () => {
    const response = await api.app.request(`/v1/sessions/${sessionId}`);
    return response.status === 200 ? undefined : response;
  });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await bodyOf(refused)).error).toMatchObject({ code: 'CM002', retryable: true });

  const unopened = await eventually('a stream can not be opened', async () => {
    const response = await open(0);
    return response.status === 503 ? response : undefined;
  });
  expect((await bodyOf(unopened)).error).toMatchObject({ code: 'ES001', retryable: true });
  release();

  // Each pooled connection has to find out by itself that its server is gone.
  const written = (append: () => Promise<number>) =>
    eventually('the database is back', () => append().catch(() => undefined), BACK_WITHIN_MS);
  await written(() => api.store.log.append(sessionId, thoughts(701, 720)));
  await written(() => endSession(api.store, sessionId));
  const [tip, rest] = await restOfBoth;
  expect(seqsOf(tip)).toEqual(Array.from({ length: 21 }, (_, index) => 701 + index));
  expect(seqsOf(rest)).toEqual(Array.from({ length: 720 }, (_, index) => 2 + index));
  expect([tip.at(-1)?.event, rest.at(-1)?.event]).toEqual(['end', 'end']);
}, 150_000);
