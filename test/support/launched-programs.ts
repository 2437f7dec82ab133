import { findBrowserProgram, type BrowserProgram } from '../../runtime/browser-program';
import { findChromium } from '../../worker/keeper/chrome/chromium-path';

/** Firefox and WebKit, as far as this machine has them. */
export function installedPrograms(): BrowserProgram[] {
  return (['firefox', 'webkit'] as const).flatMap((type) => {
    try {
      return [findBrowserProgram(type, { firefoxPath: process.env['FIREFOX_PATH'] })];
    } catch {
      return [];
    }
  });
}

/**
 * The browsers of this machine that Playwright can launch: a Chromium that is driven over WebDriver BiDi, so that no DevTools
 * call hides in what is tested, and those that are installed. Titles of tests name them.
 */
export function launchedPrograms(): [string, BrowserProgram][] {
  const chromium = findChromium(process.env['CHROMIUM_PATH']);
  const overBidi: BrowserProgram = { browserType: 'chromium', executablePath: chromium, channel: 'bidi-chromium' };
  return [
    ['Chromium over WebDriver BiDi', overBidi],
    ...installedPrograms().map((program): [string, BrowserProgram] => [`an installed ${program.browserType}`, program]),
  ];
}
