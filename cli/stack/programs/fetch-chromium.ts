import { dirname, join } from 'node:path';
import { tryInstallMethods, type FetchContext, type InstallMethod } from './install-method';
import { locateChromium } from './locate-chromium';
import { StackError } from '../reporting/stack-error';

const DOWNLOAD_MS = 5 * 60_000;
const INSTALL_MS = 10 * 60_000;

/** Installs Chromium; returns the path of the program. */
export async function fetchChromium(context: FetchContext): Promise<string> {
  const path = await tryInstallMethods(context, [downloadByPlaywright(context), installByApt(context)], () =>
    locateChromium(context.probes),
  );
  if (path !== undefined) return path;
  throw new StackError(
    'No Chromium was found on this machine, and none could be installed. There are three ways to continue: ' +
      'install Chromium or Chrome; set CHROMIUM_PATH to one; or run `npx playwright install chromium`.',
  );
}

function downloadByPlaywright({ probes, run, signal }: FetchContext): InstallMethod {
  const program = join(dirname(require.resolve('playwright/package.json')), 'cli.js');
  return {
    text: 'downloading Chromium by Playwright, about a minute, once',
    isPossible: true,
    run: () =>
      run(process.execPath, [program, 'install', '--no-shell', 'chromium'], {
        timeoutMs: DOWNLOAD_MS,
        env: probes.env,
        signal,
      }),
  };
}

function installByApt({ probes, run, signal }: FetchContext): InstallMethod {
  return {
    text: 'installing Chromium with apt-get, about a minute, once',
    isPossible: probes.isRoot && probes.which('apt-get') !== undefined,
    run: () =>
      run('sh', ['-c', 'apt-get update && apt-get install -y chromium'], {
        timeoutMs: INSTALL_MS,
        env: { ...probes.env, DEBIAN_FRONTEND: 'noninteractive' },
        signal,
      }),
  };
}
