import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import postgres from 'postgres';
import { isEffectLost, requestsIn } from '../../../contracts/commands/evidence';
import { EMPTY_CHECKPOINT, takeCheckpoint } from '../../../activities/browser/checkpoints/take-checkpoint';
import { createProfiles } from '../../../service/profiles/profiles';
import { SessionStatus } from '../../../contracts/sessions/session';
import { createSessionValues } from '../../../activities/secrets/session-values';
import type { Checkpoint } from '../../../store/browsers/checkpoints';
import { a, type StagedSession } from '../../support/browser-session';
import { startPasskeySite } from '../../support/passkey-site';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';
import { everyRow } from '../../support/every-row';
import { freeze } from '../../support/freeze';

const PAGE = `<!doctype html><title>Held</title><form>
  <input id="name" aria-label="Name"><input id="token" aria-label="Token">
  <input type="password" id="password" aria-label="Password"><input id="again" aria-label="Again">
  <textarea id="note" aria-label="Note"></textarea><input type="checkbox" id="terms" aria-label="Terms">
  <select id="size" aria-label="Size"><option>S<option>M<option>L</select>
  <input type="radio" name="speed" value="slow" aria-label="Slow"><input type="radio" name="speed" value="fast" aria-label="Fast">
</form><button>Nothing</button><a href="/second" target="_blank">Second</a><div style="height: 3000px"></div>`;

let stage: BrowserStage;
let server: Server;
let site: string;
let other: string;
/** How many requests for /held get no answer. */
let heldAnswers = 0;
/** Every request that reached the server, with its cookies. */
const requests: { method: string; url: string; cookie: string }[] = [];

