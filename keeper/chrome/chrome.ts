import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionNetwork } from '../../contracts/browsers/network-policy';
import { DEADLINES } from '../deadlines';
import { writeBrowserRecord } from './browser-record';
import { profileFolder, removeFolders, socketFolderOf } from '../../runtime/browser-folder';
import { PRIVATE } from '../../runtime/private-folder';
import { isAlive, startTicksOf, type ProcessIdentity } from '../../runtime/process-identity';
import { chromeEnvironment } from './environment';
import { writeProfile } from './profile';
import { defaultSandbox, type ChromeSandbox } from './sandbox';
import { couldNotStart, KilledWhileStarting } from '../refusals';
import { killGroup } from '../../runtime/process-group';
import { waitUntil } from '../../runtime/wait-until';

/** A Chrome with an open CDP port on loopback. */
export interface Chrome extends ProcessIdentity {
  folder: string;
  port: number;
  wsPath: string;
  startedAt: string;
  /** Of the proxy through which it reaches the network. */
  proxyPort: number;
}

export interface ChromeStart {
  chromiumPath: string;
  folder: string;
  headless: boolean;
  /** By default none where this process is root's. */
  sandbox?: ChromeSandbox | undefined;
  /** Absent for a Chrome of the pool. */
  sessionId?: string | undefined;
  proxyPort: number;
  /** For the successor of this keeper. */
  network?: SessionNetwork | undefined;
}

const POLL_MS = 10;

function flagsOf({ headless, proxyPort }: ChromeStart, sandbox: ChromeSandbox, profile: string): string[] {
  return [
    ...(headless ? ['--headless'] : []),
    ...(sandbox.kind === 'off' ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    // Chrome would open a page that failed again at a moment of its own, in the middle of another command.
    '--disable-auto-reload',
    '--disable-component-update',
    '--disable-sync',
    '--password-store=basic',
    '--window-size=1280,800',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    // Chrome only honours the last of two such flags.
    `--disable-features=${[BACK_FORWARD_CACHE, ...ADDRESS_BAR, ...UNSOLICITED_REQUESTS].join()}`,
    ...networkFlags(proxyPort),
    'about:blank',
  ];
}

/** Playwright gets no event for a page that is restored from it: GO_BACK would time out. */
const BACK_FORWARD_CACHE = 'BackForwardCache';
/**
 * The list under the address bar is never visible here, and costs half of the processor time of a start and a process.
 */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];
/** What Chrome requests by itself. */
const UNSOLICITED_REQUESTS = [
  'MediaRouter',
  'DialMediaRouteProvider',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AsyncDns',
  'DnsOverHttpsUpgrade',
];

/** All traffic goes to the proxy, also to this machine; what the proxy can not carry is blocked. */
function networkFlags(port: number): string[] {
  return [
    `--proxy-server=http://127.0.0.1:${port}`,
    '--proxy-bypass-list=<-loopback>',
    // Chrome resolves no names itself, so a look-up can not leak data.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--dns-prefetch-disable',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--no-pings',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-default-apps',
    '--disable-component-extensions-with-background-pages',
  ];
}

