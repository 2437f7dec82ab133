/** A session releases its Chrome and continues in another: what the other one restores, and what is published of it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findTarget } from '../../../activities/browser/targets/find-target';
import { isEffectLost } from '../../../contracts/commands/evidence';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';

const FORM = `<!doctype html><title>Form</title><form>
  <input id="name" aria-label="Name"><input id="code" autocomplete="one-time-code" aria-label="Code">
  <input type="password" id="password" aria-label="Password"><input id="token" aria-label="Token">
</form><button>Go</button>`;

let stage: BrowserStage;
let server: Server;
let site: string;
/** What the page says beside its form; a test changes it. */
let news = '';

beforeAll(async () => {
  stage = await openBrowserStage();
  server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`${FORM}<p>${news}</p>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stage.env['GIVE_BACK_PASSWORD'] = 'correct-horse';
  stage.env['GIVE_BACK_TOKEN'] = 'tok-51ead';
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await stage.stop();
});

const secrets = { variables: { password: { env: 'GIVE_BACK_PASSWORD' }, token: { env: 'GIVE_BACK_TOKEN' } } };
const typeInto = (id: string, text: string) => a('INPUT_TEXT', { selector: `#${id}`, text });
const isKept = ({ sessionId }: StagedSession): boolean =>
  stage
    .browsers()
    .list()
    .some((browser) => browser.sessionId === sessionId);

async function comeBack(session: StagedSession, worker?: string): Promise<boolean | undefined> {
  return (await session.acquire(worker, undefined, { stepIndex: 0 })).isPageChanged;
}

async function lostCommands(session: StagedSession): Promise<string[]> {
  const entries = await session.journal();
  return entries.filter(({ evidence }) => isEffectLost(evidence)).map(({ action }) => action);
}

test('the next Chrome restores the page as it was released, with secrets of variables filled in', async () => {
  const session = await stage.newSession(secrets);
  await session.open(`${site}/form`);
  await session.did([
    typeInto('name', 'Ada'),
    typeInto('password', '${password}'),
    typeInto('token', '${token}'),
    typeInto('code', '123456'),
  ]);
  const before = session.lease!.browserId;
  await session.page().fill('#code', '');
  await session.releaseBrowser();
  expect(isKept(session)).toBe(false);
  expect(await stage.store.leases.get(session.sessionId)).toBeNull();
  const kept = JSON.stringify(await stage.store.checkpoints.get(session.sessionId));
  expect(kept).not.toMatch(/correct-horse|tok-51ead|123456/);
  expect(kept).toContain('"variable":"password"');

  expect(await comeBack(session, 'second')).toBe(false);
  expect(session.lease!.browserId).not.toBe(before);
  const page = session.page('second');
  expect([await page.inputValue('#name'), await page.inputValue('#password'), await page.inputValue('#token')]).toEqual(
    ['Ada', 'correct-horse', 'tok-51ead'],
  );
  expect(await lostCommands(session)).toEqual([]);
  expect(JSON.stringify([await session.look(), await session.log()])).not.toMatch(/correct-horse|tok-51ead/);
  expect((await session.log()).filter(({ type }) => type === 'WARNING_ISSUED')).toEqual([]);
});

test('a secret without a variable is not kept: the page counts as changed, and what was typed as lost', async () => {
  const session = await stage.newSession(secrets);
  await session.open(`${site}/form`);
  await session.did([typeInto('password', 'typed by a person')]);
  await session.releaseBrowser();
  expect(await comeBack(session)).toBe(true);
  expect(await session.page().inputValue('#password')).toBe('');
  expect(await lostCommands(session)).toContain('INPUT_TEXT');
});

test('an attempt that was frozen while it released a Chrome does not end the next one', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/form`);
  const { epoch } = session.lease!;
  await session.releaseBrowser();
  await comeBack(session);
  await session.did([typeInto('name', 'Ada')]);
  await stage.worker().attachments.release(session.sessionId, epoch);
  expect(isKept(session)).toBe(true);
  expect(await stage.store.leases.get(session.sessionId)).toMatchObject({ epoch: session.lease!.epoch });
  expect(await session.page().inputValue('#name')).toBe('Ada');
});

test('a secret that is not set at the next worker is reported by its name', async () => {
  const session = await stage.newSession(secrets);
  await session.open(`${site}/form`);
  await session.did([typeInto('password', '${password}')]);
  await session.releaseBrowser();
  delete stage.env['GIVE_BACK_PASSWORD'];
  expect(await comeBack(session)).toBe(true);
  stage.env['GIVE_BACK_PASSWORD'] = 'correct-horse';
  const warnings = (await session.log()).filter(({ type }) => type === 'WARNING_ISSUED');
  expect(warnings.map(({ data }) => data.warning?.message)).toEqual([
    expect.stringContaining('The field that held password stays empty'),
  ]);
  expect(await lostCommands(session)).toContain('INPUT_TEXT');
});

test('a page with new content counts as changed, and nothing that it still has counts as lost', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/form`);
  await session.did([typeInto('name', 'Ada')]);
  await session.releaseBrowser();
  news = 'The price has changed.';
  expect(await comeBack(session)).toBe(true);
  news = '';
  expect(JSON.stringify(await session.look())).toContain('The price has changed.');
  expect(await session.page().inputValue('#name')).toBe('Ada');
  expect(await lostCommands(session)).toEqual([]);
});

