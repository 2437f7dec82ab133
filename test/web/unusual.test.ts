/** What the page makes of the unusual: what it shows is lost meanwhile, or is larger than a screen. */
import { randomUUID } from 'node:crypto';
import type { Facts } from '../../store/artifacts/artifacts';
import { connect } from '../../store/database/connect';
import { aSession, endSession } from '../api/fixture';
import { eventually } from '../support/eventually';
import { violations } from './axe';
import { PAGE_KEY, startPageStage, type PageStage } from './page-stage';

let stage: PageStage;
let address: string;
beforeAll(async () => {
  stage = await startPageStage();
  address = await stage.at();
}, 60_000);
afterAll(() => stage.stop());

const TOKEN = 'a-token-of-enough-characters';

test('a session that is erased while somebody reads it is gone from the page too', async () => {
  const id = await aSession(stage.store, { name: 'Read me', steps: ['Pay'] });
  await endSession(stage.store, id);
  const page = await stage.open(`${address}/sessions/${id}#sign-in=${PAGE_KEY}`);
  await page.getByRole('heading', { name: 'Read me' }).waitFor();
  expect(await page.evaluate(async (of) => (await fetch(`/v1/sessions/${of}`, { method: 'DELETE' })).status, id)).toBe(
    200,
  );
  await eventually('the page says so', async () => {
    // As a browser says when its reader comes back to the tab.
    await page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')));
    return (await page.getByText(`There is no session ${id}`).count()) > 0;
  });
  expect(await page.getByText('Read me').count()).toBe(0);
  await page.getByRole('link', { name: 'All sessions' }).press('Enter');
  await page.getByRole('searchbox').waitFor();
});

test('a picture that retention has deleted is a sentence, and the others are still shown', async () => {
  const sessionId = await aSession(stage.store, { steps: ['Look'] });
  const page = await stage.open(address);
  const content = await page.screenshot();
  const [old, kept] = [randomUUID(), randomUUID()];
  const save = async (artifactId: string, facts: Facts): Promise<unknown> => {
    const [size, row] = [
      { width: 1280, height: 800 },
      { sessionId, artifactId, stepIndex: 0 },
    ];
    return await stage.store.artifacts.save({ ...row, kind: 'screenshot', content, facts: { ...size, ...facts } });
  };
  await save(old, { actionType: 'OPEN' });
  await save(kept, { actionType: 'LOOK' });
  const target = { x: 640, y: 400, width: 320, height: 80 };
  await save(randomUUID(), { actionType: 'CLICK', before: { id: kept, target } });
  await page.goto(`${address}/sessions/${sessionId}`);
  const pictures = page.getByRole('region', { name: 'Pictures' });
  await pictures.getByText('4 of 4').waitFor();
  const sql = connect(stage.databaseUrl);
  await sql`delete from artifacts where artifact_id = ${old}`;
  await sql.end();
  await pictures.getByRole('slider', { name: 'Picture' }).press('Home');
  await pictures.getByText('This picture is gone').waitFor();
  expect(await violations(page)).toEqual([]);
  await pictures.getByRole('button', { name: 'Follow' }).press('Enter');
  await pictures.getByRole('img', { name: 'The page after Step 1: CLICK' }).waitFor();
  expect(await pictures.getByText('This picture is gone').count()).toBe(0);

  // What it has led away from, with what was clicked there.
  await pictures.getByRole('slider', { name: 'Picture' }).press('ArrowLeft');
  const shown = (await pictures.getByRole('img', { name: 'The page before Step 1: CLICK' }).boundingBox())!;
  const mark = (await pictures.locator('.mark rect').boundingBox())!;
  const scale = shown.width / 1280;
  expect((mark.x + mark.width / 2 - shown.x) / scale).toBeCloseTo(800, -1);
  expect((mark.y + mark.height / 2 - shown.y) / scale).toBeCloseTo(440, -1);
  await pictures.getByRole('button', { name: /^The page before/ }).press('Enter');
  const whole = page.getByRole('dialog');
  await whole.getByRole('img', { name: 'The element that was acted on' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await whole.getByRole('button', { name: 'Close' }).press('Enter');
});

test('a cookie that has expired asks for the token again, and leads back to what was read', async () => {
  const own = await stage.at({ token: TOKEN });
  const id = await aSession(stage.store, { name: 'Still open', steps: ['Look'] });
  const page = await stage.open(`${own}/sessions/${id}`);
  const signIn = async (): Promise<void> => {
    await page.getByLabel('Token of this API').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Still open' }).waitFor();
  };
  await signIn();
  await page.context().clearCookies();
  // The page of an open session is read again by itself.
  await page.getByLabel('Token of this API').waitFor();
  expect(await page.getByText('Still open').count()).toBe(0);
  await signIn();
  expect(page.url()).toBe(`${own}/sessions/${id}`);
});

test('a live page of 4,000 by 20,000 pixels with 200 tabs stays in sight, and markup in a title is text', async () => {
  const sessionId = await aSession(stage.store, { steps: ['Look'] });
  await stage.store.sessions.assignRun(sessionId, 'run', undefined);
  await stage.store.leases.acquire(sessionId, { runId: 'run' }, 'host', 'worker');
  const page = await stage.open(`${address}/sessions/${sessionId}`);
  const jpeg = await page.screenshot({ type: 'jpeg', clip: { x: 0, y: 0, width: 40, height: 200 } });
  const tabs = Array.from({ length: 200 }, (_, index) => ({
    title: `Tab <b>${index + 1}</b>`,
    url: `http://site.test/${index}`,
    isActive: index === 199,
  }));
  await page.getByRole('button', { name: 'Watch live' }).press('Enter');
  await eventually('a frame is asked for', () => stage.store.liveFrames.isWanted(sessionId));
  await stage.store.liveFrames.show(sessionId, { jpeg, width: 4000, height: 20_000, tabs });
  const list = page.getByRole('list', { name: "Tabs of the session's browser" });
  await list.getByText('Tab <b>200</b>').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(200);
  expect(await list.evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(120);
  expect(await violations(page)).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(width).toBeLessThanOrEqual(0);
});
