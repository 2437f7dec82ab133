/** The process that renders a page dies, as when memory runs out: its Chrome runs on, and shows nothing in its place. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { a, type StagedSession } from '../../support/browser-session';
import { eventually } from '../../support/eventually';
import { killRenderers } from '../../support/kill';

let stage: BrowserStage;
let site: Awaited<ReturnType<typeof startSite>>;
beforeAll(async () => {
  [stage, site] = await Promise.all([openBrowserStage(), startSite()]);
});
afterAll(async () => {
  await stage.stop();
  await site.close();
});
beforeEach(() => site.received.splice(0));

const FORM = `<!doctype html><title>Order</title><form method="post" action="/order">
  <label>Quantity <input name="quantity" value="1"></label><button>Order</button></form>`;

/** A site that notes the orders it gets and answers none of them, and shows a frame of another site. */
async function startSite() {
  const received: string[] = [];
  const open: ServerResponse[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'POST') return (received.push(body), open.push(response));
      const { port } = server.address() as AddressInfo;
      const framed = `<title>Framed</title><iframe src="http://localhost:${port}/form"></iframe>`;
      return response.writeHead(200, { 'content-type': 'text/html' }).end(request.url === '/framed' ? framed : FORM);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const response of open) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function at(path: string): Promise<StagedSession> {
  const session = await stage.newSession();
  await session.open(`${site.url}${path}`);
  return session;
}

const chromeOf = ({ sessionId }: StagedSession) =>
  stage
    .browsers()
    .list()
    .find((browser) => browser.sessionId === sessionId);

const died = {
  type: BROWSER_GONE,
  message: expect.stringMatching(/^The browser of this session is gone: The process that shows the page has died/),
};

/** Takes another Chrome for the one that was lost, as the workflow does. */
async function takeAnother(session: StagedSession): Promise<void> {
  const { browserId } = session.lease!;
  await session.acquire('first', { browserId, stepIndex: 0 });
  expect(session.lease!.browserId).not.toBe(browserId);
}

test('a page whose renderer died while nobody used it is lost, and the next Chrome has its checkpoint', async () => {
  const session = await at('/');
  await session.did([a('INPUT_TEXT', { selector: 'ref=e1', text: '7' }, await session.target('textbox', 'Quantity'))]);
  killRenderers(chromeOf(session)!.pid);
  await eventually('the keeper has ended the Chrome', () => (chromeOf(session) === undefined ? true : undefined));
  expect(await lastFailure(session, [a('EXPECT', { title: 'Order' })])).toMatchObject(died);
  await takeAnother(session);
  expect(await session.look()).toMatchObject({ url: `${site.url}/`, title: 'Order' });
  expect(await session.page().getByLabel('Quantity').inputValue()).toBe('7');
});

test('a commit under way when the renderer dies is unknown, is not repeated, and was received once', async () => {
  const session = await at('/');
  const click = session.plan([
    a('CLICK_ELEMENT', { selector: 'ref=e1' }, await session.target('button', 'Order')),
    a('OPEN_PAGE', { url: `${site.url}/after` }),
  ]);
  const ran = session.run(click, {
    async whileRunning() {
      await eventually('the order is received', () => site.received[0]);
      killRenderers(chromeOf(session)!.pid);
    },
  });
  await expect(ran).rejects.toMatchObject({ type: BROWSER_GONE });
  await takeAnother(session);
  const entry = (await session.journal()).find(({ action }) => action === 'CLICK_ELEMENT');
  expect(entry).toMatchObject({ status: 'unknown', evidence: { kind: 'interrupted', lostWith: 'browser' } });
  expect(entry?.error?.message).toContain(`POST ${site.url}/order`);
  expect((await session.run(click)).outcomes[0]).toMatchObject({ status: 'unknown' });
  expect(site.received).toEqual(['quantity=1']);
});

test('no command fails or passes on the empty tab in place of a page whose renderer died under it', async () => {
  const session = await at('/');
  const expectations = session.plan([a('WAIT_FOR', { text: 'Thank you', seconds: 20 })]);
  const ran = session.run(expectations, {
    async whileRunning() {
      await eventually('the page is waited for', async () => (await session.lastEntry()).status === 'intended');
      killRenderers(chromeOf(session)!.pid);
    },
  });
  await expect(ran).rejects.toMatchObject({ type: BROWSER_GONE });
  await takeAnother(session);
  expect((await session.look()).url).toBe(`${site.url}/`);
});

test('a frame of another site whose renderer died is lost like a page', async () => {
  const session = await at('/framed');
  const { pid } = chromeOf(session)!;
  killRenderers(pid);
  await eventually('the keeper has ended the Chrome', () => (chromeOf(session) === undefined ? true : undefined));
  expect(await lastFailure(session)).toMatchObject(died);
  await takeAnother(session);
  expect(JSON.stringify((await session.look()).nodes)).toContain('Quantity');
});

test('a renderer that died while no keeper ran is found by the next one', async () => {
  const session = await at('/');
  const { pid } = chromeOf(session)!;
  await stage.restartKeeper(() => killRenderers(pid));
  await eventually('the next keeper has ended the Chrome', () => (chromeOf(session) === undefined ? true : undefined));
  expect(await lastFailure(session, [a('EXPECT', { title: 'Order' })])).toMatchObject(died);
  await takeAnother(session);
  expect(await session.look()).toMatchObject({ url: `${site.url}/`, title: 'Order' });
});

/** Of a batch that is tried again while its failure says so, as Temporal does: the relay may close under an attempt. */
async function lastFailure(
  session: StagedSession,
  commands: Parameters<StagedSession['run']>[0] = [],
): Promise<unknown> {
  return await eventually('an attempt fails for good', async () => {
    const failure = await session.run(commands).then(
      () => undefined,
      (error: { nonRetryable?: boolean; type?: string }) => error,
    );
    return failure !== undefined && (failure.type === BROWSER_GONE || failure.nonRetryable === true)
      ? failure
      : undefined;
  });
}