test('a page whose state was only in memory counts as changed', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/form`);
  await session.did([typeInto('name', 'Ada')]);
  await session.page().evaluate(() => history.pushState({}, '', '/form#deep'));
  await session.page().evaluate(() => (document.querySelector('p')!.textContent = 'in memory only'));
  await session.releaseBrowser();
  expect(await comeBack(session)).toBe(true);
});

test('a repeated release, and a repeated restore after a worker died, have the same result', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/form`);
  await session.did([typeInto('name', 'Ada')]);
  await session.releaseBrowser();
  await session.releaseBrowser('second');
  // It had attached to the new Chrome and restored nothing yet.
  await stage.worker('dying').attachments.acquire(session.sessionId, session, {
    headless: true,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  });
  expect(await comeBack(session)).toBe(false);
  expect(await comeBack(session, 'second')).toBe(false);
  expect(await session.page('second').inputValue('#name')).toBe('Ada');
});

test('a worker other than the lease holder can release the browser', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/form`);
  await session.did([typeInto('name', 'Ada')], { worker: 'first' });
  await session.releaseBrowser('second');
  expect(isKept(session)).toBe(false);
  expect(await comeBack(session, 'first')).toBe(false);
});

test('a click that was never sent is recorded as failed before its page ends', async () => {
  const session = await stage.newSession();
  const path = '/parts/counter';
  await session.open(path);
  const [click] = session.plan([a('CLICK_ELEMENT', { selector: 'button' })]);
  const { commandId, action, parameters } = click!;
  const { sessionId, runId } = session;
  const place = { stepIndex: 0, turn: 0, position: 0, pageUrl: session.page().url() };
  const intent = { ...place, commandId, action, parameters, effect: 'commit' as const };
  await stage.store.journal.intend(sessionId, { runId, epoch: session.lease!.epoch }, intent, []);
  // What a worker leaves that armed the mark and died before it clicked.
  await findTarget(session.attachment(), click!, 'button', 1000, new AbortController().signal);
  await session.releaseBrowser('second');
  expect(await session.lastEntry()).toMatchObject({ status: 'failed', error: { code: 'EX001' } });
  expect((await session.lastEntry()).error?.message).toContain('was not sent');
  expect(session.count()).toBe(0);
});

test('a click that its page knows nothing about is unknown, and is not repeated in the next Chrome', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  const [click] = session.plan([a('CLICK_ELEMENT', { selector: 'button' })]);
  const { commandId, action, parameters } = click!;
  const { sessionId, runId } = session;
  const place = { stepIndex: 0, turn: 0, position: 0, pageUrl: session.page().url() };
  const intent = { ...place, commandId, action, parameters, effect: 'commit' as const };
  await stage.store.journal.intend(sessionId, { runId, epoch: session.lease!.epoch }, intent, []);
  await session.releaseBrowser();
  expect(await session.lastEntry()).toMatchObject({ status: 'unknown' });
  await comeBack(session);
  expect((await session.run([click!])).outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(session.count()).toBe(0);
});

test('a Chrome that is gone before its release leaves no lease', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/form`);
  const { pid } = stage
    .browsers()
    .list()
    .find(({ sessionId }) => sessionId === session.sessionId)!;
  process.kill(pid, 'SIGKILL');
  await eventually('the keeper has noticed', () => !isKept(session));
  await expect(session.releaseBrowser()).rejects.toMatchObject({ type: 'BrowserGone' });
  expect(await stage.store.leases.get(session.sessionId)).toBeNull();
  expect(await comeBack(session)).toBe(true);
  expect(session.page().url()).toBe(`${site}/form`);
});
