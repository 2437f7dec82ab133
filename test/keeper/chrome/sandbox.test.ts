import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readableByChrome } from '../../../activities/browser/attach/shared-folder';
import { findSandbox, type ChromeSandbox } from '../../../worker/keeper/chrome/sandbox';
import { removeFolders } from '../../../runtime/browser-folder';
import { aRoot, aSite, attach, CHROMIUM, cleanUp, keeperOver, later, until } from '../fixture';

const isRoot = process.getuid?.() === 0;
/** One for all tests, so that Chrome is tried once. */
let usersRoot: string;

beforeAll(() => {
  usersRoot = mkdtempSync(join(tmpdir(), 'surefoot-users-'));
});

afterAll(() => rmSync(usersRoot, { recursive: true, force: true }));

afterEach(cleanUp);

async function sandboxOf(chromiumPath = CHROMIUM, wanted: 'prefer' | 'require' | 'off' = 'prefer') {
  return await findSandbox({ chromiumPath, home: aRoot(), usersRoot, hostId: 'local', wanted });
}

/** Fields of /proc/<pid>/status. */
function statusOf(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2) as [string, string]));
}

function renderersOf(group: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pgid=,pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pgid, pid, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(pgid) === group && args.includes('--type=renderer') ? [Number(pid)] : [];
  });
}

/** Whether this machine lets a user that is not root make namespaces, found out without Chrome. */
function allowsNamespaces(): boolean {
  try {
    const user = { uid: 65_534, gid: 65_534 };
    execFileSync('unshare', ['--user', '--map-root-user', '--net', 'true'], { ...user, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('root starts Chrome as another user with confined pages, where it can, and says why not', async () => {
  const sandbox = await sandboxOf();
  const isPossible = !isRoot || allowsNamespaces();
  const reason = expect.stringMatching(/ does not start as another user /);
  expect(sandbox).toMatchObject(isPossible ? { kind: 'on' } : { kind: 'off', reason });
  const browsers = await keeperOver(aRoot(), { sandbox });
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { pid } = access;
  const { page } = await attach(access);
  await page.setContent('<h1>here</h1>');
  const uid = sandbox.kind === 'on' && sandbox.user !== undefined ? sandbox.user.uid : process.getuid!();
  expect(uid === 0).toBe(!isPossible);
  expect(statusOf(pid)['Uid']!.split('\t')).toEqual(Array(4).fill(String(uid)));
  const renderers = renderersOf(pid).map(statusOf);
  expect(renderers.length).toBeGreaterThan(0);
  // 2 is a filter of system calls; a renderer without one runs with --no-sandbox.
  for (const renderer of renderers) expect(renderer['Seccomp'] === '2').toBe(isPossible);
});

test.each([
  ['has its files for itself', {}],
  ['that is shared keeps the files of each session apart', { sharedBy: 'acme' }],
])('a Chrome of another user %s, takes uploads and gives downloads', async (_, how) => {
  const sandbox = await sandboxOf();
  const browsers = await keeperOver(aRoot(), { sandbox });
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true, ...how });
  const own = dirname(access.downloads);
  for (const folder of [own, access.downloads, join(own, 'profile')]) expect(statSync(folder).mode & 0o077).toBe(0);

  const { page } = await attach(access);
  const site = await aSite();
  await page.goto(`${site.url}/file`);
  await page.click('text=get it');
  const downloaded = join(access.downloads, 'report.txt');
  await until('the download is there', () => readdirSync(access.downloads).includes('report.txt'));
  expect(readFileSync(downloaded, 'utf8')).toBe('the report');

  const file = join(aRoot(), 'of-mine.txt');
  writeFileSync(file, 'what only I may read', { mode: 0o600 });
  await page.setContent('<input type=file>');
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'input' });
  const files = await readableByChrome([file], access.downloads);
  await session.send('DOM.setFileInputFiles', { nodeId, files });
  const read = "document.querySelector('input').files[0].text()";
  expect(await page.evaluate(read)).toBe('what only I may read');
  expect(await page.evaluate("document.querySelector('input').files[0].name")).toBe('of-mine.txt');

  await browsers.close('s');
  expect(lstatSync(own, { throwIfNoEntry: false })).toBeUndefined();
});

test('Chrome gets nothing of the environment of its keeper but what a browser needs', async () => {
  process.env['SUREFOOT_SECRET_KEY'] = 'a key that no page must find anywhere';
  process.env['SOME_API_KEY'] = 'neither this one';
  later(() => {
    delete process.env['SUREFOOT_SECRET_KEY'];
    delete process.env['SOME_API_KEY'];
  });
  const browsers = await keeperOver(aRoot(), { sandbox: await sandboxOf() });
  const { pid } = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  // Debian's start script adds a key of its own.
  const unwanted = /no page must find|neither this one|SUREFOOT_|TEMPORAL_|DATABASE_/;
  expect(environment.filter((each) => unwanted.test(each))).toEqual([]);
  expect(environment.some((each) => each.startsWith('PATH='))).toBe(true);
});

test('Chrome and its pages have the processor behind the processes of the engine', async () => {
  const browsers = await keeperOver(aRoot(), { sandbox: await sandboxOf() });
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { page } = await attach(access);
  await page.setContent('<h1>here</h1>');
  const own = getPriority();
  const [renderer] = renderersOf(access.pid);
  expect(getPriority(access.pid)).toBeGreaterThan(own);
  expect(getPriority(renderer)).toBeGreaterThan(own);
});

/** A program that does not start for users that are not root. */
function brokenChrome(): string {
  const file = join(aRoot(), 'chrome.sh');
  writeFileSync(file, `#!/bin/sh\necho No usable sandbox here >&2\nexit 1\n`, { mode: 0o755 });
  return file;
}

test('where root can not start Chrome as another user it goes without the sandbox, unless one is required', async () => {
  const broken = brokenChrome();
  const expected: ChromeSandbox['kind'] = isRoot ? 'off' : 'on';
  expect((await sandboxOf(broken)).kind).toBe(expected);
  expect(await sandboxOf(CHROMIUM, 'off')).toEqual({ kind: 'off', reason: 'SUREFOOT_CHROME_SANDBOX is off' });
  const required = sandboxOf(broken, 'require').then(({ kind }) => kind, String);
  expect(await required).toMatch(isRoot ? /^Error: SUREFOOT_CHROME_SANDBOX requires Chrome's sandbox/ : /^on$/);
});

test("a link in the place of a socket's folder leads nobody to remove another folder", async () => {
  const folder = aRoot();
  const profile = join(folder, 'profile');
  const victim = mkdtempSync(join(tmpdir(), 'surefoot-victim-'));
  later(() => rmSync(victim, { recursive: true, force: true }));
  execFileSync('mkdir', [profile]);
  symlinkSync(join(victim, 'SingletonSocket'), join(profile, 'SingletonSocket'));
  // The link of another user than the owner of the folder.
  if (isRoot) execFileSync('chown', ['-h', '65534:65534', join(profile, 'SingletonSocket')]);
  await removeFolders(folder);
  expect(lstatSync(folder, { throwIfNoEntry: false })).toBeUndefined();
  expect(statSync(victim, { throwIfNoEntry: false }) !== undefined).toBe(isRoot);
});
