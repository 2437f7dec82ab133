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
 * HEADLESS_SHELL_PATH. Undefined where there is none, so that the Chromium itself runs without windows.
 */
export function findHeadlessShell(chromiumPath: string, asked: string | undefined): string | undefined {
  if (asked === 'off') return undefined;
  if (asked !== undefined) {
    if (isExecutable(asked)) return asked;
    throw new Error(
      `HEADLESS_SHELL_PATH is ${asked}, but no program can be run there: name a chrome-headless-shell, or say off, or leave it unset.`,
    );
  }
  return [...besideSystems(chromiumPath), ...ofPlaywright(chromiumPath)].find(isExecutable);
}

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
