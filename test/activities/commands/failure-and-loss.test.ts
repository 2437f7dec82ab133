import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import { a } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

const ADD = a('CLICK_ELEMENT', { selector: 'role=button[name="Add one"]' });

function pidOf(sessionId: string): number | undefined {
  return stage
    .browsers()
    .list()
    .find((browser) => browser.sessionId === sessionId)?.pid;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('keeps the page, a screenshot and the trace of a failed step', async () => {
  const session = await stage.newSession();
  await session.open('/parts/keys');
  await session.run([a('CLICK_ELEMENT', { selector: '#none' })], { timeoutMs: 200 });
  const state = await session.keepFailure();
  expect(state.url).toBe(session.url('/parts/keys'));
  const { artifacts } = stage.store;
  const dom = await artifacts.get(session.sessionId, state.domId ?? '');
  expect((await artifacts.read(dom!)).toString()).toContain('Enter sends, Escape clears');
  const screenshot = await artifacts.get(session.sessionId, state.screenshotId);
  expect((await artifacts.read(screenshot!)).subarray(1, 4).toString()).toBe('PNG');
  const [trace] = await session.artifacts('trace');
  expect(trace?.subarray(0, 2).toString()).toBe('PK');
});

test('keeps nothing of a browser that another worker holds', async () => {
  const session = await stage.newSession();
  await session.open('/parts/keys');
  expect(await session.keepFailure('second')).toEqual({ screenshotId: '', url: 'about:blank' });
});

test('a release ends Chrome and the lease, and repeating it is harmless', async () => {
  const session = await stage.newSession();
  await session.acquire();
  const pid = pidOf(session.sessionId)!;
  expect(isAlive(pid)).toBe(true);
  await session.release();
  await eventually('Chrome has ended', () => !isAlive(pid));
  expect(await stage.store.leases.get(session.sessionId)).toBeNull();
  await session.release();
  await session.release('second');
});

test('says that the browser is gone when its Chrome was killed', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  process.kill(pidOf(session.sessionId)!, 'SIGKILL');
  await eventually('the keeper has noticed', () => pidOf(session.sessionId) === undefined);
  await expect(session.run([ADD])).rejects.toMatchObject({ type: BROWSER_GONE, nonRetryable: true });
});

test('says that the browser is gone when Chrome is killed within a command, which stays open', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  const batch = session.plan([a('WAIT_FOR', { text: 'never', seconds: 20 }), ADD]);
  const running = session.run(batch, {
    timeoutMs: 30_000,
    whileRunning: async () => {
      await eventually('the wait has begun', async () => (await session.journal()).length === 2);
      process.kill(pidOf(session.sessionId)!, 'SIGKILL');
    },
  });
  await expect(running).rejects.toMatchObject({ type: BROWSER_GONE });
  expect(await session.lastEntry()).toMatchObject({ action: 'WAIT_FOR', status: 'intended' });
});

test('a keeper that dies within a command is no lost browser: the next attempt goes on in the same one', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  const pid = pidOf(session.sessionId);
  const running = session.run([a('WAIT_FOR', { text: 'never', seconds: 20 }), ADD], {
    timeoutMs: 30_000,
    whileRunning: async () => {
      await eventually('the wait has begun', async () => (await session.journal()).length === 2);
      await stage.restartKeeper();
    },
  });
  await expect(running).rejects.toMatchObject({ nonRetryable: false });
  await session.did([ADD]);
  expect(session.count()).toBe(1);
  expect(pidOf(session.sessionId)).toBe(pid);
});

test('gets another Chrome after the first one was killed, and goes on', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  process.kill(pidOf(session.sessionId)!, 'SIGKILL');
  await eventually('the keeper has noticed', () => pidOf(session.sessionId) === undefined);
  const { epoch } = session.lease!;
  expect((await session.acquire('second')).epoch).toBeGreaterThan(epoch);
  await session.did([a('OPEN_PAGE', { url: session.url('/parts/counter') }), ADD], { worker: 'second' });
  expect(session.count()).toBe(1);
});

test('says that the browser is gone when the keeper knows nothing of it', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  await stage.browsers().close(session.sessionId);
  await expect(session.run([ADD], { worker: 'second' })).rejects.toMatchObject({ type: BROWSER_GONE });
});

test('goes on under a new epoch when another keeper has adopted the browser', async () => {
  const session = await stage.newSession();
  await session.open('/parts/form');
  await session.did([a('INPUT_TEXT', { selector: '#name', text: 'half-ty' })]);
  const [{ epoch }, pid] = [session.lease!, pidOf(session.sessionId)];
  await stage.restartKeeper();
  await session.did([a('EXPECT', { selector: '#name', text: 'half-ty' })]);
  expect(session.lease!.epoch).toBe(epoch + 1);
  expect(pidOf(session.sessionId)).toBe(pid);
});

test('a session of a page that could not be opened once is opened when it is asked for again', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  const attachment = session.attachment();
  const { context } = attachment;
  const page = await context.newPage();
  const open = context.newCDPSession.bind(context);
  let asked = 0;
  context.newCDPSession = async (target) => {
    asked += 1;
    if (asked === 1) throw new Error('Target closed');
    return await open(target);
  };
  await expect(attachment.cdp(page)).rejects.toThrow('Target closed');
  const opened = await attachment.cdp(page);
  expect(await opened.send('Target.getTargetInfo')).toMatchObject({ targetInfo: { type: 'page' } });
  expect(await attachment.cdp(page)).toBe(opened);
});
