import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SessionNetwork } from '../../../contracts/browsers/network-policy';
import type { BrowserProgram } from '../../../runtime/browser-program';
import { removeFolders } from '../../../runtime/browser-folder';
import { compiledFolder } from '../../../runtime/compiled-folder';
import { PRIVATE } from '../../../runtime/private-folder';
import { startTicksOf, type ProcessIdentity } from '../../../runtime/process-identity';
import { canEnter } from '../../../runtime/system-user';
import { writeBrowserRecord } from '../chrome/browser-record';
import { endChrome, endOf } from '../chrome/chrome';
import { chromeEnvironment } from '../chrome/environment';
import { giveWay } from '../chrome/give-way';
import { makeHome } from '../chrome/profile';
import type { ChromeSandbox, ChromeUser } from '../chrome/sandbox';
import { KEEPER_DEADLINES } from '../host/deadlines';
import { browserNotLaunched, startedTooLate } from '../host/refusals';
import { LaunchedSchema, type Launch } from './launch';

/** A browser that Playwright serves in a process of its own. */
export interface PlaywrightServer extends ProcessIdentity {
  folder: string;
  endpoint: string;
  startedAt: string;
  /** Resolves when the browser or its server has ended. */
  readonly ended: Promise<string>;
  /** Ends both, and removes their folder. */
  end(): Promise<void>;
}

export interface ServerStart {
  program: BrowserProgram;
  folder: string;
  sessionId: string;
  headless: boolean;
  proxyPort: number;
  sandbox?: ChromeSandbox | undefined;
  network?: SessionNetwork | undefined;
}

/** The user of Chromes that a keeper of root starts, where that one can read what this takes. */
async function userFor(
  { executablePath }: BrowserProgram,
  sandbox: ChromeSandbox | undefined,
): Promise<ChromeUser | undefined> {
  const user = sandbox?.kind === 'on' ? sandbox.user : undefined;
  if (user === undefined) return undefined;
  const needed = [process.execPath, executablePath, require.resolve('playwright')].map((file) =>
    dirname(realpathSync(file)),
  );
  const entered = await Promise.all([compiledFolder(), ...needed].map((each) => canEnter(user, each)));
  return entered.every(Boolean) ? user : undefined;
}

/** Starts the process that launches the browser. A successor of this keeper finds its record, and ends the browser. */
export async function startServer({
  program,
  folder,
  sandbox,
  headless,
  ...facts
}: ServerStart): Promise<PlaywrightServer> {
  await removeFolders(folder);
  mkdirSync(folder, { recursive: true, mode: PRIVATE.folder });
  const user = await userFor(program, sandbox);
  const home = makeHome(folder, user);
  const script = join(compiledFolder(), 'worker', 'keeper', 'playwright', 'main.js');
  const child = spawn(process.execPath, [script], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    // Playwright keeps what it downloads, and the browser its profile, in the temporary folder.
    env: { ...chromeEnvironment(home), TMPDIR: home },
    cwd: home,
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  });
  child.unref();
  giveWay(child);
  const ended = endOf(child);
  const launch: Launch = {
    ...program,
    headless,
    proxyPort: facts.proxyPort,
    timeoutMs: KEEPER_DEADLINES.launchedStart,
  };
  child.stdin.on('error', () => {});
  child.stdin.write(`${JSON.stringify(launch)}\n`);
  const lines = createInterface(child.stdout);
  const answered = once(lines, 'line').then(([line]) => LaunchedSchema.parse(JSON.parse(String(line))));
  const launched = await Promise.race([answered, ended.then((error) => ({ error, isLate: false }))]);
  const startTicks = 'error' in launched ? undefined : startTicksOf(launched.pid);
  if ('error' in launched || startTicks === undefined) {
    child.kill('SIGKILL');
    await removeFolders(folder);
    const { error, isLate } = 'error' in launched ? launched : { error: 'it ended at once', isLate: false };
    throw isLate ? startedTooLate(program.executablePath, error) : browserNotLaunched(program, error);
  }
  const { pid, endpoint } = launched;
  const startedAt = new Date().toISOString();
  const relayPort = Number(new URL(endpoint).port);
  const { sessionId, proxyPort, network } = facts;
  writeBrowserRecord(folder, { sessionId, pid, startTicks, epoch: 0, startedAt, proxyPort, relayPort, network });
  return {
    pid,
    startTicks,
    folder,
    endpoint,
    startedAt,
    ended,
    async end() {
      // The server kills its browser; one that does not is ended with it.
      child.stdin.end();
      await endChrome({ pid, startTicks, folder });
      child.kill('SIGKILL');
    },
  };
}
