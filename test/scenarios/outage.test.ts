/**
 * Temporal or the database is away, killed or frozen, in the middle of a session. Proves: reads and streams go on without
 * Temporal; what needs what is away is answered with 503 and a time to come back; nothing is acted on without a journal;
 * no event is lost or doubled; nobody takes a session for gone; and everything goes on by itself.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ControlMessage } from '../../contracts/messages/control-message';
import { StreamEventType } from '../../contracts/events/stream-event';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import { viewSession } from '../../bench/chaos/load/viewer';
import { signalIfThere } from '../../runtime/process-group';
import { eventually } from '../support/eventually';
import { ONE_OF_EACH, demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const PATIENCE_MS = 120_000;

const WAYS = ['killed', 'frozen'] as const;
type Way = (typeof WAYS)[number];

/** One for each way of going away: most of an outage is waiting, so the two are waited for at once. */
let stacks: Record<Way, WholeStack>;
const frozenPids: number[] = [];
beforeAll(async () => {
  const [killed, frozen] = await Promise.all(WAYS.map(() => startWholeStack({}, ONE_OF_EACH)));
  stacks = { killed: killed!, frozen: frozen! };
}, 180_000);
afterAll(async () => {
  // After a failure: a server that stands still can not be stopped.
  for (const pid of frozenPids) signalIfThere(pid, 'SIGCONT');
  await Promise.all(WAYS.map((way) => stacks[way].stop()));
}, 120_000);

const inBothWays = (play: (stack: WholeStack, how: Way) => Promise<void>) => async (): Promise<void> => {
  await Promise.all(WAYS.map((how) => play(stacks[how], how)));
};

const WORKERS = ['engine-1', 'browser-1', 'keeper', 'api'];
const pids = (stack: WholeStack): number[] => WORKERS.map((name) => stack.pidOf(name));

