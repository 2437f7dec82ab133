import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type * as Playwright from 'playwright';
import type { BrowserType } from '../contracts/browsers/browser-type';

/** A browser that Playwright's own launch drives. */
export interface BrowserProgram {
  browserType: BrowserType;
  executablePath: string;
  /** Of a browser that is not Playwright's own build: it is driven over WebDriver BiDi. */
  channel?: string | undefined;
}

interface FindOptions {
  /** FIREFOX_PATH. */
  firefoxPath?: string | undefined;
  searchPath?: string | undefined;
}

/** The names of a Firefox of the system. */
const STOCK_FIREFOX = ['firefox', 'firefox-esr'];

const WAYS_OUT: Record<Exclude<BrowserType, 'chromium'>, string> = {
  firefox:
    'run `npx playwright install firefox`, or set FIREFOX_PATH to a Firefox, or, on Debian, `apt-get install firefox-esr`',
  webkit: 'run `npx playwright install webkit`',
};

/**
 * Finds a Firefox or WebKit: of Firefox the configured one, else Playwright's own build, else the system's. Throws a
 * sentence that says how to install one.
 */
export function findBrowserProgram(
  browserType: Exclude<BrowserType, 'chromium'>,
  { firefoxPath, searchPath = process.env['PATH'] ?? '' }: FindOptions,
): BrowserProgram {
  const stock = (executablePath: string) => ({ browserType, executablePath, channel: 'moz-firefox' });
  if (browserType === 'firefox' && firefoxPath !== undefined) {
    if (isExecutable(firefoxPath)) return stock(firefoxPath);
    throw new Error(`FIREFOX_PATH is ${firefoxPath}, but no program can be run there: ${WAYS_OUT.firefox}.`);
  }
  const playwright = require('playwright') as typeof Playwright;
  const own = playwright[browserType].executablePath();
  if (isExecutable(own)) return { browserType, executablePath: own };
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  const installed = STOCK_FIREFOX.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  if (browserType === 'firefox' && installed !== undefined) return stock(installed);
  throw new Error(
    `No ${browserType === 'firefox' ? 'Firefox' : 'WebKit'} was found on this machine: ${WAYS_OUT[browserType]}.`,
  );
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
