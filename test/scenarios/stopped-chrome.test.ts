/** Chromes that stop, or whose page hangs: what they have not read acts once or never, and what was not saved is reported. */
import { findTarget } from '../../activities/browser/targets/find-target';
import { a, type StagedSession } from '../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../support/browser-harness';
import { eventually } from '../support/eventually';
import { freeze } from '../support/freeze';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()), 120_000);
afterAll(() => stage.stop());

const ADD = a('CLICK_ELEMENT', { selector: 'role=button[name="Add one"]' });

const pidOf = ({ sessionId }: StagedSession): number =>
  stage
    .browsers()
    .list()
    .find((browser) => browser.sessionId === sessionId)!.pid;

/** A worker's click that its Chrome has not read: the intent is in the journal, its marker is armed. */
async function clickUnread(session: StagedSession): Promise<ReturnType<StagedSession['plan']>[number]> {
  const { runId, sessionId, lease } = session;
  const [command] = session.plan([ADD]);
  const page = session.page();
  const { x, y } = (await page.getByRole('button', { name: 'Add one' }).boundingBox())!;
  await findTarget(session.attachment(), command!, ADD.parameters.selector!, 1000, new AbortController().signal);
  await stage.store.journal.intend(
    sessionId,
    { runId, epoch: lease!.epoch },
    { ...command!, stepIndex: 0, turn: 0, position: 0, effect: 'commit', pageUrl: page.url(), target: undefined },
    [],
  );
  await freeze(pidOf(session));
  void page.mouse.click(x + 2, y + 2).catch(() => {});
  return command!;
}

it('a Chrome that stays stopped is ended: the click that it has not read is unknown, and never sent', async () => {
  const session = await stage.newSession();
  await session.open('/parts/counter');
  const command = await clickUnread(session);
  const { browserId } = session.lease!;
  const stopped = pidOf(session);
  const taking = session.run([command], { worker: 'second', timeoutMs: 2000 });
  await expect(taking).rejects.toMatchObject({ type: 'BrowserGone' });
  await session.acquire('second', { browserId, stepIndex: 0 });
  expect(pidOf(session)).not.toBe(stopped);
  await eventually('the stopped Chrome has ended', () => {
    try {
      process.kill(stopped, 'SIGCONT');
      return false;
    } catch {
      return true;
    }
  });
  expect(await session.lastEntry()).toMatchObject({ status: 'unknown', evidence: { lostWith: 'browser' } });
  expect((await session.run([command], { worker: 'second' })).outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(session.count()).toBe(0);
}, 120_000);

it('a page that hangs after its commit, before its state is saved, is a warning of the restore', async () => {
  const session = await stage.newSession();
  const hang = `fetch('/saved', { method: 'POST' }); setTimeout(() => { for (;;); })`;
  await session.open(stage.page('/hangs', `<button onclick="${hang}">Save</button>`));
  const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector: 'button' })], { timeoutMs: 20_000 });
  // Chrome may have the answer to the click before the page hangs, or not.
  expect(['done', 'unknown']).toContain(outcomes[0]?.status);
  const warnings = async (): Promise<string[]> =>
    (await session.log()).flatMap(({ data: { warning } }) => (warning === undefined ? [] : [warning.message]));
  expect(await warnings()).toEqual(
    expect.arrayContaining([expect.stringContaining('The state of the browser was not saved whole')]),
  );
  const { browserId } = session.lease!;
  process.kill(pidOf(session), 'SIGKILL');
  await eventually(
    'the keeper has noticed',
    () =>
      !stage
        .browsers()
        .list()
        .some((one) => one.sessionId === session.sessionId),
  );
  await session.acquire('first', { browserId, stepIndex: 0 });
  expect((await warnings()).at(-1)).toContain('Not in the checkpoint: the newest state of');
}, 180_000);
