import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { NewRecord } from '../../contracts/events/log';
import { CommandStatus } from '../../contracts/commands/commands';
import type { CommandEvidence, ObservedRequest } from '../../contracts/commands/evidence';
import { StepStatus } from '../../contracts/steps/step-result';
import { runCli } from '../cli/cli-process';
import { aPng } from '../support/png';
import { aSession, endSession, startTestApi, thought, type TestApi } from './fixture';

let api: TestApi;
let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), 'surefoot-report-'));

beforeAll(async () => {
  api = await startTestApi();
  browser = await chromium.launch({ executablePath: api.stack.chromiumPath, args: ['--no-sandbox'] });
}, 60_000);
afterAll(async () => {
  await browser.close();
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

const OWN = "document.title='owned'";
const HOSTILE = `</pre></details></style><script>${OWN}</script><img src="http://127.0.0.1:9/x" onerror="${OWN}"><style>body{display:none}</style>`;

/** A session whose page, model and request say the same hostile text, with more pictures than a report has room for. */
async function aHostileSession(): Promise<string> {
  const { store } = api;
  const steps = [`Click ${HOSTILE}`];
  const sessionId = await aSession(store, { steps, variables: { given: HOSTILE, password: { env: 'SHOP_PASSWORD' } } });
  // Noise does not compress: one of the large pictures fills most of the room for pictures, and the wide one is scaled.
  const random = noise(1);
  const large = aPng(700, 700, () => [random(), random(), random()]);
  const wide = aPng(800, 40, () => [random(), random(), random()]);
  for (const [artifactId, content] of Object.entries({ 'shot-0': large, 'shot-1': large, 'shot-2': wide }))
    await store.artifacts.save({ sessionId, artifactId, kind: 'screenshot', content, stepIndex: 0 });
  const place = { sessionId, kind: 'dom', stepIndex: 0, commandId: 'c1' } as const;
  await store.artifacts.save({ ...place, artifactId: 'dom-1', content: `<html>${HOSTILE}</html>` });
  for (const [position, commandId] of ['c1', 'c2'].entries()) {
    const click = { commandId, action: 'CLICK_ELEMENT', parameters: { selector: HOSTILE } } as const;
    const intent = { ...click, stepIndex: 0, turn: 0, position, effect: 'commit', pageUrl: '' } as const;
    await store.journal.intend(sessionId, {}, intent, []);
    const response = { success: true, commandId, screenshotId: `shot-${position}`, duration: 5 };
    const outcome = { commandId, status: 'done', response, ...(position === 0 ? { domId: 'dom-1' } : {}) } as const;
    const record: NewRecord = {
      eventId: `${commandId}/completed`,
      owner: 'task-loop',
      type: StreamEventType.COMMAND_COMPLETED,
      at: new Date().toISOString(),
      stepIndex: 0,
      data: { command: { ...click, status: CommandStatus.COMPLETED } },
    };
    await store.journal.finish(sessionId, {}, outcome, [record]);
  }
  await store.log.append(sessionId, [
    { ...thought(1), stepIndex: 0, data: { reasoning: { thought: HOSTILE, confidence: 0.9, reasoningType: 'plan' } } },
  ]);
  await store.memory.saveStepResult(sessionId, {
    stepIndex: 0,
    status: StepStatus.COMPLETED,
    reasoning: HOSTILE,
    durationMs: 400,
    page: { domId: 'dom-1', screenshotId: 'shot-2', url: 'http://shop/' },
  });
  await endSession(store, sessionId);
  return sessionId;
}

/** Bytes that look random and are the same each time. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
}

test('a hostile page can neither run nor request anything in a report, which is below 5 MB', async () => {
  const sessionId = await aHostileSession();
  const answer = await api.app.request(`/v1/sessions/${sessionId}/report`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  const text = await answer.text();
  expect(Buffer.byteLength(text)).toBeLessThan(5_000_000);

  const { home, databaseUrl, temporalAddress } = api.stack;
  const file = join(folder, 'report.html');
  const env = { SUREFOOT_HOME: home, DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress };
  const written = await runCli(['report', sessionId, '--out', file], { env });
  expect({ exitCode: written.exitCode, stderr: written.stderr }).toEqual({ exitCode: 0, stderr: '' });
  // The times at which both were made may differ.
  const withoutTime = (page: string): string => page.replace(/Made [^<]* by/, '');
  expect(withoutTime(readFileSync(file, 'utf8'))).toBe(withoutTime(text));

  const page = await browser.newPage();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url().slice(0, 60)));
  await page.goto(pathToFileURL(file).href);
  expect(requested.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href.slice(0, 60)]);
  expect(await page.title()).toContain('COMPLETED');
  expect(await page.locator('script, img:not([src^="data:image/png"]), a').count()).toBe(0);
  await expect(page.locator('h1').innerText()).resolves.toContain('<script>');
  const style = await page
    .locator('main')
    .evaluate((main) => [getComputedStyle(main).display, getComputedStyle(main).maxWidth]);
  expect(style).toEqual(['flex', '1024px']);
  expect(await page.locator('img').count()).toBe(2);
  expect(await page.getByText('Screenshots left out for its size: 1 of 3.').count()).toBe(1);
  const dom = page.locator('details.more', { hasText: 'DOM' }).locator('pre');
  expect(await dom.isVisible()).toBe(false);
  await page.getByText('DOM', { exact: true }).click();
  expect(await dom.innerText()).toContain('<html></pre>');
  expect(text).toContain('[secret]');
  await page.close();
});

test('what was unknown stands in the report with later requests, who resolved it, and what nobody did', async () => {
  const { store } = api;
  const sessionId = await aSession(store, { steps: ['Click "Place order"', 'Click "Pay"', 'Click "Send"'] });
  const evidence = (requests: ObservedRequest[]): CommandEvidence => ({
    kind: 'unobserved',
    urlBefore: 'https://shop.test/cart',
    urlAfter: 'https://shop.test/cart',
    eventDelivered: true,
    isDocumentGone: false,
    requests: requests.map((request) => ({ ...request, at: '2026-01-02T03:04:00.000Z', resourceType: 'fetch' })),
    dialogs: [],
    gaps: [],
    watchedSince: '2026-01-02T03:03:00.000Z',
  });
  const ordered = { method: 'POST', url: 'https://shop.test/orders', status: 201 };
  for (const [stepIndex, [name, requests]] of (
    [
      ['order', [ordered]],
      ['pay', []],
      ['send', [{ method: 'POST', url: 'https://shop.test/mail', failure: 'net::ERR_CONNECTION_RESET' }]],
    ] as [string, ObservedRequest[]][]
  ).entries()) {
    const commandId = `u-${name}`;
    const click = {
      commandId,
      action: 'CLICK_ELEMENT',
      parameters: { selector: `role=button[name="${name}"s]` },
    } as const;
    const intent = {
      ...click,
      stepIndex,
      turn: 0,
      position: 0,
      effect: 'commit',
      pageUrl: 'https://shop.test/cart',
    } as const;
    await store.journal.intend(sessionId, {}, intent, []);
    const response = { success: false, commandId, screenshotId: '', duration: 5 };
    const outcome = { commandId, status: 'unknown', response, evidence: evidence(requests) } as const;
    await store.journal.finish(sessionId, {}, outcome, []);
  }
  const at = '2026-01-02T03:04:05.000Z';
  await store.log.append(sessionId, [], {
    resolutions: [
      { commandId: 'u-order', by: 'model', happened: true, at },
      { commandId: 'u-pay', by: 'person', happened: false, at },
    ],
  });
  await endSession(store, sessionId);
  const html = await (await api.app.request(`/v1/sessions/${sessionId}/report`)).text();
  const page = await browser.newPage();
  await page.setContent(html);
  const text = ((await page.locator('body').textContent()) ?? '').replaceAll(/\s+/g, ' ');
  const [, section = ''] = text.split('What was unknown');
  expect(section).toMatch(
    /Step 1: nobody saw how .*order.* ended[^]*Requests since: POST https:\/\/shop\.test\/orders 201[^]*The model judged by the page that it happened, so it was not repeated/,
  );
  expect(section).toMatch(/Step 2: .*pay[^]*No request was seen since\.[^]*A person said that it did not happen/);
  expect(section).toMatch(
    /Step 3: .*send[^]*POST https:\/\/shop\.test\/mail net::ERR_CONNECTION_RESET[^]*It was not resolved\./,
  );
  await page.close();

  const known = await aSession(store, { steps: ['look'] });
  await endSession(store, known);
  expect(await (await api.app.request(`/v1/sessions/${known}/report`)).text()).not.toContain('What was unknown');
});

test('a report of a session that is unknown is 404, and one that can not be written says why', async () => {
  expect((await api.app.request('/v1/sessions/nobody/report')).status).toBe(404);
  const sessionId = await aSession(api.store, { steps: ['look'] });
  const { home, databaseUrl, temporalAddress } = api.stack;
  const env = { SUREFOOT_HOME: home, DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress };
  const refused = await runCli(['report', sessionId, '--out', join(folder, 'nowhere', 'report.html')], { env });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('could not be written');
});
