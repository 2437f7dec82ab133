import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EvidenceFile } from '../../../worker/keeper/evidence/evidence-file';
import { EvidenceLog } from '../../../worker/keeper/evidence/evidence-log';
import {
  aKeeperProcess,
  aRoot,
  aSite,
  attach,
  browserFilesIn,
  cleanUp,
  keeperOver,
  later,
  silent,
  until,
} from '../fixture';

afterEach(cleanUp);

const fileOf = (root: string): string => join(root, '.evidence-s.jsonl');

async function aSessionOn(root: string) {
  const [browsers, site] = [await keeperOver(root), await aSite()];
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { page, browser } = await attach(access);
  await page.goto(site.url);
  return { browsers, site, access, page, browser, browserId: access.browserId };
}

const posts = ({ requests }: { requests: { method: string; url: string; status?: number | undefined }[] }) =>
  requests.filter(({ method }) => method === 'POST').map(({ url, status }) => [new URL(url).pathname, status]);

test("the evidence of a killed Chrome is kept apart from the next one's until it is released", async () => {
  const root = aRoot();
  const { browsers, site, access, page, browserId } = await aSessionOn(root);
  await page.evaluate(() => fetch('/orders', { method: 'POST' }));
  await until('the order is recorded', () => posts(browsers.evidence({ sessionId: 's' }))[0]?.[1] === 200);
  process.kill(access.pid, 'SIGKILL');
  await until('the browser is gone', () => browsers.list().length === 0);
  expect(posts(browsers.evidence({ sessionId: 's' }))).toEqual([['/orders', 200]]);

  const next = await browsers.open({ sessionId: 's', epoch: 2, headless: true });
  const { page: another } = await attach(next);
  await another.goto(site.url);
  await another.evaluate(() => fetch('/later', { method: 'POST' }));
  await until('both are recorded', () => posts(browsers.evidence({ sessionId: 's' }))[1]?.[1] === 200);
  const ofTheFirst = browsers.evidence({ sessionId: 's', browserId });
  expect(posts(ofTheFirst)).toEqual([['/orders', 200]]);
  expect(ofTheFirst.gaps).toEqual([]);
  expect(posts(browsers.evidence({ sessionId: 's', browserId: next.browserId }))).toEqual([['/later', 200]]);

  await browsers.close('s');
  expect(() => browsers.evidence({ sessionId: 's' })).toThrow(/No browser of session s/);
  expect(browserFilesIn(root)).toEqual([]);
});

test('the successor of a killed keeper knows the evidence, how requests ended, and when nobody watched', async () => {
  const [root, site] = [aRoot(), await aSite()];
  const keeper = await aKeeperProcess(root);
  const { page } = await attach(keeper.access);
  await page.goto(site.url);
  const since = new Date().toISOString();
  await page.evaluate(() => fetch('/orders', { method: 'POST' }));
  await page.evaluate(() => {
    void fetch('/slow', { method: 'POST' });
    void fetch('/go').then(() => fetch('/unseen', { method: 'POST' }));
  });
  await until('both are recorded', async () => posts(await keeper.evidence()).length === 2);
  await keeper.kill();
  const killedAt = new Date();
  site.letGo();
  await until('the third arrived while nobody watched', () => site.orders() === 3);

  const second = await keeperOver(root);
  const evidence = second.evidence({ sessionId: 's', since });
  expect(posts(evidence)).toEqual([
    ['/orders', 200],
    ['/slow', undefined],
  ]);
  expect(Date.parse(evidence.watchedSince)).toBeLessThan(Date.parse(since));
  const [gap, ...more] = evidence.gaps;
  expect(more).toEqual([]);
  expect(Date.parse(gap!.from)).toBeLessThanOrEqual(killedAt.getTime());
  expect(Date.parse(gap!.to!)).toBeGreaterThan(killedAt.getTime());

  site.answerSlow();
  await until('the end of the slow one is reported', () => posts(second.evidence({ sessionId: 's' }))[1]?.[1] === 200);
  expect(second.evidence({ sessionId: 's', since: new Date(Date.parse(gap!.to!) + 1).toISOString() }).gaps).toEqual([]);
});

