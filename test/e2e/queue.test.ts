/** One host with room for one browser, and more sessions than that. */
import { randomUUID } from 'node:crypto';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { SessionStatus } from '../../contracts/sessions/session';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { pause } from '../support/until-taken';
import { demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const MAX_SESSIONS = 5;
const LONG_MS = 90_000;
let stack: WholeStack;
beforeAll(async () => {
  const few = { SUREFOOT_MAX_BROWSERS: '1', SUREFOOT_MAX_SESSIONS: String(MAX_SESSIONS) };
  stack = await startWholeStack(few, { wants: (name) => name !== 'engine-2' });
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

const { COMMAND_STARTED, SESSION_STATUS } = StreamEventType;
const isWaiting = ({ type, data }: LogRecord): boolean =>
  type === SESSION_STATUS && data.details?.['waitingFor'] === 'browser';
const hasItsBrowser = ({ type, data }: LogRecord): boolean =>
  type === SESSION_STATUS && data.details?.['waitedMs'] !== undefined;

const positionOf = async (id: string): Promise<number | undefined> => (await stack.client.get(id)).queuePosition;

async function start(more: Partial<StartRequest> = {}): Promise<string> {
  const { sessionId } = await stack.client.start({ steps: [`open ${stack.shop}/`, 'expect "Sign in"'], ...more });
  return sessionId;
}

/** Starts a session that finds no browser, and waits until it says so. */
async function startWaiting(more: Partial<StartRequest> = {}): Promise<string> {
  const sessionId = await start(more);
  await recordOf(stack, sessionId, 'that it waits', isWaiting);
  return sessionId;
}

/** A session that has the one browser and keeps it until it is resumed: its second step takes long enough to be paused. */
async function startHolding(): Promise<string> {
  const { sessionId } = await stack.client.start({ steps: [`open ${stack.shop}/`, 'wait 3 seconds'] });
  await recordOf(stack, sessionId, 'its first command', ({ type }) => type === COMMAND_STARTED);
  await pause(stack, sessionId);
  return sessionId;
}

async function startedCommandsAt(sessionId: string): Promise<number> {
  const first = (await stack.logOf(sessionId)).find(({ type }) => type === COMMAND_STARTED);
  return Date.parse(first!.at);
}

it(
  'three sessions wait for the one browser, show their place, and get it by priority and then by time',
  async () => {
    const holder = await startHolding();
    const first = await startWaiting();
    const second = await startWaiting();
    expect([await positionOf(first), await positionOf(second)]).toEqual([1, 2]);
    const urgent = await startWaiting({ priority: 1 });
    expect([await positionOf(urgent), await positionOf(first), await positionOf(second)]).toEqual([1, 2, 3]);
    expect(await positionOf(holder)).toBeUndefined();
    const host = await stack.engineStore.hosts.get('local');
    expect(host).toMatchObject({ capacity: 1, browsers: 1 });

    await stack.client.resume(holder);
    for (const id of [holder, urgent, first, second]) {
      expect(await endOf(stack, id, LONG_MS)).toBe(SessionStatus.COMPLETED);
    }
    const order = await Promise.all([urgent, first, second].map(startedCommandsAt));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    for (const id of [urgent, first, second]) {
      const log = await stack.logOf(id);
      expect(log.findIndex(isWaiting)).toBeLessThan(log.findIndex(hasItsBrowser));
      expect(log.findIndex(hasItsBrowser)).toBeLessThan(log.findIndex(({ type }) => type === COMMAND_STARTED));
      expect(orderProblems(log)).toEqual([]);
      expect(await positionOf(id)).toBeUndefined();
    }
  },
  3 * LONG_MS,
);

it(
  'a session that is cancelled while it waits leaves the queue, and the one behind it moves up',
  async () => {
    const holder = await startHolding();
    const first = await startWaiting();
    const second = await startWaiting();
    expect(await positionOf(second)).toBe(2);
    await stack.client.cancel(first);
    expect(await endOf(stack, first)).toBe(SessionStatus.CANCELLED);
    await eventually('the second moves up', async () => (await positionOf(second)) === 1);
    await stack.client.resume(holder);
    expect(await endOf(stack, second)).toBe(SessionStatus.COMPLETED);
    expect((await stack.logOf(first)).some(({ type }) => type === COMMAND_STARTED)).toBe(false);
  },
  2 * LONG_MS,
);

it(
  'killing every browser worker while a session runs and another waits costs neither of them anything',
  async () => {
    const run = randomUUID();
    const { sessionId } = await stack.client.start(demoRequest(stack, run));
    await recordOf(stack, sessionId, 'its first command', ({ type }) => type === COMMAND_STARTED);
    const waiting = await startWaiting();
    for (const name of ['browser-1', 'browser-2']) process.kill(stack.pidOf(name), 'SIGKILL');
    expect(await endOf(stack, sessionId, LONG_MS)).toBe(SessionStatus.COMPLETED);
    expect(await stack.orders(run)).toHaveLength(1);
    expect(await endOf(stack, waiting, LONG_MS)).toBe(SessionStatus.COMPLETED);
  },
  3 * LONG_MS,
);

it(
  'S1.A19: at the limit of open sessions the API answers 429 SP004, but knows a key again',
  async () => {
    const holder = await startHolding();
    const post = (key: string): Promise<Response> =>
      fetch(`${stack.api}/v1/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ steps: [`open ${stack.shop}/`] }),
      });
    const ids: string[] = [];
    for (let open = 1; open < MAX_SESSIONS; open += 1) {
      const answer = await post(`key-${open}`);
      expect(answer.status).toBe(202);
      ids.push(((await answer.json()) as { data: { sessionId: string } }).data.sessionId);
    }
    const refused = await post('one-more');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ success: false, error: { code: 'SP004', retryable: true } });
    const again = await post('key-1');
    expect(again.status).toBe(202);
    expect(await again.json()).toMatchObject({ data: { sessionId: ids[0], isNew: false } });
    expect(
      (
        await stack.client.list({
          page: 1,
          pageSize: 100,
          statuses: [SessionStatus.INITIALIZING, SessionStatus.ACTIVE, SessionStatus.PAUSED],
        })
      ).total,
    ).toBe(MAX_SESSIONS);

    for (const id of ids) await stack.client.cancel(id);
    for (const id of ids) await endOf(stack, id);
    expect((await post('one-more')).status).toBe(202);
    await stack.client.resume(holder);
    expect(await endOf(stack, holder)).toBe(SessionStatus.COMPLETED);
  },
  2 * LONG_MS,
);
