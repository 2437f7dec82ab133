import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { ProcessSpec } from '../../cli/stack/processes';
import type { Reporter } from '../../cli/stack/reporting/reporter';
import type { StackPart } from '../../cli/stack/stack-context';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { makeUsersFolder } from '../../runtime/users-folder';
import { startStack, type Stack, type StackOptions } from '../../cli/stack/start-stack';
import { openStore, type Store } from '../../store/store';

/** A Temporal server and a Postgres of a test file's own, in a temporary folder, with the engine's processes if asked for. */
export interface TestStack {
  home: string;
  stack: Stack;
  databaseUrl: string;
  temporalAddress: string;
  chromiumPath: string;
  store(): Promise<Store>;
  temporal(): Promise<Client>;
  stop(): Promise<void>;
}

const QUIET: Reporter = { step: () => {}, progress: () => {}, warn: () => {} };

const INFRASTRUCTURE = ['postgres', 'temporal', 'chromium'] as const satisfies StackPart[];

interface TestStackOptions extends Pick<StackOptions, 'temporalSettings' | 'encryptsPayloads'> {
  /** The servers that are wanted; all of them by default. */
  parts?: readonly (typeof INFRASTRUCTURE)[number][];
  processes?: readonly ProcessSpec[];
  env?: NodeJS.ProcessEnv;
  reporter?: Reporter;
}

export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const home = newFolder('surefoot-test-');
  const {
    processes,
    env = {},
    reporter = QUIET,
    temporalSettings = {},
    encryptsPayloads = false,
    parts = INFRASTRUCTURE,
  } = options;
  const template = process.env[TEMPLATE];
  if (template !== undefined && parts.includes('postgres')) copyDatabase(template, home);
  const stack = await startStack({
    home,
    reporter,
    ports: 'any',
    temporalSettings,
    encryptsPayloads,
    env: { ...process.env, ...SHORT_LIVED, DATABASE_URL: '', TEMPORAL_ADDRESS: '', LOG_LEVEL: 'warn', ...env },
    ...(processes === undefined ? { only: parts } : { only: [...parts, 'processes'], processes }),
  });
  const { databaseUrl, temporalAddress, chromium } = stack.addresses;
  const endings: (() => Promise<unknown>)[] = [];
  return {
    home,
    stack,
    databaseUrl,
    temporalAddress,
    chromiumPath: chromium ?? '',
    async store() {
      const store = await openStore({ databaseUrl, home });
      endings.push(() => store.close());
      return store;
    },
    async temporal() {
      const connection = await Connection.connect({ address: temporalAddress });
      endings.push(() => connection.close());
      return new Client({ connection });
    },
    async stop() {
      for (const end of endings) await end();
      await stack.stop({ atOnce: true });
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What a test says of a model holds for each of its sessions, also when an earlier one has had the same steps. */
const WITHOUT_RECIPES = { SUREFOOT_REPLAY: 'off' };

/** A Temporal server that lives for a minute needs to collect its garbage less often than one that stays. */
const SHORT_LIVED = { GOGC: '400', ...WITHOUT_RECIPES };

const MEMORY_FOLDER = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/** In memory where there is much of it: databases that wait for no disk halve the time of a run. */
function roomyFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize > ROOM_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** The environment variable that names the home with the database that others begin as copies of. */
export const TEMPLATE = 'SUREFOOT_TEST_TEMPLATE';

export function newFolder(prefix: string): string {
  const folder = mkdtempSync(join(roomyFolder(), prefix));
  return folder;
}

/** Where a stack keeps what other users own: root can start the server as one of these only. */
function foldersOf(home: string): string {
  if (process.getuid?.() !== 0) return home;
  return makeUsersFolder(home, readSetting(SETTINGS.usersFolder, process.env)).folder;
}

/** Of a server that is down, with the owner of its files. A server that keeps its data elsewhere makes a new one. */
export function copyDatabase(home: string, other: string): void {
  const [data, copy] = [home, other].map((each) => join(foldersOf(each), 'postgres')) as [string, string];
  if (existsSync(data)) execFileSync('cp', ['-a', data, copy]);
}
