import { join } from 'node:path';
import type { Probes } from './probes';
import { StackError } from '../reporting/stack-error';
import { SETTINGS } from '../../../runtime/settings/definitions';
import { readSetting } from '../../../runtime/settings/setting';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];
const MAC_PROGRAMS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Finds an installed Chromium: CHROMIUM_PATH, then Playwright's, then the system's. */
export function locateChromium(probes: Probes): string | undefined {
  const asked = readSetting(SETTINGS.chromiumPath, probes.env);
  if (asked) {
    if (probes.isProgram(asked)) return asked;
    throw new StackError(
      `CHROMIUM_PATH names ${asked}, but there is no program. Set it to a Chromium or Chrome, or leave it unset.`,
    );
  }
  return probes.playwrightChromium() ?? systemChromium(probes);
}

function systemChromium(probes: Probes): string | undefined {
  const onPath = NAMES.map((name) => probes.which(name)).find((path) => path !== undefined);
  const usual = USUAL_FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return onPath ?? [...usual, ...MAC_PROGRAMS].find((path) => probes.isProgram(path));
}
