import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { BrowserType } from 'playwright';

/** What locating and installing programs needs from the machine; tests provide their own. */
export interface Probes {
  env: NodeJS.ProcessEnv;
  homeFolder: string;
  isRoot: boolean;
  isProgram(path: string): boolean;
  /** Returns the path of a program on PATH. */
  which(name: string): string | undefined;
  /** Returns the path of Playwright's Chromium if it is installed. */
  playwrightChromium(): string | undefined;
}

export function systemProbes(env: NodeJS.ProcessEnv): Probes {
  return {
    env,
    homeFolder: env['HOME'] || homedir(),
    isRoot: process.getuid?.() === 0,
    isProgram,
    which: (name) => {
      const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
      return folders.map((folder) => join(folder, name)).find(isProgram);
    },
    playwrightChromium: () => playwrightChromium(env),
  };
}

/** Returns the folder for programs that are built or downloaded once; it outlives the data of a stack. */
export function cacheFolder({ env, homeFolder }: Probes): string {
  return join(cacheOf(env, homeFolder), 'bin');
}

/** Returns the folder of Node's compile cache, which makes a restarted process ready sooner. */
export function compileCacheFolder(env: NodeJS.ProcessEnv): string {
  return join(cacheOf(env, homedir()), 'node');
}

function cacheOf(env: NodeJS.ProcessEnv, homeFolder: string): string {
  return join(env['XDG_CACHE_HOME'] || join(homeFolder, '.cache'), 'surefoot');
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Asks Playwright only where it has installed a browser, because loading it takes half a second. */
function playwrightChromium(env: NodeJS.ProcessEnv): string | undefined {
  const folders = [
    env['PLAYWRIGHT_BROWSERS_PATH'],
    join(homedir(), '.cache', 'ms-playwright'),
    join(homedir(), 'Library', 'Caches', 'ms-playwright'),
  ];
  if (!folders.some((folder) => folder === '0' || (folder !== undefined && existsSync(folder)))) return undefined;
  try {
    const { chromium } = require('playwright') as { chromium: BrowserType };
    const path = chromium.executablePath();
    return isProgram(path) ? path : undefined;
  } catch {
    // Playwright has no Chromium for this system; the system may have one.
    return undefined;
  }
}
