/** The egress process, through which every Chrome reaches the network, dies while a page is opened. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import { EngineError } from '../../../activities/activity/failures';
import { a, type StagedSession } from '../../support/browser-session';
import { deadUrl, openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';
import { freeze } from '../../support/freeze';

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

const HOME = `<!doctype html><title>Home</title><a href="/page">read on</a>
  <form method="post" action="/order"><input name="item" value="one lamp"><button>Order</button></form>
  <form method="post" action="/slow"><button>Order slowly</button></form>`;

/** A site that notes what arrives; the first `/slow` has its answer when the test gives it. */
async function startSite() {
  const received: string[] = [];
  let answerSlow = (): void => {};
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url !== '/favicon.ico') received.push(`${request.method} ${request.url} ${body}`.trim());
      const answer = (): void => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(request.url === '/' ? HOME : `<title>The page of ${request.method} ${request.url}</title>`);
      };
      if (request.url === '/slow' && received.length === 1) answerSlow = answer;
      else answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    answerSlow: () => answerSlow(),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function atHome(): Promise<StagedSession> {
  const session = await stage.newSession();
  await session.open(site.url);
  site.received.splice(0);
  return session;
}

/** Kills the egress process once the site has received this. */
const killOnceReceived = (request: string) => async (): Promise<void> => {
  await eventually(`${request} is received`, () => (site.received.includes(request) ? true : undefined));
  await stage.killEgress();
};

test('a session whose egress process does not answer at its start is tried again until it does', async () => {
  await atHome();
  const pid = stage.egressPid();
  await freeze(pid);
  const session = await stage.newSession();
  const failure: unknown = await session
    .acquire()
    .catch((error: unknown) => error)
    .finally(() => process.kill(pid, 'SIGCONT'));
  expect(failure).toMatchObject({
    nonRetryable: false,
    message: expect.stringMatching(/^The egress process of this host gave no answer to PUT .*; ask again\.$/),
  });
  await session.open(site.url);
});

test('an address that is opened while the egress process is dead is open once there is another one', async () => {
  const session = await atHome();
  await stage.killEgress();
  await session.did([a('OPEN_PAGE', { url: `${site.url}/page` })]);
  expect(await session.look()).toMatchObject({ url: `${site.url}/page`, title: 'The page of GET /page' });
  expect(site.received).toEqual(['GET /page']);
});

test('an address that may have been received is not requested by itself again, and can be opened at once', async () => {
  const session = await atHome();
  const opening = a('OPEN_PAGE', { url: `${site.url}/slow` });
  const { outcomes } = await session.run([opening], { whileRunning: killOnceReceived('GET /slow') });
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'TL002' }]);
  expect(outcomes[0]?.message).toContain(`GET ${site.url}/slow has no answer`);
  expect((await session.lastEntry()).error?.retryable).toBe(true);
  expect(site.received).toEqual(['GET /slow']);
  await session.did([opening]);
  expect(site.received).toEqual(['GET /slow', 'GET /slow']);
});

test('a link that is clicked while the egress process is dead leads to its page', async () => {
  const session = await atHome();
  const link = await session.target('link', 'read on');
  await stage.killEgress();
  await session.did([
    a('CLICK_ELEMENT', { selector: 'ref=e1' }, link),
    a('EXPECT', { title: 'The page of GET /page' }),
  ]);
  expect(site.received).toEqual(['GET /page']);
});

const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const gone = new EngineError('EX001', 'The browser of this session is gone.', { type: BROWSER_GONE });

test.each([
  ['can not be reached', unreachable, { type: 'CM002', nonRetryable: false }],
  ['knows nothing of the browser', gone, { type: BROWSER_GONE }],
])(
  'a click after which egress is dead and the keeper %s has not failed: the next attempt finds out',
  async (_, error, expected) => {
    const session = await atHome();
    const link = await session.target('link', 'read on');
    const click = session.plan([a('CLICK_ELEMENT', { selector: 'ref=e1' }, link)]);
    const { attachments } = stage.worker();
    const { keeper } = attachments;
    attachments.keeper = () =>
      session.page().url().startsWith('chrome-error:') ? Promise.reject(error) : keeper.call(attachments);
    const failure: unknown = await stage
      .withoutEgress(() => session.run(click).catch((thrown: unknown) => thrown))
      .finally(() => (attachments.keeper = keeper));
    expect(failure).toMatchObject(expected);
    expect(await session.lastEntry()).toMatchObject({ status: 'intended' });
    await session.did([...click, a('EXPECT', { title: 'The page of GET /page' })]);
    expect(site.received).toEqual(['GET /page']);
  },
);

