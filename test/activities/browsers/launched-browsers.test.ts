/** Sessions in browsers that Playwright launches, through a real keeper, egress process and database. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import type { BrowserProgram } from '../../../runtime/browser-program';
import { a, type StagedSession } from '../../support/browser-session';
import { silent } from '../../api/fixture';
import { readLiveView } from '../../../service/sessions/live-view';
import { startLiveView } from '../../../worker/live-view';
import { captureView } from '../../../activities/browser/approval-view/capture-view';
import { createSessionValues } from '../../../activities/secrets/session-values';
import { deadUrl, openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';
import { launchedPrograms } from '../../support/launched-programs';

const SECRET = 'l0ve lace';
const press = (name: string) => a('CLICK_ELEMENT', { selector: `role=button[name="${name}"]` });
const ADD = press('Add one');

let stage: BrowserStage;
let uploads: string;
/** What the keeper launches now; undefined where nothing is installed. */
let program: BrowserProgram | undefined;
const MISSING = 'No WebKit was found on this machine: run `npx playwright install webkit`.';
beforeAll(async () => {
  uploads = mkdtempSync(join(tmpdir(), 'surefoot-uploads-'));
  writeFileSync(join(uploads, 'note.txt'), 'a note to be given');
  stage = await openBrowserStage({
    uploads,
    programOf: () => {
      if (program === undefined) throw new Error(MISSING);
      return program;
    },
  });
});
afterAll(async () => {
  await stage.stop();
  rmSync(uploads, { recursive: true });
});

test('says how to install a browser that is not there, and is not retried', async () => {
  const session = await stage.newSession({ config: { browserType: 'webkit' } });
  await expect(session.acquire()).rejects.toMatchObject({ message: MISSING, nonRetryable: true });
});