beforeAll(async () => {
  stage = await openBrowserStage();
  server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    requests.push({ method, url, cookie: request.headers.cookie ?? '' });
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (url === '/held' && heldAnswers > 0) return void (heldAnswers -= 1);
    if (url.startsWith('/sign-in'))
      response.setHeader('set-cookie', ['sid=s3ss10n; HttpOnly; Path=/', 'seen=1; Path=/']);
    response.end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  site = `http://127.0.0.1:${port}`;
  other = `http://localhost:${port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await stage.stop();
});

async function kept(session: StagedSession): Promise<Checkpoint> {
  return (await stage.store.checkpoints.get(session.sessionId))!.checkpoint;
}

const pidOf = ({ sessionId }: StagedSession): number | undefined =>
  stage
    .browsers()
    .list()
    .find((browser) => browser.sessionId === sessionId)?.pid;

/** Kills the session's Chrome and takes another, as the workflow does. */
async function loseBrowser(session: StagedSession): Promise<void> {
  const { browserId } = session.lease!;
  process.kill(pidOf(session)!, 'SIGKILL');
  await eventually('the keeper has noticed', () => pidOf(session) === undefined);
  await session.acquire('first', { browserId, stepIndex: 0 });
  expect(session.lease!.browserId).not.toBe(browserId);
}

/** Runs in the page: fills a database with what JSON holds and one record that it does not. */
async function fillDatabase(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open('cart', 3);
    request.onupgradeneeded = () => {
      const lines = request.result.createObjectStore('lines', { keyPath: 'id' });
      lines.createIndex('by-name', 'name', { unique: true });
      lines.put({ id: 1, name: 'Trail Shoe', sizes: ['M', 'L'] });
      lines.put({ id: 2, name: 'Picture', data: new Blob(['x']) });
      request.result.createObjectStore('loose', { autoIncrement: true }).put('first');
    };
    request.onsuccess = () => resolve(request.result.close());
    request.onerror = () => reject(request.error!);
  });
}

async function readDatabase(): Promise<unknown> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('cart');
    request.onsuccess = () => resolve(request.result);
  });
  const all = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const transaction = database.transaction(['lines', 'loose']);
  return {
    version: database.version,
    lines: await all(transaction.objectStore('lines').index('by-name').getAll()),
    loose: await all(transaction.objectStore('loose').getAll()),
  };
}

test('gives the next Chrome cookies, storage, databases, scroll position and form values', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/sign-in`);
  await session.page().evaluate(() => {
    localStorage.setItem('basket', 'three \u0000 beans');
    sessionStorage.setItem('tab', 'the first');
    document.cookie = 'theme=dark';
  });
  await session.page().evaluate(fillDatabase);
  await session.open(`${site}/held`);
  await session.did([
    a('INPUT_TEXT', { selector: '#name', text: 'Ada Lovelace' }),
    a('INPUT_TEXT', { selector: '#note', text: 'two\nlines' }),
    a('SET_CHECKED', { selector: '#terms', checked: true }),
    a('SET_CHECKED', { selector: '[value=fast]', checked: true }),
    a('SELECT_OPTION', { selector: '#size', option: 'M' }),
  ]);
  await session.did([a('SCROLL', { to: 'bottom' })]);
  const scroll = await session.page().evaluate(() => scrollY);
  const before = requests.length;
  await loseBrowser(session);

  const page = session.page();
  expect(page.url()).toBe(`${site}/held`);
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === 'sid')).toMatchObject({ value: 's3ss10n', httpOnly: true });
  expect(cookies.map(({ name }) => name).toSorted()).toEqual(['seen', 'sid', 'theme']);
  expect(await page.evaluate(() => [localStorage.getItem('basket'), sessionStorage.getItem('tab')])).toEqual([
    'three \u0000 beans',
    'the first',
  ]);
  expect(await page.evaluate(readDatabase)).toEqual({
    version: 3,
    lines: [{ id: 1, name: 'Trail Shoe', sizes: ['M', 'L'] }],
    loose: ['first'],
  });
  expect(await page.locator('#name').inputValue()).toBe('Ada Lovelace');
  expect(await page.locator('#note').inputValue()).toBe('two\nlines');
  expect(await page.locator('#size').inputValue()).toBe('M');
  expect(await page.locator('#terms').isChecked()).toBe(true);
  expect(await page.locator('[value=fast]').isChecked()).toBe(true);
  expect(scroll).toBeGreaterThan(0);
  expect(await page.evaluate(() => scrollY)).toBe(scroll);
  const pages = requests.slice(before).filter(({ url }) => url !== '/favicon.ico');
  expect(pages.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /held']);
  expect(pages[0]!.cookie).toContain('sid=s3ss10n');
  expect((await session.look()).url).toBe(`${site}/held`);
  expect((await session.log()).map(({ data }) => data.warning?.message ?? '').join()).toContain('IndexedDB records');
  await session.did([a('EXPECT', { selector: '#name', text: 'Ada Lovelace' })]);
});

test('opens the tabs again, with the same one in front, each with its own sessionStorage', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  await session.page().evaluate(() => sessionStorage.setItem('tab', 'one'));
  await session.did([a('CLICK_ELEMENT', { selector: 'a' }), a('SWITCH_TAB', { tab: 'last' })]);
  await session.page().evaluate(() => sessionStorage.setItem('tab', 'two'));
  await session.did([a('INPUT_TEXT', { selector: '#name', text: 'x' })]);
  await loseBrowser(session);
  const { tabs } = session.attachment();
  expect(tabs.map((page) => page.url())).toEqual([`${site}/one`, `${site}/second`]);
  expect(session.page()).toBe(tabs[1]);
  expect(await Promise.all(tabs.map((page) => page.evaluate(() => sessionStorage.getItem('tab'))))).toEqual([
    'one',
    'two',
  ]);
});

