import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { locateChromium } from '../stack/programs/locate-chromium';
import { systemProbes } from '../stack/programs/probes';
import { findBrowserProgram } from '../../runtime/browser-program';
import { findHeadlessShell } from '../../runtime/headless-shell';
import { hostsWithoutSandbox, WITHOUT_SANDBOX } from '../../runtime/sandbox-note';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { oneLineOf } from '../context/failure';
import { finding, type Finding } from './check';

const OLDEST_NODE = [22, 12] as const;
const VERSION_WITHIN_MS = 10_000;
const LITTLE_SPACE = 1024 ** 3;
const NO_SPACE = 100 * 1024 ** 2;

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isRecent = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (isRecent) return finding('good', 'Node.js', version);
  return finding('bad', 'Node.js', `${version} is too old; ${OLDEST_NODE.join('.')} or newer is needed.`);
}

export async function checkChromium(env: NodeJS.ProcessEnv = process.env): Promise<Finding> {
  try {
    const path = locateChromium(systemProbes(env));
    if (path === undefined) {
      const ways = 'set CHROMIUM_PATH, or run `npx playwright install chromium`, or install the chromium package';
      return finding('bad', 'Chromium', `None was found on this machine: ${ways}.`);
    }
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: VERSION_WITHIN_MS });
    const shell = findHeadlessShell(path, readSetting(SETTINGS.headlessShellPath, env));
    const headless = shell === undefined ? '' : `; headless sessions run in ${shell}`;
    return finding('good', 'Chromium', `${stdout.trim().split('\n')[0]} (${path})${headless}`);
  } catch (error) {
    return finding('bad', 'Chromium', oneLineOf(error));
  }
}

/** The browsers that only a session asks for which names them. */
export function checkOtherBrowsers(env: NodeJS.ProcessEnv = process.env): Finding {
  const firefoxPath = readSetting(SETTINGS.firefoxPath, env);
  const found = (['firefox', 'webkit'] as const).map((type) => {
    try {
      return `${type} (${findBrowserProgram(type, { firefoxPath, searchPath: env['PATH'] }).executablePath})`;
    } catch (error) {
      // Nothing is wrong without it.
      return oneLineOf(error).replace(/\.$/, '');
    }
  });
  return finding('good', 'Other browsers', found.join('; '));
}

/** What the keepers of this home have found out; nothing before the first has run. */
export function checkSandbox(home: string): Finding[] {
  return hostsWithoutSandbox(home).map(({ hostId, reason }) =>
    finding('poor', 'Sandbox', `On the host ${hostId}, ${WITHOUT_SANDBOX}. It does so because ${reason}.`),
  );
}

export async function checkDisk(home: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestExisting(home));
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GB free for ${home}`;
  if (free >= LITTLE_SPACE) return finding('good', 'Disk', text);
  return finding(
    free < NO_SPACE ? 'bad' : 'poor',
    'Disk',
    `${text}; free space, or set SUREFOOT_HOME to another disk.`,
  );
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}
