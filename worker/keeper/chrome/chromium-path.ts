import { delimiter, join } from 'node:path';
import type { BrowserType } from 'playwright';
import { isExecutable } from '../../../runtime/browser-program';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const WAYS_OUT =
  'set CHROMIUM_PATH to a Chromium or Chrome, or run `npx playwright install chromium`, or, on Debian, `apt-get install chromium`';

/** Finds the Chromium to start: the configured one, else the system's, else Playwright's. */
export function findChromium(chromiumPath: string | undefined, searchPath = process.env['PATH'] ?? ''): string {
  if (chromiumPath !== undefined) {
    if (isExecutable(chromiumPath)) return chromiumPath;
    throw new Error(`CHROMIUM_PATH is ${chromiumPath}, but no program can be run there: ${WAYS_OUT}.`);
  }
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  const system = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = ['/usr/bin/chromium', ...system].find(isExecutable) ?? playwrightChromium();
  if (found === undefined) throw new Error(`No Chromium was found on this machine: ${WAYS_OUT}.`);
  return found;
}

/** Loading Playwright takes a third of a keeper's start, so it comes last. */
function playwrightChromium(): string | undefined {
  const { chromium } = require('playwright') as { chromium: BrowserType };
  return [chromium.executablePath()].find(isExecutable);
}