test('keeps what an origin had stored when another one is open now', async () => {
  const session = await stage.newSession();
  await session.open(`${other}/first`);
  await session.page().evaluate(() => localStorage.setItem('where', 'other'));
  await session.did([a('CLICK_ELEMENT', { selector: 'button' })]);
  await session.open(`${site}/now`);
  // Another worker knows of the first origin by the store alone.
  await session.did([a('INPUT_TEXT', { selector: '#name', text: 'x' })], { worker: 'second' });
  await loseBrowser(session);
  await session.open(`${other}/first`);
  expect(await session.page().evaluate(() => localStorage.getItem('where'))).toBe('other');
});

test('contains no password and no secret of a form', async () => {
  stage.env['CHECKPOINT_TOKEN'] = 'tok-51ead';
  const session = await stage.newSession({ variables: { token: { env: 'CHECKPOINT_TOKEN' } } });
  await session.open(`${site}/secret`);
  await session.did([
    a('INPUT_TEXT', { selector: '#name', text: 'Ada' }),
    a('INPUT_TEXT', { selector: '#token', text: '${token}' }),
    a('INPUT_TEXT', { selector: '#password', text: 'correct-horse' }),
    a('INPUT_TEXT', { selector: '#again', text: 'correct-horse' }),
  ]);
  const checkpoint = await kept(session);
  expect(checkpoint.tabs[0]!.fields.map(({ value }) => value)).toEqual(['Ada']);
  expect(JSON.stringify(checkpoint)).not.toMatch(/tok-51ead|correct-horse/);
});

test('an old lease can not overwrite the checkpoint', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  const before = await kept(session);
  const { epoch } = session.lease!;
  await session.acquire('second');
  const stale = { browserId: 'old', checkpoint: EMPTY_CHECKPOINT };
  const guard = { runId: session.runId, epoch };
  await expect(stage.store.checkpoints.save(session.sessionId, guard, stale)).rejects.toMatchObject({
    reason: 'stale-epoch',
  });
  expect(await kept(session)).toEqual(before);
});

test('an old lease can not overwrite the snapshot that the model decides on', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  const [before, { epoch }] = [await session.look(), session.lease!];
  await session.acquire('second');
  const stale = { ...before, url: 'https://stale.test/' };
  await expect(
    stage.store.memory.saveSnapshot(session.sessionId, { runId: session.runId, epoch }, stale),
  ).rejects.toMatchObject({ reason: 'stale-epoch' });
  expect(await session.look()).toEqual(before);
});

test('a checkpoint that can not be saved fails its batch; the next attempt saves it and clicks nothing', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  const before = await kept(session);
  const sql = postgres(stage.databaseUrl, { max: 1 });
  const { sessionId } = session;
  await sql.unsafe(`
    create function refuse_checkpoint() returns trigger language plpgsql as
      $$ begin raise exception 'no room for this checkpoint'; end $$;
    create trigger refuse_checkpoint before insert or update on checkpoints for each row
      when (new.session_id = '${sessionId}') execute function refuse_checkpoint()`);
  const click = session.plan([a('CLICK_ELEMENT', { selector: 'a' })]);
  await expect(session.run(click)).rejects.toThrow('no room for this checkpoint');
  expect(await kept(session)).toEqual(before);
  await sql.unsafe('drop trigger refuse_checkpoint on checkpoints; drop function refuse_checkpoint');
  await sql.end();
  const { outcomes } = await session.run(click);
  expect(outcomes).toMatchObject([{ status: 'done' }]);
  const { tabs } = await kept(session);
  expect(tabs.map(({ url }) => url)).toEqual([`${site}/one`, `${site}/second`]);
});

test('a page slower than the first read is read with more time: the next Chrome has what was typed', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  await session.page().evaluate(() => {
    (document.querySelector('#note') as HTMLTextAreaElement).value = 'typed';
    // It answers before it is busy, and is busy for longer than one read may take.
    setTimeout(() => {
      for (const end = performance.now() + 6000; performance.now() < end;);
    });
  });
  const { sessionId, lease } = session;
  const attachment = session.attachment();
  const values = createSessionValues([], {});
  const scene = { store: stage.store, attachment, values, sessionId, runId: session.runId, epoch: lease!.epoch };
  expect(await takeCheckpoint(scene)).toEqual([]);
  expect((await kept(session)).tabs[0]!.fields.map(({ value }) => value)).toEqual(['typed']);
});

