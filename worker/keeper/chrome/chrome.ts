import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SessionNetwork } from '../../../contracts/browsers/network-policy';
import { errorMessage } from '../../../contracts/errors/error-message';
import { KEEPER_DEADLINES } from '../host/deadlines';
import { connectDevTools, type DevTools } from '../devtools/devtools';
import { makePipes } from '../devtools/pipes';
import { writeBrowserRecord } from './browser-record';
import { profileFolder, removeFolders, socketFolderOf } from '../../../runtime/browser-folder';
import { PRIVATE } from '../../../runtime/private-folder';
import { isAlive, startTicksOf, type ProcessIdentity } from '../../../runtime/process-identity';
import { chromeEnvironment } from './environment';
import { giveWay } from './give-way';
import { writeProfile } from './profile';
import { defaultSandbox, type ChromeSandbox } from './sandbox';
import { couldNotStart, KilledWhileStarting, startedTooLate } from '../host/refusals';
import { killGroup } from '../../../runtime/process-group';
import { withinMs } from '../../../runtime/time-limit';
import { waitUntil } from '../../../runtime/wait-until';

/** A Chrome whose DevTools only its keeper has. */
export interface Chrome extends ProcessIdentity {
  folder: string;
  /** Never that of another Chrome. */
  browserId: string;
  devTools: DevTools;
  startedAt: string;
  /** Of the proxy through which it reaches the network. */
  proxyPort: number;
  /** Where several sessions share the process: the part that is one session's, with its own folder. */
  context?: { id: string; of: string; dispose(): Promise<void> } | undefined;
}

export interface ChromeStart {
  chromiumPath: string;
  folder: string;
  headless: boolean;
  /** By default none where this process is root's. */
  sandbox?: ChromeSandbox | undefined;
  /** Absent for a Chrome of the pool. */
  sessionId?: string | undefined;
  /** The tenant whose sessions share it. It begins without a window. */
  sharedBy?: string | undefined;
  proxyPort: number;
  /** For the successor of this keeper. */
  network?: SessionNetwork | undefined;
  /** How long it may take to answer, where that is less than the keeper's own limit. */
  startWithinMs?: number | undefined;
}

const POLL_MS = 10;
const ENDS_WITHIN_MS = 1000;
/** The last messages of a Chrome that has ended are still in its pipe. */
const LAST_MESSAGES_MS = 250;

function flagsOf({ headless, proxyPort, sharedBy }: ChromeStart, sandbox: ChromeSandbox, profile: string): string[] {
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
    // A port would be open to every user of this machine.
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    // Chrome only honours the last of two such flags.
    `--disable-features=${[BACK_FORWARD_CACHE, ...ADDRESS_BAR, ...UNSOLICITED_REQUESTS].join()}`,
    ...networkFlags(proxyPort),
    sharedBy === undefined ? 'about:blank' : '--no-startup-window',
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
  const { chromiumPath, folder, sessionId, sharedBy, proxyPort, network, sandbox = defaultSandbox() } = start;
  const { chromeStart, chromeStartAtLeast } = KEEPER_DEADLINES;
  const timeoutMs = Math.min(Math.max(start.startWithinMs ?? chromeStart, chromeStartAtLeast), chromeStart);
  const user = sandbox.kind === 'on' ? sandbox.user : undefined;
  await removeFolders(folder);
  mkdirSync(folder, { recursive: true, mode: PRIVATE.folder });
  writeProfile(folder, user);
  const profile = realpathSync(profileFolder(folder));
  const pipes = await makePipes(folder).catch(async (error: unknown) => {
    await removeFolders(folder);
    throw error;
  });
  const log = openSync(logFileOf(folder), 'w', PRIVATE.file);
  const child = spawn(chromiumPath, flagsOf(start, sandbox, profile), {
    detached: true,
    stdio: ['ignore', log, log, ...pipes.descriptors],
    env: chromeEnvironment(user === undefined ? undefined : dirname(profile)),
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid, cwd: dirname(profile) }),
  });
  closeSync(log);
  child.unref();
  giveWay(child);
  const ending = endOf(child);
  // That it has ended, and how, may be known a moment after its pipes have.
  const answering = connectDevTools(folder, { timeoutMs }).catch((error: unknown) =>
    withinMs(ENDS_WITHIN_MS, ending).catch(() => errorMessage(error)),
  );
  pipes.close();
  const startedAt = new Date().toISOString();
  const startTicks = child.pid === undefined ? undefined : startTicksOf(child.pid);
  if (child.pid === undefined || startTicks === undefined) {
    const reason = withTail(await ending, folder);
    await removeFolders(folder);
    throw child.signalCode === null ? couldNotStart(chromiumPath, reason) : new KilledWhileStarting(reason);
  }
  const identity = { pid: child.pid, startTicks };
  const record = { sessionId, sharedBy, ...identity, epoch: 0, startedAt, proxyPort, network };
  // Written before Chrome is ready, so that the successor of a killed keeper finds the process to end.
  writeBrowserRecord(folder, record);
  const outcome = await Promise.race([ending, answering]);
  if (typeof outcome !== 'string') {
    // A child of a wrapper script may hold the pipes open for longer than Chrome lives.
    void ending.then(() => delay(LAST_MESSAGES_MS)).then(() => outcome.close());
    const browserId = randomUUID();
    writeBrowserRecord(folder, { ...record, browserId, keeperSession: outcome.keeperSession });
    return { ...identity, browserId, devTools: outcome, folder, startedAt, proxyPort };
  }
  const reason = withTail(outcome, folder);
  const { signalCode, exitCode } = child;
  await endDyingChrome({ ...identity, folder });
  if (signalCode !== null) throw new KilledWhileStarting(reason);
  throw exitCode === null ? startedTooLate(chromiumPath, reason) : couldNotStart(chromiumPath, reason);
}

/** The reason with the last lines of Chrome's log, which usually explain it. */
export function withTail(reason: string, folder: string): string {
  const log = logFileOf(folder);
  // A session that shares its Chrome has no log of its own.
  if (!existsSync(log)) return reason;
  const tail = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join(' | ').slice(-1000);
  return tail === '' ? reason : `${reason}: ${tail}`;
}

function logFileOf(folder: string): string {
  return join(folder, 'chrome.log');
}

/** Resolves, once a process has ended, to how. */
export function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`}`));
  });
}

type KnownChrome = Pick<Chrome, 'pid' | 'startTicks' | 'folder' | 'context'>;

/** What a session has of a Chrome that others use too ends without it. */
async function endContext({ folder, context }: KnownChrome): Promise<void> {
  await context?.dispose();
  await removeFolders(folder);
}

/**
 * Ends a Chrome that has just died, or dies this moment, with its children, which may write its folder anew. A group's number
 * is not reused while it has members, so if no process has the pid, the group is this Chrome's.
 */
export async function endDyingChrome(chrome: KnownChrome): Promise<void> {
  if (chrome.context !== undefined) return await endContext(chrome);
  // Asked once: between two questions it may die, and each would leave its children to the other.
  const startTicks = startTicksOf(chrome.pid);
  if (startTicks === undefined || startTicks === chrome.startTicks) killGroup(chrome.pid);
  await waitUntil(() => !isAlive(chrome), 5000, POLL_MS);
  await removeFolders(chrome.folder, await socketFolderOf(chrome.folder));
}

/** Ends the process group, if it is still this Chrome's, and removes its folder. `askToClose` gets 300 ms first. */
export async function endChrome(chrome: KnownChrome, askToClose?: () => Promise<unknown>): Promise<void> {
  if (chrome.context !== undefined) return await endContext(chrome);
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
