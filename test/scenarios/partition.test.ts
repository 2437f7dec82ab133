/** The host of a session is cut off from Temporal and Postgres, while its Chrome and its workers live on. */
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { openNetwork, type Network } from '../support/network';
import { TestHost } from '../support/test-host';
import { demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const LONG_MS = 120_000;
let stack: WholeStack;
let network: Network;
let hosts: TestHost[] = [];
beforeAll(async () => {
  stack = await startWholeStack({}, { wants: (name) => /^(engine-1|shop)$/.test(name) });
  network = await openNetwork();
  process.stdout.write(`partition test: ${network.way}, ${network.reason}\n`);
  const database = new URL(stack.databaseUrl);
  hosts = await Promise.all(
    network.places.map(async (place, index) => {
      const databaseUrl = new URL(stack.databaseUrl);
      databaseUrl.host = await network.forward(place, Number(database.port));
      const temporalAddress = await network.forward(place, Number(stack.temporalAddress.split(':')[1]));
      const options = { databaseUrl: databaseUrl.href, temporalAddress, through: place.through };
      return new TestHost(stack, `host-${index}`, options);
    }),
  );
  await Promise.all(hosts.map((host) => host.start()));
}, 180_000);
afterAll(async () => {
  for (const host of hosts) await host.kill();
  await network.close();
  await stack.stop();
}, 60_000);

it(
  'a host that is cut off loses its session, does nothing more, and ends its Chrome when it is back',
  async () => {
    const run = randomUUID();
    const site = await network.forwardSite(Number(new URL(stack.shop).port));
    const { sessionId } = await stack.client.start(demoRequest({ ...stack, shop: site.url }, run));
    await recordOf(
      stack,
      sessionId,
      'a filled field of the order form',
      ({ type, stepIndex, data }) =>
        type === StreamEventType.COMMAND_COMPLETED && stepIndex === 6 && data.command?.action === 'INPUT_TEXT',
    );
    const before = await stack.engineStore.leases.get(sessionId);
    const index = hosts.findIndex(({ hostId }) => hostId === before?.hostId);
    const [own, place, other] = [hosts[index]!, network.places[index]!, hosts[1 - index]!];
    place.cut();
    const chrome = own.chromeOf(sessionId);
    expect(chrome).toBeDefined();

    const taken = await eventually(
      'the other host has the session',
      async () => {
        const lease = await stack.engineStore.leases.get(sessionId);
        return lease?.hostId === other.hostId && lease;
      },
      LONG_MS,
    );
    expect(await endOf(stack, sessionId, LONG_MS)).toBe(SessionStatus.COMPLETED);
    expect(own.chromeOf(sessionId)).toBe(chrome);
    const [log, journal] = [await stack.logOf(sessionId), await stack.engineStore.journal.ofSession(sessionId)];
    expect(orderProblems(log)).toEqual([]);

    const restoredAt = Date.now();
    place.restore();
    await eventually('its keeper has ended the Chrome', () => own.chromeOf(sessionId) === undefined, LONG_MS);
    expect(site.asked.filter(({ at, line }) => at >= restoredAt && !line.startsWith('GET'))).toEqual([]);
    expect(await stack.orders(run)).toHaveLength(1);
    expect(await stack.engineStore.journal.ofSession(sessionId)).toEqual(journal);
    expect(await stack.logOf(sessionId)).toEqual(log);
    await eventually('no lease', async () => (await stack.engineStore.leases.get(sessionId)) === null, LONG_MS);
    const sql = postgres(stack.databaseUrl, { max: 1 });
    const late = await sql`
      select c.command_id from commands c where session_id = ${sessionId} and epoch < ${taken.epoch}
        and intended_at > (select min(intended_at) from commands where session_id = ${sessionId} and epoch >= ${taken.epoch})`;
    await sql.end();
    expect([...late]).toEqual([]);
  },
  4 * LONG_MS,
);