test('a Chrome that dies while it is read is lost: its fields do not pass for empty ones', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  await session.page().fill('#note', 'typed');
  const { sessionId, lease } = session;
  const attachment = session.attachment();
  const values = createSessionValues([], {});
  const scene = { store: stage.store, attachment, values, sessionId, runId: session.runId, epoch: lease!.epoch };
  await takeCheckpoint(scene);
  await session.page().evaluate(() => {
    (document.querySelector('#note') as HTMLTextAreaElement).value = 'typed later';
    setTimeout(() => {
      for (const end = performance.now() + 3000; performance.now() < end;);
    });
  });
  const taking = takeCheckpoint(scene);
  process.kill(pidOf(session)!, 'SIGKILL');
  await expect(taking).rejects.toThrow('The relay to the browser was closed');
  expect((await kept(session)).tabs[0]!.fields.map(({ value }) => value)).toEqual(['typed']);
});

test('a Chrome that does not answer keeps its last checkpoint, with the current address of its page', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/sign-in`);
  await session.page().goto(`${site}/second`);
  const { sessionId, lease } = session;
  const attachment = stage.worker().attachments.held(sessionId, lease!)!;
  await freeze(pidOf(session)!);
  const values = createSessionValues([], {});
  const scene = { store: stage.store, attachment, values, sessionId, runId: session.runId, epoch: lease!.epoch };
  const unread = await takeCheckpoint(scene).finally(() => process.kill(pidOf(session)!, 'SIGCONT'));
  expect(unread).toEqual(['the newest state of the browser, which did not answer']);
  const { tabs, cookies } = await kept(session);
  expect(tabs.map(({ url }) => url)).toEqual([`${site}/second`]);
  expect(new Set(cookies.map(({ name }) => name))).toEqual(new Set(['seen', 'sid']));
});

test('connectionTimeoutMs bounds the wait for a Chrome that does not answer', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  await freeze(pidOf(session)!);
  // Its successor may be slow as well.
  await session.acquire('second', undefined, undefined, 1234).catch(() => {});
  // Another limit would be named instead.
  expect(session.warnings).toContainEqual(
    expect.stringMatching(/answered nothing for more than 1234 ms.*another browser/),
  );
});

test('omits what is too large, form values and databases first, and reports it', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/large`);
  await session.page().evaluate(() => {
    localStorage.setItem('small', 'kept');
    (document.querySelector('#note') as HTMLTextAreaElement).value = 'x'.repeat(2_100_000);
  });
  await session.did([a('CLICK_ELEMENT', { selector: 'button' })]);
  const { tabs, origins, omitted } = await kept(session);
  expect(tabs[0]!.fields).toEqual([]);
  expect(origins).toMatchObject([{ local: [['small', 'kept']] }]);
  expect(omitted).toEqual([expect.stringContaining('form values')]);
});

test('a tab that can not be opened again is a warning and does not hold up the others', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  const { browserId } = session.lease!;
  const checkpoint = await kept(session);
  const tabs = [{ ...checkpoint.tabs[0]!, isFront: false, targetId: 'x', url: 'blob:nothing' }, checkpoint.tabs[0]!];
  const broken = { ...checkpoint, tabs };
  await stage.store.checkpoints.save(
    session.sessionId,
    { runId: session.runId, epoch: session.lease!.epoch },
    {
      browserId: browserId!,
      checkpoint: broken,
    },
  );
  await loseBrowser(session);
  expect(session.page().url()).toBe(`${site}/one`);
  expect((await session.log()).filter(({ type }) => type === 'WARNING_ISSUED')).toMatchObject([
    { data: { warning: { message: expect.stringContaining('blob:nothing') } } },
  ]);
});

