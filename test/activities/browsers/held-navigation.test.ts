import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestsIn } from '../../../contracts/commands/evidence';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

const ATTACH_LIMIT_MS = 8000;

/** A site that takes an order and answers when `answer` is called. */
async function aSite(): Promise<{ url: string; orders: () => number; answer: () => void }> {
  let orders = 0;
  let answer = (): void => {};
  const released = new Promise<void>((resolve) => (answer = resolve));
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.method === 'GET')
      return response.end('<form method="post" action="/orders"><button>Order</button></form>');
    orders += 1;
    return void released.then(() => response.end('<h1>Thank you</h1>'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, orders: () => orders, answer };
}

type Site = Awaited<ReturnType<typeof aSite>>;

/** A session whose worker died when it had ordered: the intent is in the journal, the order has no answer. */
async function ordered(): Promise<{ session: StagedSession; site: Site; command: PlannedCommand }> {
  const site = await aSite();
  const session = await stage.newSession();
  await session.open(site.url);
  const [command] = session.plan([a('CLICK_ELEMENT', { selector: 'role=button[name="Order"]' })]);
  const { commandId, action, parameters } = command!;
  const intent = { commandId, action, parameters, stepIndex: 0, turn: 0, position: 0, effect: 'commit' as const };
  await stage.store.journal.intend(
    session.sessionId,
    guardOf(session),
    { ...intent, pageUrl: session.page().url() },
    [],
  );
  void session
    .page()
    .getByRole('button')
    .click()
    .catch(() => {});
  await eventually('the order is on its way', () => site.orders() === 1);
  return { session, site, command: command! };
}

const guardOf = ({ runId, lease }: StagedSession) => ({ runId, epoch: lease!.epoch });
const pidOf = ({ sessionId }: StagedSession): number | undefined =>
  stage
    .browsers()
    .list()
    .find((browser) => browser.sessionId === sessionId)?.pid;

/** Resolves when somebody has waited for longer than attaching may take. */
async function outwaited(): Promise<void> {
  const from = performance.now();
  await eventually('the limit is over', () => performance.now() - from > 1.5 * ATTACH_LIMIT_MS);
}

test('a worker that takes over while an order has no response waits for it in the same Chrome', async () => {
  const { session, site, command } = await ordered();
  const [pid, { browserId }] = [pidOf(session), session.lease!];
  const { outcomes, page } = await session.run([command], {
    worker: 'second',
    timeoutMs: ATTACH_LIMIT_MS,
    whileRunning: async () => {
      await outwaited();
      site.answer();
    },
  });
  expect(outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(outcomes[0]?.message).toContain(`POST ${site.url}/orders 200`);
  expect(page.url).toBe(`${site.url}/orders`);
  expect(JSON.stringify(await session.look())).toContain('Thank you');
  expect({ pid: pidOf(session), browserId: session.lease!.browserId }).toEqual({ pid, browserId });
  expect(site.orders()).toBe(1);
});

test('an order that is known to be executed is done once its response arrives', async () => {
  const { session, site, command } = await ordered();
  await stage.store.journal.markExecuted(session.sessionId, guardOf(session), command.commandId);
  const pid = pidOf(session);
  await session.did([command], {
    worker: 'second',
    timeoutMs: ATTACH_LIMIT_MS,
    whileRunning: async () => {
      await outwaited();
      site.answer();
    },
  });
  const { evidence, status } = await session.lastEntry();
  expect(status).toBe('done');
  expect(requestsIn(evidence)).toContainEqual(expect.objectContaining({ method: 'POST', status: 200 }));
  expect([pidOf(session), site.orders()]).toEqual([pid, 1]);
});

test('an order whose response exceeds its limit is awaited, resolved, and not sent again', async () => {
  const site = await aSite();
  const session = await stage.newSession();
  await session.open(site.url);
  const { outcomes, page } = await session.run([a('CLICK_ELEMENT', { selector: 'role=button[name="Order"]' })], {
    timeoutMs: ATTACH_LIMIT_MS,
    whileRunning: async () => {
      await eventually('the order is on its way', () => site.orders() === 1);
      await outwaited();
      site.answer();
    },
  });
  expect(outcomes).toMatchObject([{ status: 'unknown', code: 'TL004' }]);
  expect(outcomes[0]?.message).toContain(`POST ${site.url}/orders 200`);
  expect(page.url).toBe(`${site.url}/orders`);
  expect((await session.lastEntry()).attempts).toBe(1);
  expect(site.orders()).toBe(1);
});

test('a pause does not wait for the response, and the attempt after it does', async () => {
  const { session, site, command } = await ordered();
  const epoch = session.lease!.epoch;
  const pid = pidOf(session);
  const cancelled = session.run([command], {
    worker: 'second',
    timeoutMs: 30_000,
    whileRunning: async (cancel) => {
      await eventually('it takes over', async () => (await stage.store.leases.get(session.sessionId))!.epoch > epoch);
      cancel();
    },
  });
  await expect(cancelled).rejects.toMatchObject({ name: 'CancelledFailure' });
  site.answer();
  expect((await session.run([command], { worker: 'second' })).outcomes).toMatchObject([{ status: 'unknown' }]);
  expect([pidOf(session), site.orders()]).toEqual([pid, 1]);
});

test('a keeper that is replaced during the wait costs one more attempt, and no Chrome', async () => {
  const { session, site, command } = await ordered();
  const [epoch, pid] = [session.lease!.epoch, pidOf(session)];
  const first = session.run([command], {
    worker: 'second',
    whileRunning: async () => {
      await eventually('it takes over', async () => (await stage.store.leases.get(session.sessionId))!.epoch > epoch);
      await eventually('it is let in', () =>
        stage
          .browsers()
          .list()
          .some((browser) => browser.sessionId === session.sessionId && browser.epoch > epoch),
      );
      await stage.restartKeeper();
      site.answer();
    },
  });
  await expect(first).rejects.toMatchObject({ type: 'EX001', nonRetryable: false });
  const { outcomes } = await session.run([command], { worker: 'second' });
  expect(outcomes[0]?.message).toContain(`POST ${site.url}/orders 200`);
  expect([pidOf(session), site.orders()]).toEqual([pid, 1]);
});

test('a Chrome that accepts no client although its page waits for nothing is given up', async () => {
  const session = await stage.newSession();
  await session.open(stage.page('/endless', '<h1>Endless</h1>'));
  // It answers before the timer runs.
  await session.page().evaluate('setTimeout(() => { for (;;); })');
  const taking = session.run([a('GET_DOM')], { worker: 'second', timeoutMs: ATTACH_LIMIT_MS });
  await expect(taking).rejects.toMatchObject({ type: 'BrowserGone' });
});
