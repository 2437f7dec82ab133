/** The page of a session as somebody sees it who looks at it, out of a real Chromium through a real database. */
import { randomUUID } from 'node:crypto';
import { connect } from '../../../store/database/connect';
import type { LiveFrame, LiveView } from '../../../contracts/browsers/live-frame';
import { readLiveView } from '../../../service/sessions/live-view';
import { startLiveView } from '../../../worker/live-view';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';
import { silent } from '../../api/fixture';

let stage: BrowserStage;
let stopShowing: () => Promise<void>;
beforeAll(async () => {
  stage = await openBrowserStage();
  const { attachments } = stage.worker();
  const view = startLiveView({ store: stage.store, attachments, env: stage.env }, silent);
  stopShowing = () => view.close();
});
afterAll(async () => {
  await stopShowing();
  await stage.stop();
});

const look = (session: StagedSession, after = 0): Promise<LiveView> =>
  readLiveView(stage.store, session.sessionId, after);

/** The next frame after one; the page is read again until there is one. */
async function frameAfter(session: StagedSession, after = 0): Promise<LiveFrame> {
  return await eventually('another frame', async () => {
    const view = await look(session, after);
    return view.state === 'frame' ? view.frame : undefined;
  });
}

/** How many pixels of a frame are dark, counted in a page of its own. */
async function darkPixels(session: StagedSession, { image }: LiveFrame): Promise<number> {
  const page = await session.page().context().newPage();
  try {
    return await page.evaluate(async (data) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
      let dark = 0;
      for (let at = 0; at < pixels.length; at += 4) if (pixels[at]! < 100) dark += 1;
      return dark;
    }, image);
  } finally {
    await page.close();
  }
}

/** Until nobody counts as looking any more, the frame is deleted by the sweep, and nothing writes another. */
async function isOver(session: StagedSession): Promise<void> {
  await eventually('nobody looks', async () => !(await stage.store.liveFrames.isWanted(session.sessionId)));
}

test('a viewer gets a frame, then one for each change, and none while the page stays as it is', async () => {
  const session = await stage.newSession();
  const address = stage.page(`/${randomUUID()}`, '<body style="background:white"></body>');
  await session.open(address);
  const first = await frameAfter(session);
  expect(first).toMatchObject({ width: 1280, height: 800, tabs: [{ url: address, isActive: true }] });
  expect(await look(session, first.number)).toMatchObject({ state: 'unchanged' });
  await session.page().evaluate(() => {
    document.title = 'After';
    document.body.innerHTML = '<div style="width:300px;height:300px;background:black"></div>';
  });
  const second = await frameAfter(session, first.number);
  expect(second.tabs[0]!.title).toBe('After');
  expect(await darkPixels(session, second)).toBeGreaterThan(80_000);
});

test('nothing is captured while nobody looks, and what was shown last is deleted', async () => {
  const session = await stage.newSession();
  await session.open(stage.page(`/${randomUUID()}`, '<p>Once'));
  const { number } = await frameAfter(session);
  await isOver(session);
  await stage.store.liveFrames.expire();
  const sql = connect(stage.databaseUrl);
  await session.page().evaluate(() => (document.body.textContent = 'Twice'));
  expect(await sql`select from live_frames where session_id = ${session.sessionId}`).toHaveLength(0);
  await sql.end();
  expect((await frameAfter(session, number)).number).toBeGreaterThan(number);
});

test('a secret that a page shows is in no frame, whatever its commands do meanwhile', async () => {
  stage.env['LIVE_SECRET'] = 'correct-horse-battery';
  const session = await stage.newSession({ variables: { pin: { env: 'LIVE_SECRET' } } });
  const field = '<input id="field" style="border:0;outline:0;font:40px serif;width:900px;caret-color:transparent">';
  const copy = '<script>field.oninput = () => (shown.textContent = field.value)</script>';
  const address = `/${randomUUID()}`;
  await session.open(stage.page(address, `<body>${field}<h1 id="shown"></h1>${copy}</body>`));
  const frames: LiveFrame[] = [await frameAfter(session)];
  let isTyped = false;
  const watching = (async () => {
    while (!isTyped) {
      const view = await look(session, frames.at(-1)!.number);
      if (view.state === 'frame') frames.push(view.frame);
    }
  })();
  for (let round = 0; round < 3; round += 1) {
    await session.did([a('INPUT_TEXT', { selector: '#field', text: '' })]);
    await session.did([a('INPUT_TEXT', { selector: '#field', text: '${pin}' })]);
  }
  expect(await session.page().textContent('#shown')).toBe('correct-horse-battery');
  frames.push(await frameAfter(session, frames.at(-1)!.number).catch(() => frames.at(-1)!));
  isTyped = true;
  await watching;
  // The field shows discs in place of its letters, which are about as dark; the copy in the heading is not drawn.
  const empty = await darkPixels(session, frames[0]!);
  for (const frame of frames.slice(1)) expect(await darkPixels(session, frame)).toBeLessThan(empty + 9000);
  await isOver(session);
  await eventually('nothing is masked', async () => (await session.page().getAttribute('#shown', 'style')) === null);
});

test('a session without a browser, one that has ended and one that nobody knows differ', async () => {
  const session = await stage.newSession();
  expect(await look(session)).toEqual({ state: 'no-browser' });
  await expect(readLiveView(stage.store, randomUUID(), 0)).rejects.toMatchObject({ kind: 'not-found' });
  await stage.store.log.append(session.sessionId, [], { patch: { status: 'CANCELLED' as never } });
  await expect(look(session)).rejects.toMatchObject({ kind: 'wrong-state', state: 'CANCELLED' });
});