test('the page in front is asked for once more where it is late, and kept in mind where it does not come', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/held`);
  await session.page().evaluate(() => localStorage.setItem('a', 'b'));
  await session.did([a('PRESS_KEY', { key: 'Shift' })]);
  heldAnswers = 1;
  await loseBrowser(session);
  expect(session.page().url()).toBe(`${site}/held`);
  expect(session.warnings).toEqual([]);

  heldAnswers = 2;
  await loseBrowser(session);
  expect(session.page().url()).toBe('about:blank');
  expect((await session.log()).filter(({ type }) => type === 'WARNING_ISSUED')).toMatchObject([
    { data: { warning: { message: expect.stringContaining(`The page ${site}/held could not be restored`) } } },
  ]);
  await session.did([a('PRESS_KEY', { key: 'Shift' })]);
  await loseBrowser(session);
  expect(session.page().url()).toBe(`${site}/held`);
}, 120_000);

test('an interrupted restore starts again', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  const { browserId } = session.lease!;
  process.kill(pidOf(session)!, 'SIGKILL');
  await eventually('the keeper has noticed', () => pidOf(session) === undefined);
  // A worker that died after it had attached to the new Chrome.
  await stage.worker('dying').attachments.acquire(session.sessionId, session, {
    headless: true,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  });
  await session.acquire('second', { browserId, stepIndex: 0 });
  expect(session.page('second').url()).toBe(`${site}/one`);
});

test('commands under way or after the last commit are marked as lost, and a done commit stays done', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  const batch = session.plan([
    a('INPUT_TEXT', { selector: '#name', text: 'before' }),
    a('CLICK_ELEMENT', { selector: 'button' }),
    a('INPUT_TEXT', { selector: '#note', text: 'after' }),
    a('WAIT_FOR', { text: 'never', seconds: 20 }),
  ]);
  const { browserId } = session.lease!;
  const running = session.run(batch, {
    timeoutMs: 30_000,
    whileRunning: async () => {
      await eventually('the wait has begun', async () => (await session.lastEntry()).action === 'WAIT_FOR');
      process.kill(pidOf(session)!, 'SIGKILL');
    },
  });
  await expect(running).rejects.toThrow();
  await session.acquire('first', { browserId, stepIndex: 0 });
  const entries = (await session.journal()).slice(1).map(({ status, evidence }) => [status, isEffectLost(evidence)]);
  expect(entries).toEqual([
    ['done', false],
    ['done', false],
    ['done', true],
    ['failed', true],
  ]);
  expect((await session.kinds()).filter((kind) => kind === 'COMMAND_FAILED')).toHaveLength(1);
});

test('a commit that was under way when the browser was lost is unknown', async () => {
  const session = await stage.newSession();
  await session.open(`${site}/one`);
  const { browserId, epoch } = session.lease!;
  const { sessionId, runId } = session;
  const [click] = session.plan([a('CLICK_ELEMENT', { selector: 'button' })]);
  const { commandId, action, parameters } = click!;
  const place = { stepIndex: 0, turn: 0, position: 0, pageUrl: `${site}/one` };
  const intent = { ...place, commandId, action, parameters, effect: 'commit' as const };
  await stage.store.journal.intend(sessionId, { runId, epoch }, intent, []);
  await session.page().evaluate(() => fetch('/orders', { method: 'POST' }));
  await eventually('the keeper has seen its answer', () =>
    stage
      .browsers()
      .evidence({ sessionId })
      .requests.some(({ method, status }) => method === 'POST' && status === 200),
  );
  process.kill(pidOf(session)!, 'SIGKILL');
  await eventually('the keeper has noticed', () => pidOf(session) === undefined);
  await session.acquire('first', { browserId, stepIndex: 0 });
  const entry = await session.lastEntry();
  expect(entry).toMatchObject({ status: 'unknown', error: { code: 'EX001' } });
  // What the new Chrome loaded to be restored is none of it.
  expect(requestsIn(entry.evidence)).toMatchObject([{ method: 'POST', url: `${site}/orders`, status: 200 }]);
  expect(entry.error?.message).toContain(`Requests since: POST ${site}/orders 200.`);
  const output = await session.run([click!]);
  expect(output.outcomes).toMatchObject([{ status: 'unknown' }]);
});

test.each([
  ['Sign in', 'failed', true],
  ['Pay', 'unknown', false],
])('of a lost click on “%s”, for which the page asks again, is said: %s', async (name, status, isTypedAgain) => {
  const session = await stage.newSession();
  await session.open(`${site}/login`);
  await session.did([a('INPUT_TEXT', { selector: '#name', text: 'ada' })]);
  const { browserId, epoch } = session.lease!;
  const { sessionId, runId } = session;
  const [click] = session.plan([a('CLICK_ELEMENT', { selector: 'button' })]);
  const { commandId, action, parameters } = click!;
  const place = { stepIndex: 0, turn: 2, position: 0, pageUrl: `${site}/login`, target: { role: 'button', name } };
  const intent = { ...place, commandId, action, parameters, effect: 'commit' as const };
  await stage.store.journal.intend(sessionId, { runId, epoch }, intent, []);
  process.kill(pidOf(session)!, 'SIGKILL');
  await eventually('the keeper has noticed', () => pidOf(session) === undefined);
  await session.acquire('first', { browserId, stepIndex: 0 });
  const [typed, lost] = (await session.journal()).slice(-2);
  expect(lost).toMatchObject({ commandId, status });
  expect(isEffectLost(typed!.evidence)).toBe(isTypedAgain);
});

test('a passkey is kept with the profile, past the death of workers and browsers, and shown to nobody', async () => {
  const shop = await startPasskeySite();
  try {
    const profile = { name: 'passkeys', passkeys: true };
    const id = { tenant: 'default', name: profile.name };
    const profiles = createProfiles({ store: stage.store });
    const press = async (session: StagedSession, button: string, says: string, worker?: string) => {
      const open = a('OPEN_PAGE', { url: shop.url });
      const click = a('CLICK_ELEMENT', { selector: `#${button}` });
      await session.did([open, click, a('EXPECT', { text: says })], worker === undefined ? {} : { worker });
    };
    const complete = async ({ sessionId, runId }: StagedSession) => {
      const patch = { status: SessionStatus.COMPLETED, closed: true };
      await stage.store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
      await stage.store.log.append(sessionId, [], { guard: { runId }, patch });
    };
    const first = await stage.newSession({ profile });
    await press(first, 'make', 'The passkey is made');
    await press(first, 'use', 'Signed in by passkey');
    await press(first, 'use', 'Signed in by passkey', 'second');
    await loseBrowser(first);
    await press(first, 'use', 'Signed in by passkey');
    const [passkey] = (await kept(first)).passkeys!;
    expect(passkey).toMatchObject({ rpId: 'localhost', signCount: shop.credentials.values().next().value!.counter });
    await complete(first);
    const next = await stage.newSession({ profile });
    await press(next, 'use', 'Signed in by passkey');
    await complete(next);
    const bare = await stage.newSession({ profile: profile.name });
    await bare.open(site);
    await complete(bare);
    await profiles.importState(id, { cookies: [], origins: [] });
    expect((await profiles.get(id)).passkeys).toEqual([{ site: 'localhost', user: 'ada' }]);
    const shown = JSON.stringify([await profiles.get(id), await profiles.exportState(id)]);
    const rows = (await everyRow(stage.databaseUrl)).join();
    for (const text of [shown, rows]) expect(text).not.toContain(passkey!.privateKey.slice(0, 60));
  } finally {
    shop.close();
  }
});