test('a click cancelled while its page is awaited has not failed: the next attempt awaits the page', async () => {
  const session = await atHome();
  await session.page().evaluate(() => document.querySelector('a')!.setAttribute('href', '/slow'));
  await session.run([]);
  const click = session.plan([a('CLICK_ELEMENT', { selector: 'ref=e1' }, await session.target('link', 'read on'))]);
  // The click finds no way out, however slow this machine is; what awaits its page finds one again.
  const { attachments } = stage.worker();
  const { keeper } = attachments;
  const isLost = () => session.page().url().startsWith('chrome-error:');
  const revived = Promise.withResolvers<void>();
  attachments.keeper = async () => {
    if (isLost()) await revived.promise;
    return await keeper.call(attachments);
  };
  const running = await stage.withoutEgress(async () => {
    const output = session.run(click, {
      async whileRunning(cancel) {
        await eventually('the page is requested', () => (site.received.includes('GET /slow') ? true : undefined));
        cancel();
      },
    });
    output.catch(() => {});
    await eventually('the page is lost', isLost);
    return { output };
  });
  revived.resolve();
  const { isInterrupted } = await running.output.finally(() => (attachments.keeper = keeper));
  expect(isInterrupted).toBe(true);
  expect(await session.lastEntry()).toMatchObject({ status: 'intended' });
  site.answerSlow();
  await session.did([...click, a('EXPECT', { title: 'The page of GET /slow' })]);
  expect(site.received).toEqual(['GET /slow']);
});

test('a form that Chrome could not send is sent once there is another egress process, with what was in it', async () => {
  const session = await atHome();
  const button = await session.target('button', 'Order');
  await stage.killEgress();
  await session.did([
    a('CLICK_ELEMENT', { selector: 'ref=e1' }, button),
    a('EXPECT', { title: 'The page of POST /order' }),
  ]);
  expect(site.received).toEqual(['POST /order item=one+lamp']);
});

test('a form that was sent when egress died is never sent again: the outcome of its click is unknown', async () => {
  const session = await atHome();
  const button = await session.target('button', 'Order slowly');
  const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector: 'ref=e1' }, button)], {
    whileRunning: killOnceReceived('POST /slow'),
  });
  expect(outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(outcomes[0]?.message).toContain(`POST ${site.url}/slow no answer`);
  expect(await session.look()).toMatchObject({ url: `${site.url}/`, title: 'Home' });
  expect((await session.lastEntry()).evidence).toMatchObject({ kind: 'interrupted', lostWith: 'browser' });
  expect(site.received.filter((request) => request.startsWith('POST'))).toEqual(['POST /slow']);
});

test('a Chrome that takes over from one that showed an error has the page before', async () => {
  const session = await atHome();
  await session.run([a('OPEN_PAGE', { url: await deadUrl() })]);
  expect(session.page().url()).toMatch(/^chrome-error:/);
  await loseChrome(session);
  expect(await session.look()).toMatchObject({ url: `${site.url}/`, title: 'Home' });
});

/** Its page leads on while there is no egress process: killing it is not enough, for another may be there before the page asks. */
async function losesPage(session: StagedSession): Promise<void> {
  await stage.withoutEgress(async () => {
    await session.page().evaluate(() => location.assign('/page'));
    await eventually('Chrome shows that it has no connection', () =>
      session.page().url().startsWith('chrome-error:') ? true : undefined,
    );
  });
}

test('a page that leads on by itself while a model thinks is there for the next command', async () => {
  const session = await atHome();
  await losesPage(session);
  await session.did([a('EXPECT', { title: 'The page of GET /page' })]);
  expect(session.page().url()).toBe(`${site.url}/page`);
});

test('a page that led on with a request that may have arrived is not requested again, and the log says so', async () => {
  const session = await atHome();
  await session.page().evaluate(() => location.assign('/slow'));
  await killOnceReceived('GET /slow')();
  await eventually('Chrome shows that it has no answer', () => session.page().url().startsWith('chrome-error:'));
  const { outcomes } = await session.run([a('EXPECT', { title: 'The page of GET /slow' })]);
  expect(outcomes).toMatchObject([{ status: 'failed' }]);
  const warnings = (await session.log()).flatMap(({ data }) => data.warning?.message ?? []);
  expect(warnings).toEqual([
    `The connection of the browser broke while its page led on by itself: GET ${site.url}/slow has no answer and may have been received, so it was not sent again. The page shows an error; open it again.`,
  ]);
  expect(site.received).toEqual(['GET /slow']);
});

test('a page whose failure the keeper has not heard of yet is opened again once it has', async () => {
  const session = await atHome();
  await losesPage(session);
  const { attachments } = stage.worker();
  const { keeper } = attachments;
  let asked = 0;
  attachments.keeper = async () => {
    const client = await keeper.call(attachments);
    return {
      ...client,
      async evidence(...of) {
        const evidence = await client.evidence(...of);
        asked += 1;
        return asked > 2 ? evidence : { ...evidence, requests: evidence.requests.filter(({ failure }) => !failure) };
      },
    };
  };
  await session.did([a('EXPECT', { title: 'The page of GET /page' })]).finally(() => (attachments.keeper = keeper));
  expect(asked).toBeGreaterThan(2);
});

/** Kills the session's Chrome and takes another, as its workflow does. */
async function loseChrome(session: StagedSession, meanwhile = async (): Promise<void> => {}): Promise<void> {
  const own = () =>
    stage
      .browsers()
      .list()
      .find(({ sessionId }) => sessionId === session.sessionId);
  const { browserId } = session.lease!;
  process.kill(own()!.pid, 'SIGKILL');
  await eventually('its keeper has noticed', () => own() === undefined);
  await meanwhile();
  await session.acquire('first', { browserId, stepIndex: 0 });
}

test('a Chrome that takes over while the egress process is dead has the pages of the checkpoint', async () => {
  const session = await atHome();
  await loseChrome(session, () => stage.killEgress());
  expect(await session.look()).toMatchObject({ url: `${site.url}/`, title: 'Home' });
});
