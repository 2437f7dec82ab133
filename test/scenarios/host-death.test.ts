/** Two hosts on one stack; the one that a session runs on dies, whole. */
import { randomUUID } from 'node:crypto';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { TestHost } from '../support/test-host';
import { demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const LONG_MS = 120_000;
let stack: WholeStack;
let hosts: TestHost[];
beforeAll(async () => {
  stack = await startWholeStack({}, { wants: (name) => /^(engine-1|shop)$/.test(name) });
  hosts = [new TestHost(stack, 'host-a'), new TestHost(stack, 'host-b')];
  await Promise.all(hosts.map((host) => host.start()));
}, 180_000);
afterAll(async () => {
  for (const host of hosts) await host.kill();
  await stack.stop();
}, 60_000);

const { COMMAND_COMPLETED } = StreamEventType;

/** Starts the demo and waits until it is in the middle of the order form; resolves to its host and the other one. */
async function startInForm(run: string) {
  const { sessionId } = await stack.client.start(demoRequest(stack, run));
  await recordOf(
    stack,
    sessionId,
    'a filled field of the order form',
    ({ type, stepIndex, data }) =>
      type === COMMAND_COMPLETED && stepIndex === 6 && data.command?.action === 'INPUT_TEXT',
  );
  const lease = await stack.engineStore.leases.get(sessionId);
  const own = hosts.find(({ hostId }) => hostId === lease?.hostId)!;
  const other = hosts.find((host) => host !== own)!;
  return { sessionId, own, other };
}

it(
  'a host that dies with all its processes costs a session a moment on the other one',
  async () => {
    const run = randomUUID();
    const { sessionId, own, other } = await startInForm(run);
    await own.kill();
    await eventually(
      'the other host has the session',
      async () => {
        const lease = await stack.engineStore.leases.get(sessionId);
        return lease?.hostId === other.hostId;
      },
      LONG_MS,
    );
    expect(await endOf(stack, sessionId, LONG_MS)).toBe(SessionStatus.COMPLETED);
    expect(await stack.orders(run)).toHaveLength(1);
    expect(orderProblems(await stack.logOf(sessionId))).toEqual([]);
    const journal = await stack.engineStore.journal.ofSession(sessionId);
    expect(journal.filter(({ status }) => status === 'intended')).toEqual([]);
    expect(await stack.engineStore.leases.get(sessionId)).toBeNull();
    await eventually('no Chrome of the session is left', () =>
      hosts.every((host) => host.chromeOf(sessionId) === undefined),
    );
    await own.start();
  },
  3 * LONG_MS,
);

it(
  'a host whose processes died ends their Chromes when it is back, if their session went elsewhere',
  async () => {
    const run = randomUUID();
    const { sessionId, own, other } = await startInForm(run);
    await own.kill({ chromes: false });
    const left = own.chromeOf(sessionId);
    expect(left).toBeDefined();
    await eventually(
      'the other host has the session',
      async () => {
        const lease = await stack.engineStore.leases.get(sessionId);
        return lease?.hostId === other.hostId;
      },
      LONG_MS,
    );
    expect(own.chromeOf(sessionId)).toBe(left);
    await own.start();
    await eventually('its keeper has ended the Chrome', () => own.chromeOf(sessionId) === undefined, LONG_MS);
    expect(await endOf(stack, sessionId, LONG_MS)).toBe(SessionStatus.COMPLETED);
    expect(await stack.orders(run)).toHaveLength(1);
  },
  3 * LONG_MS,
);
