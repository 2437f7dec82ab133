import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listBrowserRecords } from '../../../worker/keeper/chrome/browser-record';
import { runKeeper } from '../../../worker/keeper/run';
import { LOCAL_SITES } from '../../support/open-network';
import { aRoot, attach, CHROMIUM, cleanUp, keeperOver, later, silent, until } from '../fixture';

afterEach(cleanUp);

/** `nobody`, where this test may become somebody else; elsewhere the same user, who has no token either. */
const STRANGER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Runs an async function body with `net`, `fs` and `args` as another user, and resolves to what it returns. */
async function asStranger(body: string, ...args: string[]): Promise<unknown> {
  const script = `
    const [net, fs, args] = [require('node:net'), require('node:fs'), process.argv.slice(1)];
    (async () => {${body}})().then((result) => console.log(JSON.stringify(result)),
      (error) => console.log(JSON.stringify(error.code ?? error.message)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, ...args], { cwd: '/', ...STRANGER });
  return JSON.parse(stdout);
}

/** The first line that a port answers to a request. */
const KNOCK = `
  const [port, path, ...headers] = args;
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.write(['GET ' + path + ' HTTP/1.1', 'Host: 127.0.0.1', ...headers, '', ''].join('\\r\\n'));
  let answer = '';
  for await (const chunk of socket) if ((answer += chunk).includes('\\r\\n')) break;
  return answer.split('\\r\\n')[0];`;
const UPGRADE = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** The sockets at which a process of this group listens, by address. */
function listeningSocketsOf(group: number): string[] {
  const pids = execFileSync('ps', ['-eo', 'pid=,pgid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, pgid]) => Number(pgid) === group);
  const inodes = new Set(pids.flatMap(([pid]) => descriptorsOf(Number(pid))));
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(`socket:[${inode}]`))
      .map(([, address]) => address!),
  );
}

function descriptorsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
  } catch {
    // It has ended, or closed one meanwhile.
    return [];
  }
}

test('a Chrome listens at no port', async () => {
  const browsers = await keeperOver(aRoot());
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  await attach(access);
  expect(descriptorsOf(access.pid).filter((target) => target.includes('/devtools-'))).toHaveLength(2);
  expect(listeningSocketsOf(access.pid)).toEqual([]);
});

test('another user of the machine can open neither pipe of a Chrome, even in a folder that is open to all', async () => {
  const root = aRoot();
  const browsers = await keeperOver(root);
  await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { folder } = listBrowserRecords(root)[0]!;
  for (const open of [root, folder]) chmodSync(open, 0o755);
  for (const name of ['devtools-commands', 'devtools-answers', 'browser.json']) {
    const file = join(folder, name);
    const { mode, uid } = statSync(file);
    expect([name, (mode & 0o777).toString(8), uid]).toEqual([name, '600', process.getuid!()]);
    if (STRANGER.uid === undefined) continue;
    const flags = 'fs.constants.O_NONBLOCK | fs.constants.O_RDWR';
    expect(await asStranger(`return fs.openSync(args[0], ${flags})`, file)).toBe('EACCES');
  }
});

test('the relay lets in nobody without the token of its epoch, and whoever has it', async () => {
  const browsers = await keeperOver(aRoot());
  const old = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const access = await browsers.openRelay({ sessionId: 's', epoch: 2 });
  const { port } = new URL(access.endpoint);
  const knock = (path: string, ...headers: string[]) => asStranger(KNOCK, port, path, ...headers);

  expect(await knock('/json/version')).toBe('HTTP/1.1 426 Upgrade Required');
  for (const path of ['/', `/devtools/browser/${access.browserId}`, `/${access.token}`])
    expect(await knock(path, ...UPGRADE)).toBe('HTTP/1.1 401 Unauthorized');
  for (const token of ['', old.token, `${access.token}x`, access.token.slice(1), access.browserId])
    expect(await knock('/', ...UPGRADE, `Authorization: Bearer ${token}`)).toBe('HTTP/1.1 401 Unauthorized');
  expect(browsers.list()).toMatchObject([{ attachedWorkers: 0 }]);

  const { page } = await attach(access);
  expect(await page.evaluate('1 + 1')).toBe(2);
  expect(browsers.list()).toMatchObject([{ attachedWorkers: 1 }]);
});

test('the keeper and its egress process answer another user with 401, whatever is asked', async () => {
  const home = aRoot();
  let host: { keeperUrl: string; token: string } | undefined;
  let requestStop = () => {};
  const ended = runKeeper({
    settings: { home, hostId: 'here', chromiumPath: CHROMIUM, maxBrowsers: 2, network: LOCAL_SITES },
    registry: { heartbeat: async (given) => void (host = given), leaseStates: async () => new Map() },
    logger: silent,
    poolSize: 0,
    endBrowsersOnStop: true,
    stopRequested: new Promise<void>((resolve) => (requestStop = resolve)),
  });
  later(async () => {
    requestStop();
    await ended;
  });
  const { keeperUrl, token } = await until('the host is known', () => host);
  const egress = JSON.parse(readFileSync(join(home, 'browsers', 'here', 'egress.json'), 'utf8')) as { port: number };
  const ports = { [new URL(keeperUrl).port]: '/browsers', [egress.port]: '/ways/1/blocked' };
  for (const [port, path] of Object.entries(ports))
    for (const given of ['', 'x', `${token.slice(0, -1)}_`])
      expect(await asStranger(KNOCK, port, path, `Authorization: Bearer ${given}`)).toBe('HTTP/1.1 401 Unauthorized');
  expect((await fetch(`${keeperUrl}/browsers`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
});