test('a keeper that finds a dead Chrome of a killed one knows its evidence and how long it was watched', async () => {
  const [root, site] = [aRoot(), await aSite()];
  const keeper = await aKeeperProcess(root);
  const { page } = await attach(keeper.access);
  await page.goto(site.url);
  await page.evaluate(() => fetch('/orders', { method: 'POST' }));
  await until('it is recorded', async () => posts(await keeper.evidence())[0]?.[1] === 200);
  await keeper.kill();
  process.kill(-keeper.access.pid, 'SIGKILL');

  const second = await keeperOver(root);
  expect(second.list()).toEqual([]);
  const evidence = second.evidence({ sessionId: 's' });
  expect(posts(evidence)).toEqual([['/orders', 200]]);
  expect(evidence.gaps).toEqual([{ from: expect.any(String) as string, to: expect.any(String) as string }]);
  await second.close('s');
  expect(browserFilesIn(root)).toEqual([]);
});

test('the time between a stopped keeper and the next one is a gap', async () => {
  const root = aRoot();
  const { browsers } = await aSessionOn(root);
  await browsers.stop({ endBrowsers: false });
  const second = await keeperOver(root);
  const [gap, ...more] = second.evidence({ sessionId: 's' }).gaps;
  expect(more).toEqual([]);
  expect(Date.parse(gap!.from)).toBeLessThanOrEqual(Date.parse(gap!.to!));
  expect(second.evidence({ sessionId: 's', browserId: '/devtools/browser/of-another-host' })).toMatchObject({
    requests: [],
    watchedSince: expect.any(String) as string,
  });
});

test('evidence that nobody used for a day is removed when the next session comes', async () => {
  const root = aRoot();
  const old = join(root, '.evidence-old.jsonl');
  writeFileSync(old, '{"kind":"watched","at":"2026-01-01T00:00:00.000Z","browserId":"/devtools/browser/old"}\n');
  const browsers = await keeperOver(root);
  expect(browsers.evidence({ sessionId: 'old' }).gaps).toHaveLength(1);
  const dayBefore = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(old, dayBefore, dayBefore);
  await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  expect(browserFilesIn(root)).toEqual(['.evidence-s.jsonl', 's']);
});

function aLog(root: string): EvidenceLog {
  const log = new EvidenceLog(new EvidenceFile(fileOf(root), silent));
  later(() => log.end());
  return log;
}

const aRequest = (n: number) => ({
  id: String(n),
  at: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
  method: 'POST',
  url: `http://site/${n}`,
  resourceType: 'Fetch',
});

test('the file is bounded, readable by its owner alone, and equal to the log', () => {
  const root = aRoot();
  const log = aLog(root);
  log.watch('/first');
  for (let n = 0; n < 5000; n += 1) {
    const request = aRequest(n);
    log.addRequest(request);
    log.addResponse({ ...request, status: 201 });
  }
  const read = aLog(root).evidence();
  expect(read.requests).toHaveLength(500);
  expect(read.requests.at(-1)).toMatchObject({ url: 'http://site/4999', status: 201 });
  expect(readFileSync(fileOf(root), 'utf8').split('\n').length).toBeLessThan(4000);
  expect(statSync(fileOf(root)).mode & 0o777).toBe(0o600);
});

test('the log is complete only since the newest dropped record', () => {
  const log = new EvidenceLog();
  log.watch('/first');
  for (let n = 0; n < 501; n += 1) log.addRequest({ ...aRequest(n), at: new Date(Date.now() + n).toISOString() });
  const first = log.evidence().requests[0]!;
  expect(Date.parse(log.evidence().watchedSince)).toBeLessThan(Date.parse(first.at));
  const before = log.evidence().watchedSince;
  log.addRequest({ ...aRequest(502), at: new Date(Date.now() + 502).toISOString() });
  expect(Date.parse(log.evidence().watchedSince)).toBeGreaterThan(Date.parse(before));
});

test('an incomplete line is skipped', () => {
  const root = aRoot();
  const log = aLog(root);
  log.watch('/first');
  log.addRequest(aRequest(1));
  writeFileSync(fileOf(root), `${readFileSync(fileOf(root), 'utf8')}{"kind":"request","requ`);
  expect(aLog(root).evidence().requests).toMatchObject([{ url: 'http://site/1' }]);
});

test('a disk error does not end the keeper', () => {
  const root = aRoot();
  const log = new EvidenceLog(new EvidenceFile(join(root, 'missing', 'file.jsonl'), silent));
  log.watch('/first');
  log.addRequest(aRequest(1));
  expect(log.evidence().requests).toHaveLength(1);
  log.end();
});