async function ask(
  stack: WholeStack,
  path: string,
  init?: RequestInit,
): Promise<{ status: number; retryAfter: string | null; body: Answer }> {
  const answer = await fetch(`${stack.api}${path}`, init);
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as Answer,
  };
}
interface Answer {
  data?: unknown;
  error?: { code: string; message: string; retryable: boolean; details?: Record<string, { state: string }> };
}
const json = (method: string, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** PostgreSQL answers each connection by a process of its own. */
function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/** Takes the server away in this way, and gives back how to bring it back. */
function takeAway(stack: WholeStack, name: 'temporal' | 'postgres', how: Way): () => Promise<void> {
  const pid = stack.pidOf(name);
  if (how === 'frozen') {
    const frozen = [pid, ...childrenOf(pid)];
    frozenPids.push(...frozen);
    for (const each of frozen) process.kill(each, 'SIGSTOP');
    return async () => {
      for (const each of frozenPids.splice(0)) process.kill(each, 'SIGCONT');
    };
  }
  const release = stack.stack.hold(name);
  process.kill(pid, 'SIGKILL');
  return async () => {
    release();
    await eventually(
      `${name} is up again`,
      () => stack.stack.processes().some((row) => row.name === name && row.alive && row.pid !== pid),
      PATIENCE_MS,
    );
  };
}

const CLICKS = 12;

/** A session that clicks all the time, each click counted by the shop. */
async function startClicking(stack: WholeStack) {
  const run = randomUUID();
  const clicks = Array.from({ length: CLICKS }, () => 'Click "Add one"');
  const { sessionId } = await stack.client.start({ steps: [`Open ${stack.shop}/parts/counter?run=${run}`, ...clicks] });
  const viewing = viewSession(
    `${stack.api}/v1/sessions/${sessionId}/events`,
    Math.random,
    AbortSignal.timeout(400_000),
  );
  await recordOf(stack, sessionId, 'the third step', ({ stepIndex }) => stepIndex === 2);
  return { run, sessionId, viewing };
}

async function clicksAtShop(stack: WholeStack, run: string): Promise<number> {
  const answer = await fetch(`${stack.shop}/admin/counter?run=${run}`);
  return ((await answer.json()) as { count: number }).count;
}

/** A demo session that has got as far as its third step, with a viewer of its stream. */
async function startDemo(stack: WholeStack) {
  const run = randomUUID();
  const { sessionId } = await stack.client.start(demoRequest(stack, run));
  const viewing = viewSession(
    `${stack.api}/v1/sessions/${sessionId}/events`,
    Math.random,
    AbortSignal.timeout(400_000),
  );
  viewing.catch(() => {});
  await recordOf(stack, sessionId, 'the third step', ({ stepIndex }) => stepIndex === 2);
  return { run, sessionId, viewing };
}

type Demo = Awaited<ReturnType<typeof startDemo>>;

/** What every session has to keep, whatever was away meanwhile. */
async function expectWhole(
  stack: WholeStack,
  { sessionId, viewing }: Pick<Demo, 'sessionId' | 'viewing'>,
): Promise<void> {
  const status = await eventually('it ends', () => endOf(stack, sessionId).catch(() => undefined), 300_000);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  const log = await stack.logOf(sessionId);
  expect(logOrderProblems(log)).toEqual([]);
  expect((await viewing).frames).toEqual(log.map(({ seq, type }) => `${seq} ${type}`));
}

it(
  'while Temporal is away reads and streams go on, messages are stored, and the session goes on after',
  inBothWays(async (stack, how) => {
    const session = await startDemo(stack);
    const { sessionId } = session;
    const before = pids(stack);
    const bringBack = takeAway(stack, 'temporal', how);
    const health = await eventually('health reports it', async () => {
      const answer = await ask(stack, '/health');
      return answer.status === 503 && answer;
    });
    expect(health.body.error).toMatchObject({
      code: 'SP002',
      details: { store: { state: 'up' }, temporal: { state: 'down' } },
    });
    expect(health.retryAfter).toBe('5');
    expect((await ask(stack, `/v1/sessions/${sessionId}`)).status).toBe(200);
    expect((await ask(stack, `/v1/sessions/${sessionId}/events`)).status).toBe(200);
    expect((await ask(stack, '/v1/sessions')).status).toBe(200);
    // A start that was refused and comes again under its key once Temporal is back is no session that is gone.
    const key = randomUUID();
    const start = () =>
      ask(stack, '/v1/sessions', json('POST', { steps: ['Wait 0 seconds'] }, { 'idempotency-key': key }));
    const refused = await start();
    expect({ status: refused.status, retryAfter: refused.retryAfter }).toEqual({ status: 503, retryAfter: '5' });
    expect(refused.body.error).toMatchObject({
      code: 'SP002',
      retryable: true,
      message: expect.stringMatching(/\.$/),
    });
    const send = async (path: string, init: RequestInit): Promise<void> => {
      const { status, body } = await ask(stack, `/v1/sessions/${sessionId}/${path}`, init);
      expect(status).toBe(202);
      expect(body.data).toMatchObject({ messageState: 'pending' });
    };
    await send('pause', { method: 'POST' });
    await send('resume', { method: 'POST' });
    await send('steps', json('POST', { steps: ['Wait 0 seconds'] }));
    // What happens in the engine meanwhile is that it waits: longer than the time after which a lone row is ended.
    const awaySince = performance.now();
    await eventually('it has been away for a while', () => performance.now() - awaySince > 35_000, 60_000);
    await bringBack();
    const taken = await eventually(
      'the start is taken',
      async () => {
        const answer = await start();
        return answer.status === 202 && (answer.body.data as { sessionId: string }).sessionId;
      },
      PATIENCE_MS,
    );
    const status = await eventually('it completes', () => endOf(stack, taken).catch(() => undefined), PATIENCE_MS);
    expect(status).toBe('COMPLETED');
    await expectWhole(stack, session);
    expect(await stack.orders(session.run)).toHaveLength(1);
    // The session may be through before its messages are delivered; then they are refused.
    const messages = await eventually('each message has its answer', async () => {
      const given = (await ask(stack, `/v1/sessions/${sessionId}/messages`)).body.data as ControlMessage[];
      return given.every(({ state }) => state !== 'pending') && given;
    });
    expect(messages.map(({ name }) => name)).toEqual(['pause', 'resume', 'addSteps']);
    const unanswered = messages.filter(({ state, refusal }) => state !== 'applied' && refusal?.code !== 'SP001');
    expect(unanswered).toEqual([]);
    expect(pids(stack)).toEqual(before);
  }),
  600_000,
);

it(
  'while the database is away nothing is clicked, and the session goes on after it',
  inBothWays(async (stack, how) => {
    const session = await startClicking(stack);
    const { sessionId } = session;
    const before = pids(stack);
    const bringBack = takeAway(stack, 'postgres', how);
    const health = await eventually('health reports it', async () => {
      const answer = await ask(stack, '/health');
      return answer.status === 503 && answer;
    });
    expect(health.body.error).toMatchObject({
      code: 'CM002',
      details: { store: { state: 'down' }, temporal: { state: 'up' } },
    });
    for (const path of [
      `/v1/sessions/${sessionId}`,
      '/v1/sessions',
      `/v1/sessions/${sessionId}/events`,
      `/v1/sessions/${sessionId}/screenshots`,
    ]) {
      const { status, retryAfter, body } = await ask(stack, path);
      expect({ path, status, retryAfter, code: body.error?.code }).toEqual({
        path,
        status: 503,
        retryAfter: '5',
        code: 'CM002',
      });
    }
    expect(await ask(stack, '/v1/sessions', json('POST', { steps: ['Wait 0 seconds'] }))).toMatchObject({
      status: 503,
      retryAfter: '5',
      body: { error: { code: 'CM002', retryable: true } },
    });
    const awaySince = performance.now();
    const awayFor = (ms: number) =>
      eventually('it has been away for a while', () => performance.now() - awaySince > ms, 60_000);
    // Only a click whose intent was journaled before can be under way still, and it is through by then.
    await awayFor(5000);
    const clicked = await clicksAtShop(stack, session.run);
    await awayFor(20_000);
    expect(await clicksAtShop(stack, session.run)).toBe(clicked);
    expect(clicked).toBeLessThan(CLICKS);
    await bringBack();
    await expectWhole(stack, session);
    expect(await clicksAtShop(stack, session.run)).toBe(CLICKS);
    expect(pids(stack)).toEqual(before);
  }),
  600_000,
);

it('no session that had begun was ended by the reconciler', async () => {
  const logs = await Promise.all(
    WAYS.map(async (way) => {
      const { client } = stacks[way];
      const { sessions } = await client.list({ page: 1, pageSize: 50 });
      return await Promise.all(sessions.map(({ sessionId }) => client.events(sessionId, 0, 1000)));
    }),
  );
  const begun = logs.flat().filter((log) => log.some(({ type }) => type === StreamEventType.WORKFLOW_STARTED));
  expect(begun.length).toBeGreaterThanOrEqual(4);
  expect(begun.flat().filter(({ eventId }) => eventId.includes('close-out'))).toEqual([]);
});
