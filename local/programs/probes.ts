import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { BrowserType } from 'playwright';

/** What the ladders ask of the machine; the tests answer for a machine that isn't there. */
export interface Probes {
  env: NodeJS.ProcessEnv;
  homeFolder: string;
  temporaryFolder: string;
  isRoot: boolean;
  isProgram(path: string): boolean;
  /** The path of a program on PATH. */
  which(name: string): string | undefined;
  /** Names in a folder; none when there is no such folder. */
  list(folder: string): string[];
  /** Where Playwright's own Chromium is, if it has been installed. */
  playwrightChromium(): string | undefined;
}

export function systemProbes(env: NodeJS.ProcessEnv): Probes {
  return {
    env,
    homeFolder: env['HOME'] || homedir(),
    temporaryFolder: tmpdir(),
    isRoot: process.getuid?.() === 0,
    isProgram,
    which: (name) => {
      const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
      return folders.map((folder) => join(folder, name)).find(isProgram);
    },
    list: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
    playwrightChromium: () => playwrightChromium(env),
  };
}

/** A folder of ours that outlives the project's data: what is built or downloaded once is kept here. */
export function cacheFolder({ env, homeFolder }: Probes): string {
  return join(cacheOf(env, homeFolder), 'bin');
}

/** Where Node keeps what it has compiled: a process that starts again after a kill is ready sooner. */
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

/** Loading Playwright takes half a second, so it is asked only where it has installed something. */
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
    // Playwright has no Chromium for this system; the next rung may have one.
    return undefined;
  }
}