/** Starts a Chrome in its own process group, so that it outlives this process and can be ended as a whole. */
export async function startChrome(start: ChromeStart): Promise<Chrome> {
  const { chromiumPath, folder, sessionId, proxyPort, network, sandbox = defaultSandbox() } = start;
  const user = sandbox.kind === 'on' ? sandbox.user : undefined;
  await removeFolders(folder);
  mkdirSync(folder, { recursive: true, mode: PRIVATE.folder });
  writeProfile(folder, user);
  const profile = realpathSync(profileFolder(folder));
  const log = openSync(logFileOf(folder), 'w', PRIVATE.file);
  const child = spawn(chromiumPath, flagsOf(start, sandbox, profile), {
    detached: true,
    stdio: ['ignore', log, log],
    env: chromeEnvironment(user === undefined ? undefined : dirname(profile)),
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid, cwd: dirname(profile) }),
  });
  closeSync(log);
  child.unref();
  const ending = endOf(child);
  const startedAt = new Date().toISOString();
  const startTicks = child.pid === undefined ? undefined : startTicksOf(child.pid);
  if (child.pid === undefined || startTicks === undefined) {
    const reason = withTail(await ending, folder);
    await removeFolders(folder);
    throw child.signalCode === null ? couldNotStart(chromiumPath, reason) : new KilledWhileStarting(reason);
  }
  const identity = { pid: child.pid, startTicks };
  // Written before Chrome is ready, so that the successor of a killed keeper finds the process to end.
  writeBrowserRecord(folder, { sessionId, ...identity, port: 0, wsPath: '', epoch: 0, startedAt, proxyPort, network });
  const ended = new AbortController();
  void ending.then(() => ended.abort());
  const outcome = await Promise.race([ending, devToolsAddress(folder, ended.signal)]);
  if (typeof outcome !== 'string') {
    writeBrowserRecord(folder, { sessionId, ...identity, ...outcome, epoch: 0, startedAt, proxyPort, network });
    return { ...identity, ...outcome, folder, startedAt, proxyPort };
  }
  const reason = withTail(outcome, folder);
  await endDyingChrome({ ...identity, folder });
  if (child.signalCode !== null) throw new KilledWhileStarting(reason);
  throw couldNotStart(chromiumPath, reason);
}

/** The reason with the last lines of Chrome's log, which usually explain it. */
export function withTail(reason: string, folder: string): string {
  const tail = readFileSync(logFileOf(folder), 'utf8').trim().split('\n').slice(-5).join(' | ').slice(-1000);
  return tail === '' ? reason : `${reason}: ${tail}`;
}

function logFileOf(folder: string): string {
  return join(folder, 'chrome.log');
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`}`));
  });
}

async function devToolsAddress(
  folder: string,
  signal: AbortSignal,
): Promise<{ port: number; wsPath: string } | string> {
  let address: { port: number; wsPath: string } | undefined;
  const isOver = (): boolean => signal.aborted || (address = readDevToolsAddress(folder)) !== undefined;
  await waitUntil(isOver, DEADLINES.chromeStart, POLL_MS);
  return address ?? `it announced no debugging port within ${DEADLINES.chromeStart / 1000} s`;
}

function readDevToolsAddress(folder: string): { port: number; wsPath: string } | undefined {
  try {
    const [port, wsPath] = readFileSync(join(profileFolder(folder), 'DevToolsActivePort'), 'utf8').split('\n');
    return wsPath?.startsWith('/devtools/browser/') ? { port: Number(port), wsPath: wsPath.trim() } : undefined;
  } catch {
    return undefined;
  }
}

type KnownChrome = Pick<Chrome, 'pid' | 'startTicks' | 'folder'>;

/**
 * Ends a Chrome that has just died, or dies this moment, with its children, which may write its folder anew. A group's number
 * is not reused while it has members, so if no process has the pid, the group is this Chrome's.
 */
export async function endDyingChrome(chrome: KnownChrome): Promise<void> {
  // Asked once: between two questions it may die, and each would leave its children to the other.
  const startTicks = startTicksOf(chrome.pid);
  if (startTicks === undefined || startTicks === chrome.startTicks) killGroup(chrome.pid);
  await waitUntil(() => !isAlive(chrome), 5000, POLL_MS);
  await removeFolders(chrome.folder, await socketFolderOf(chrome.folder));
}

/** Ends the process group, if it is still this Chrome's, and removes its folder. `askToClose` gets 300 ms first. */
export async function endChrome(chrome: KnownChrome, askToClose?: () => Promise<unknown>): Promise<void> {
  // Read before Chrome closes: one that is killed while it closes leaves the socket but no link to it.
  const socketFolder = await socketFolderOf(chrome.folder);
  if (isAlive(chrome)) {
    if (askToClose !== undefined) {
      askToClose().catch(() => undefined);
      await waitUntil(() => !isAlive(chrome), 300, POLL_MS);
    }
    // Also when Chrome has just ended by itself: others of its group may remain.
    killGroup(chrome.pid);
    await waitUntil(() => !isAlive(chrome), 5000, POLL_MS);
  }
  await removeFolders(chrome.folder, socketFolder);
}
