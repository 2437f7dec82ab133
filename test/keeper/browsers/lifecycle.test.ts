import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, readlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { endChrome, startChrome } from '../../../worker/keeper/chrome/chrome';
import { aRoot, browserFilesIn, attach, CHROMIUM, cleanUp, keeperOver, until } from '../fixture';

afterEach(cleanUp);

/** Processes whose command line names the folder, zombies left out. */
function processesOf(folder: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter(
    (line) =>
      line.includes(folder) &&
      !line.includes('egress/main.js') &&
      !/^\s*\d+\s+Z/.test(line) &&
      !line.includes('ps -eo'),
  );
}

/** Of Chromes: what was seen of one stays beside them until its session lets go of it. */
function foldersIn(root: string): string[] {
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function groupOf(pid: number): string[] {
  const lines = execFileSync('ps', ['-eo', 'pgid=,stat=,pid='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.trim().startsWith(`${pid} `) && !/^\s*\d+\s+Z/.test(line));
}

test('starts a Chrome that a worker reaches through the relay', async () => {
  const browsers = await keeperOver(aRoot());
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  expect(access.isNew).toBe(true);
  const { page } = await attach(access);
  await page.setContent('<h1>here</h1>');
  expect(await page.textContent('h1')).toBe('here');
  expect(await page.evaluate(() => [innerWidth, outerHeight])).toEqual([1280, 800]);
});

test('starts one Chrome for concurrent calls', async () => {
  const root = aRoot();
  const browsers = await keeperOver(root);
  const request = { sessionId: 's', epoch: 1, headless: true };
  const [first, second] = await Promise.all([browsers.open(request), browsers.open(request)]);
  expect(first).toEqual(second);
  expect(browsers.list()).toHaveLength(1);
});

test('closing ends every process of the Chrome and removes its folder, and can be repeated', async () => {
  const root = aRoot();
  const browsers = await keeperOver(root);
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { pid } = access;
  await attach(access);
  expect(groupOf(pid).length).toBeGreaterThan(2);

  await browsers.close('s');
  await browsers.close('s');
  expect(browsers.list()).toEqual([]);
  expect(browserFilesIn(root)).toEqual([]);
  await until('all processes are gone', () => groupOf(pid).length === 0 && processesOf(root).length === 0);
});

test('a session gets a new Chrome right after its old one was closed', async () => {
  const browsers = await keeperOver(aRoot());
  const first = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const [, second] = await Promise.all([
    browsers.close('s'),
    browsers.open({ sessionId: 's', epoch: 2, headless: true }),
  ]);
  expect(second.pid).not.toBe(first.pid);
  await attach(second);
});

test('notices that a Chrome died, and cleans up', async () => {
  const root = aRoot();
  const browsers = await keeperOver(root);
  const { pid } = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  process.kill(pid, 'SIGKILL');

  await until('the browser is gone', () => browsers.list().length === 0);
  await expect(browsers.openRelay({ sessionId: 's', epoch: 2 })).rejects.toMatchObject({ status: 404 });
  await until('the folder is gone', () => foldersIn(root).length === 0);
  await until('no process is left', () => processesOf(root).length === 0);
  await browsers.close('s');
  expect(browserFilesIn(root)).toEqual([]);
});

/** A program that does this first and is Chrome then. */
function chromeAfter(script: string): string {
  const file = join(aRoot(), 'chrome.sh');
  writeFileSync(file, `#!/bin/sh\n${script}\nexec ${CHROMIUM} "$@"\n`, { mode: 0o755 });
  return file;
}

test('a Chrome that is killed while it starts is started again', async () => {
  const chromiumPath = chromeAfter('[ -e "$0.killed" ] || { touch "$0.killed"; kill -9 $$; }');
  const browsers = await keeperOver(aRoot(), { chromiumPath });
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  await attach(access);
  expect(existsSync(`${chromiumPath}.killed`)).toBe(true);
});

test('a session whose Chromes are all killed while they start gets an error', async () => {
  const browsers = await keeperOver(aRoot(), { chromiumPath: chromeAfter('echo no memory left >&2; kill -9 $$') });
  await expect(browsers.open({ sessionId: 's', epoch: 1, headless: true })).rejects.toMatchObject({
    status: 503,
    message:
      'Chromium was killed repeatedly during its start (it ended with SIGKILL: no memory left); find out what kills it.',
  });
});

test('a Chrome that never answers is ended after the time of its session, which may ask once more', async () => {
  const chromiumPath = chromeAfter('echo x >> "$0.starts"; [ $(wc -l < "$0.starts") -gt 1 ] || exec sleep 3600');
  const browsers = await keeperOver(aRoot(), { chromiumPath });
  const wish = { sessionId: 's', epoch: 1, headless: true };
  await expect(browsers.open({ ...wish, startWithinMs: 5100 })).rejects.toMatchObject({
    status: 408,
    message: expect.stringContaining('did not answer its keeper within 5.1 s; if that goes on, have fewer'),
  });
  await attach(await browsers.open(wish));
  expect(readFileSync(`${chromiumPath}.starts`, 'utf8')).toBe('x\nx\n');
});

test('the children of a Chrome that died are ended', async () => {
  const root = aRoot();
  const browsers = await keeperOver(root, { chromiumPath: chromeAfter('sleep 3600 &') });
  const { pid } = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  process.kill(pid, 'SIGKILL');
  await until('the folder is gone', () => foldersIn(root).length === 0);
  await until('all of its group are gone', () => groupOf(pid).length === 0);
  expect(foldersIn(root)).toEqual([]);
});

test('reports why Chrome does not start', async () => {
  const root = aRoot();
  const missing = await keeperOver(root, { chromiumPath: '/nowhere/chromium' });
  await expect(missing.open({ sessionId: 's', epoch: 1, headless: true })).rejects.toThrow(
    'Chromium could not be started from /nowhere/chromium: spawn /nowhere/chromium ENOENT; set CHROMIUM_PATH.',
  );
  const failing = await keeperOver(root, { chromiumPath: '/bin/false' });
  await expect(failing.open({ sessionId: 's', epoch: 1, headless: true })).rejects.toMatchObject({
    status: 503,
    message: 'Chromium could not be started from /bin/false: it ended with exit code 1; set CHROMIUM_PATH.',
  });
  expect(browserFilesIn(root)).toEqual([]);
});

test('hands over a started Chrome of the pool and refills the pool', async () => {
  const root = aRoot();
  const browsers = await keeperOver(root, { poolSize: 1 });
  let sessions = 0;
  const access = await until('a session got the Chrome of the pool', async () => {
    sessions += 1;
    const opened = await browsers.open({ sessionId: `s${sessions}`, epoch: 1, headless: true });
    return basename(dirname(opened.downloads)).startsWith('pool-') && opened;
  });
  expect(access).toMatchObject({ sessionId: `s${sessions}`, epoch: 1, isNew: true });
  await attach(access);
  await until('the pool is filled again', () => foldersIn(root).length === sessions + 1);

  await browsers.close(access.sessionId);
  expect(existsSync(dirname(access.downloads))).toBe(false);
  await browsers.stop({ endBrowsers: false });
  expect(readdirSync(root).some((name) => name.startsWith('pool-'))).toBe(false);
  const successor = await keeperOver(root);
  expect(successor.list()).toHaveLength(sessions - 1);
});

test('a Chrome that is killed while it closes leaves no socket folder behind', async () => {
  const folder = join(aRoot(), 'browser');
  const chrome = await startChrome({ chromiumPath: CHROMIUM, folder, headless: true, proxyPort: 1 });
  const link = join(folder, 'profile', 'SingletonSocket');
  const socketFolder = dirname(await until('its socket', () => (existsSync(link) ? readlinkSync(link) : undefined)));
  expect(existsSync(socketFolder)).toBe(true);

  // The first thing that a closing Chrome does; on a busy machine it comes no further.
  await endChrome(chrome, () => Promise.resolve(unlinkSync(link)));
  expect(existsSync(socketFolder)).toBe(false);
  expect(existsSync(folder)).toBe(false);
});