describe.each(launchedPrograms())('%s', (_, launched) => {
  let session: StagedSession;
  const newSession = (facts: object = {}) => stage.newSession({ config: { browserType: 'firefox' }, ...facts });
  beforeAll(async () => {
    program = launched;
    session = await newSession({ variables: { visitor: 'Ada' } });
  });

  const pidOf = ({ sessionId }: StagedSession): number | undefined =>
    stage
      .browsers()
      .list()
      .find((browser) => browser.sessionId === sessionId)?.pid;

  /** A commit is intended, and nobody says what became of it. */
  async function intendToAdd(): Promise<string> {
    const { runId, sessionId } = session;
    const [{ commandId, action, parameters }] = session.plan([ADD]) as [ReturnType<StagedSession['plan']>[0]];
    const intent = { commandId, action, parameters, stepIndex: 0, turn: 0, position: 0, effect: EFFECT_CLASS[action] };
    const guard = { runId, epoch: session.lease!.epoch };
    await stage.store.journal.intend(sessionId, guard, { ...intent, pageUrl: session.page().url() }, []);
    return commandId;
  }

  /** Takes another browser, as the workflow does when one was lost. */
  async function goOn(worker: string): Promise<void> {
    const { browserId } = session.lease!;
    await session.acquire(worker, { browserId, stepIndex: 0 });
    expect(session.lease!.browserId).not.toBe(browserId);
  }

  test('fills a form, chooses, checks and presses its button, without DevTools', async () => {
    await session.open('/parts/form');
    await session.did([
      a('INPUT_TEXT', { selector: '#name', text: '${visitor}' }),
      a('SELECT_OPTION', { selector: '#country', option: 'Norway' }),
      a('SET_CHECKED', { selector: '[name=news]', checked: true }),
      press('Send'),
      a('EXPECT', { selector: '#status', text: 'Ada' }),
    ]);
    expect(session.attachment().hasDevTools).toBe(false);
    await expect(session.attachment().cdp(session.page())).rejects.toThrow('only Chrome');
  });

  test('has the page with its frames in its snapshot, and acts on what it found there', async () => {
    await session.open(
      stage.page(
        '/framed',
        `<h1>Framed</h1><iframe srcdoc="<button onclick='this.textContent=1'>In the frame</button>"></iframe>
      <div style="cursor: pointer" onclick="document.title = 'clicked'"><svg width="20" height="20"></svg></div>`,
      ),
    );
    const target = await session.target('button', 'In the frame');
    await session.did([a('CLICK_ELEMENT', { selector: 'e1' }, target)]);
    expect(await session.page().frames()[1]!.textContent('button')).toBe('1');
  });

  test('answers dialogs as it was to, and dismisses a question that nobody answered', async () => {
    await session.open('/parts/dialogs');
    await session.did([a('HANDLE_DIALOG', { accept: true }), press('Delete'), a('EXPECT', { text: 'Deleted' })]);
    await session.did([press('Delete'), a('EXPECT', { text: 'Kept' })]);
    expect((await session.journal()).at(-2)?.evidence).toMatchObject({ dialogs: [{ isUnanswered: true }] });
  });

  test('keeps a download and gives an upload', async () => {
    await session.open('/parts/download');
    await session.did([a('DOWNLOAD_FILE', { selector: 'role=link[name="Download report"]' })]);
    await session.did([a('CLICK_ELEMENT', { selector: 'role=link[name="Download report"]' })]);
    const files = await session.artifacts('download');
    expect(files.map(String)).toEqual([expect.stringContaining(','), String(files[0])]);
    await session.open('/parts/upload');
    await session.did([
      a('UPLOAD_FILE', { selector: '#file', files: ['note.txt'] }),
      press('Upload'),
      a('EXPECT', { text: 'note.txt' }),
    ]);
  });

  test('goes to the tab that a click opens, and back in its history', async () => {
    await session.open('/parts/new-tab');
    await session.did([a('CLICK_ELEMENT', { selector: 'role=link[name="Open terms"]' })]);
    await session.did([a('EXPECT', { title: 'Terms' }), a('CLOSE_TAB'), a('EXPECT', { title: 'A new tab' })]);
    await session.open('/parts/keys');
    await session.did([a('GO_BACK'), a('EXPECT', { title: 'A new tab' })]);
    expect((await session.look()).tabs).toHaveLength(1);
  });

  test('runs a script, and says what it threw', async () => {
    await session.open('/parts/keys');
    await session.did([a('RUN_SCRIPT', { script: 'document.title = "ran"; return 1' }), a('EXPECT', { title: 'ran' })]);
    await session.did([
      a('RUN_SCRIPT', { script: 'const t = "const"; document.title = t;' }),
      a('EXPECT', { title: 'const' }),
    ]);
    const failed = await session.run([a('RUN_SCRIPT', { script: 'throw new Error("so not")' })]);
    expect(failed.outcomes[0]).toMatchObject({ status: 'failed', message: expect.stringContaining('so not') });
  });

  test('a browser that is killed within a command ends it at once, and the next attempt finds it gone', async () => {
    const killed = await newSession();
    await killed.open('/parts/keys');
    const waitForLong = a('WAIT_FOR', { text: 'never', seconds: 600 });
    const running = killed.run([waitForLong], {
      timeoutMs: 600_000,
      whileRunning: async () => {
        await eventually('the wait has begun', async () => (await killed.journal()).length === 2);
        process.kill(pidOf(killed)!, 'SIGKILL');
      },
    });
    await expect(running).rejects.toMatchObject({ details: [{ code: 'EX001' }] });
    await eventually('the keeper has noticed', () => pidOf(killed) === undefined);
    await expect(killed.run([waitForLong])).rejects.toMatchObject({ type: BROWSER_GONE });
  });

  test('shows its page live, and says of an address that nobody is there', async () => {
    const live = startLiveView({ store: stage.store, attachments: stage.worker().attachments, env: stage.env }, silent);
    try {
      const frame = await eventually('a frame', async () => {
        const view = await readLiveView(stage.store, session.sessionId, 0);
        return view.state === 'frame' && view.frame;
      });
      expect(frame).toMatchObject({ width: 1280, height: 800, tabs: [{ isActive: true }] });
    } finally {
      await live.close();
    }
    const { outcomes } = await session.run([a('OPEN_PAGE', { url: await deadUrl() })]);
    expect(outcomes[0]).toMatchObject({ status: 'failed', code: 'TL002' });
  });

  test('asks nobody about a command, because nobody could keep to the answer', async () => {
    await session.open('/parts/counter');
    const values = createSessionValues([], {});
    const context = { store: stage.store, sessionId: session.sessionId, attachment: session.attachment(), values };
    const [command] = session.plan([ADD]);
    await expect(captureView(context, command!)).rejects.toThrow('nobody can hold what it sends to their answer');
  });

  test('takes pictures in which its secrets are masked', async () => {
    Object.assign(stage.env, { SHOP_PASSWORD: SECRET });
    const hiding = await newSession({ variables: { password: { env: 'SHOP_PASSWORD' } } });
    await hiding.open(
      stage.page(
        '/secret',
        `<style>body { margin: 0; font: 40px serif }</style><p>${SECRET}</p><input aria-label="Field">`,
      ),
    );
    await hiding.did([a('TAKE_SCREENSHOT', { region: [0, 0, 400, 120] })], { screenshotsEnabled: true });
    const [picture] = await hiding.artifacts('screenshot');
    const { data } = PNG.sync.read(picture!);
    expect(data.filter((value, at) => at % 4 === 0 && value < 100)).toHaveLength(0);
    expect(await hiding.page().locator('p').getAttribute('style')).toBeNull();
    expect(JSON.stringify(await hiding.look())).not.toContain(SECRET);
    await hiding.release();
  });

  test('reaches nothing that its proxy refuses, on this machine neither', async () => {
    const reached: string[] = [];
    const closed = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.2', resolve));
    const address = `http://127.0.0.2:${(closed.address() as AddressInfo).port}`;
    try {
      await session.open(stage.page('/asking', `<h1>Asking</h1><img src="${address}/picture">`));
      const blocked = () => stage.browsers().blockedOrigins(session.sessionId);
      await eventually('it was refused', async () => (await blocked()).some(({ origin }) => origin === address));
      const { outcomes } = await session.run([a('OPEN_PAGE', { url: `${address}/page` })]);
      expect(outcomes[0]).toMatchObject({ status: 'failed', code: 'SM002' });
      await stage.withoutEgress(async () => {
        const late = await session.run([a('OPEN_PAGE', { url: session.url('/parts/keys') })], { timeoutMs: 3000 });
        expect(late.outcomes[0]?.status).toBe('failed');
      });
      expect(reached).toEqual([]);
    } finally {
      closed.close();
    }
  });

  test('another worker finds the browser gone, and goes on from the checkpoint; a commit is unknown', async () => {
    await eventually('the way out is open again', async () => {
      const { outcomes } = await session.run([a('OPEN_PAGE', { url: session.url('/parts/form') })]);
      return outcomes[0]?.status === 'done';
    });
    await session.did([a('INPUT_TEXT', { selector: '#name', text: 'half-ty' })]);
    const commandId = await intendToAdd();
    const pid = pidOf(session)!;
    await expect(session.run([a('GET_DOM')], { worker: 'second' })).rejects.toMatchObject({ type: BROWSER_GONE });
    await eventually('the browser has ended', () => pidOf(session) !== pid);
    await goOn('second');
    expect(session.page('second').url()).toBe(session.url('/parts/form'));
    expect(await session.page('second').locator('#name').inputValue()).toBe('half-ty');
    expect((await session.journal()).find((entry) => entry.commandId === commandId)).toMatchObject({
      status: 'unknown',
    });
    expect(session.count()).toBe(0);
  });

  test('goes on from the checkpoint when its browser is killed, signed in as before', async () => {
    await session.did(
      [
        a('OPEN_PAGE', { url: `${stage.shop.url}/login` }),
        a('INPUT_TEXT', { selector: '#username', text: 'ada' }),
        a('INPUT_TEXT', { selector: '#password', text: 'lovelace' }),
        press('Sign in'),
      ],
      { worker: 'second' },
    );
    const { url } = await session.look();
    process.kill(-pidOf(session)!, 'SIGKILL');
    const { attachments } = stage.worker('second');
    await eventually(
      'keeper and worker have noticed',
      () => pidOf(session) === undefined && attachments.current(session.sessionId) === undefined,
    );
    await expect(session.run([a('GET_DOM')], { worker: 'second' })).rejects.toMatchObject({ type: BROWSER_GONE });
    await goOn('second');
    expect(session.page('second').url()).toBe(url);
    expect(await session.page('second').locator('body').innerText()).toContain('Sign out');
  });

  test('ends with its keeper, whose successor starts another', async () => {
    await stage.restartKeeper();
    expect(stage.browsers().list()).toEqual([]);
    const { attachments } = stage.worker('second');
    await eventually('its worker has noticed', () => attachments.current(session.sessionId) === undefined);
    await expect(session.run([a('GET_DOM')], { worker: 'second' })).rejects.toMatchObject({ type: BROWSER_GONE });
    await goOn('second');
    await session.release('second');
    expect(stage.browsers().list()).toEqual([]);
  });
});
