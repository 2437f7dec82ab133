/** A session is recorded on the whole product, while its browser worker is killed, and its film is watched in a real Chromium. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright';
import { filmMoment, filmTimes } from '../../contracts/files/film';
import { StreamEventType } from '../../contracts/events/stream-event';
import { watchFilm } from '../support/film';
import { killAndAwait } from '../support/kill';
import { endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';
import { violations } from '../web/axe';
import { photograph } from '../web/photograph';

/** Pages that are of one color. */
const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(`<title>A color</title><body style="background:${request.url!.slice(1)}">`);
});
let site: string;
let stack: WholeStack;
let browser: Browser;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stack = await startWholeStack({}, { wants: (name) => name !== 'engine-2' });
  browser = await chromium.launch({ executablePath: stack.chromiumPath, args: ['--no-sandbox'] });
}, 180_000);
afterAll(async () => {
  server.close();
  await browser.close();
  await stack.stop();
}, 60_000);

/** Red, then green, then blue; between them the worker that has the browser is killed. */
async function runColors(recording: boolean): Promise<string> {
  const { sessionId } = await stack.client.start({
    name: 'Three colors',
    steps: [`Open ${site}/red`, 'Wait 4 seconds', `Open ${site}/lime`, 'Wait 1 second', `Open ${site}/blue`],
    config: { recording, executorConfig: { screenshotsEnabled: false } },
  });
  await recordOf(
    stack,
    sessionId,
    'the wait',
    ({ type, stepIndex }) => type === StreamEventType.COMMAND_STARTED && stepIndex === 1,
  );
  if (recording) await killAndAwait(stack, ['browser-1', 'browser-2']);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  return sessionId;
}

async function open(sessionId: string): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  page.setDefaultTimeout(90_000);
  const [api, key] = stack.stack.addresses.page!.split('/#');
  await page.goto(`${api}/sessions/${sessionId}#${key}`);
  return page;
}

/** Where in the film each color is to be seen, by the ends of the steps that paint. */
async function momentsOf(sessionId: string): Promise<number[]> {
  const [file] = await stack.client.files(sessionId);
  const log = await stack.client.events(sessionId, 0, 1000);
  return [0, 2, 4].map((step) => {
    const { at } = log.find(({ type, stepIndex }) => type === StreamEventType.COMMAND_COMPLETED && stepIndex === step)!;
    return filmMoment(file!.film!, new Date(at)) / 1000 + 0.01;
  });
}

test('the film of a session whose workers were killed plays, leads to each command, and is in the report', async () => {
  const sessionId = await runColors(true);
  const [file, ...others] = await stack.client.files(sessionId);
  expect([file!.source, file!.mediaType, others]).toEqual(['recording', 'video/webm', []]);
  const seconds = filmTimes(file!.film!).durationMs / 1000;
  const moments = await momentsOf(sessionId);
  const colors = ['255,0,0', '0,255,0', '0,0,255'];

  const page = await open(sessionId);
  const player = page.getByRole('region', { name: 'Recording' });
  await player.waitFor();
  const seen = await watchFilm(page, moments);
  expect(seen.colors).toEqual(colors);
  expect(seen.seconds).toBeCloseTo(seconds, 1);
  const step = page.getByRole('listitem').filter({ hasText: 'lime' }).first();
  await step.locator('summary').first().click();
  await step.getByRole('button', { name: /^Show \d+:\d\d in the recording$/ }).click();
  const at = await page.locator('video').evaluate((video) => (video as HTMLVideoElement).currentTime);
  expect(at).toBeCloseTo(moments[1]!, 1);
  // The death of the worker cost nothing, and is a mark.
  const wait = page.getByRole('listitem').filter({ hasText: 'Wait 4 seconds' }).first();
  await wait.locator('summary').first().click();
  await wait.getByText('Another one has taken its browser over').first().waitFor();
  expect(await violations(page)).toEqual([]);
  await photograph(page, 'recording', { height: 900 });

  const part = await page.request.get(`${stack.api}/v1/sessions/${sessionId}/files/${file!.fileId}`, {
    headers: { range: 'bytes=0-3' },
  });
  expect([part.status(), (await part.body()).toString('hex')]).toEqual([206, '1a45dfa3']);

  const report = await (await browser.newContext()).newPage();
  await report.setContent(await stack.client.report(sessionId));
  expect((await watchFilm(report, moments)).colors).toEqual(colors);
  expect(await report.getByText(/^\d+:\d\d in the recording$/).count()).toBeGreaterThan(3);
  expect(await violations(report)).toEqual([]);
}, 240_000);

test('a session that does not ask for a recording has none, and nothing of one is shown', async () => {
  const sessionId = await runColors(false);
  expect(await stack.client.files(sessionId)).toEqual([]);
  const page = await open(sessionId);
  await page.getByText('Session completed: All 5 steps are done.').waitFor();
  expect(await page.getByText(/recording/i).count()).toBe(0);
}, 180_000);
