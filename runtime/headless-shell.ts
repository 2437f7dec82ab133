import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isExecutable } from './browser-program';

const NAMES = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'];
/** The program of a wrapper in /usr/bin: what keeps a Chrome has to know its process. */
const BEHIND_WRAPPERS = ['/usr/lib/chromium', '/usr/lib64/chromium-browser'];
/** The folder of a Chromium of Playwright's. */
const OF_PLAYWRIGHT = /^chromium-(\d+)$/;

/**
 * Finds the headless shell of a Chromium: a build without windows, which starts with half the work. `asked` is
 * HEADLESS_SHELL_PATH: a path, or `auto` for the one that is installed beside the Chromium. Undefined where none is wanted,
 * so that the Chromium itself runs without windows.
 */
export function findHeadlessShell(chromiumPath: string, asked: string | undefined): string | undefined {
  if (asked === undefined) return undefined;
  const found = asked === 'auto' ? besideChromium(chromiumPath) : [asked];
  const shell = found.find(isExecutable);
  if (shell !== undefined) return shell;
  const problem = asked === 'auto' ? `none is installed beside ${chromiumPath}` : 'no program can be run there';
  throw new Error(
    `HEADLESS_SHELL_PATH is ${asked}, but ${problem}: name a chrome-headless-shell, or run \`npx playwright install chromium\`, or leave it unset.`,
  );
}

const besideChromium = (chromiumPath: string): string[] => [
  ...besideSystems(chromiumPath),
  ...ofPlaywright(chromiumPath),
];

function besideSystems(chromiumPath: string): string[] {
  const folder = dirname(chromiumPath);
  return folder === '/usr/bin' ? BEHIND_WRAPPERS.flatMap((each) => NAMES.map((name) => join(each, name))) : [];
}

/** `chromium_headless_shell-1194/chrome-headless-shell-linux64/…` for `chromium-1194/chrome-linux64/chrome`. */
function ofPlaywright(chromiumPath: string): string[] {
  const installed = dirname(dirname(chromiumPath));
  const [, revision] = OF_PLAYWRIGHT.exec(basename(installed)) ?? [];
  if (revision === undefined) return [];
  const shell = join(dirname(installed), `chromium_headless_shell-${revision}`);
  try {
    return readdirSync(shell).flatMap((folder) => NAMES.map((name) => join(shell, folder, name)));
  } catch {
    return [];
  }
}
