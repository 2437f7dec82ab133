import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../../worker/keeper/chrome/chromium-path';
import type { HostRegistry } from '../../worker/keeper/host/host-registry';
import { runKeeper } from '../../worker/keeper/run';
import { findHeadlessShell } from '../../runtime/headless-shell';
import { isAlive, startTicksOf } from '../../runtime/process-identity';
import { LOCAL_SITES } from '../support/open-network';
import { aRoot, CHROMIUM, cleanUp, keeperOver, silent, until } from './fixture';

afterEach(cleanUp);

type Host = Parameters<HostRegistry['heartbeat']>[0];

function aKeeper(
  home: string,
  beat: HostRegistry['heartbeat'],
  endBrowsersOnStop: boolean,
  programs: { chromiumPath?: string; headlessShellPath?: string } = {},
) {
  let requestStop = () => {};
  const stopRequested = new Promise<void>((resolve) => (requestStop = resolve));
  const ended = runKeeper({
    settings: { home, hostId: 'here', chromiumPath: CHROMIUM, ...programs, maxBrowsers: 2, network: LOCAL_SITES },
    registry: { heartbeat: beat, leaseStates: async () => new Map([['s', 'leased']]) },
    logger: silent,
    poolSize: 0,
    endBrowsersOnStop,
    stopRequested,
  });
  return {
    stop() {
      requestStop();
      return ended;
    },
  };
}

test('registers once the database is back, and leaves its Chromes running when it stops', async () => {
  const home = aRoot();
  let beats = 0;
  let host: Host | undefined;
  const keeper = aKeeper(
    home,
    async (given) => {
      beats += 1;
      if (beats === 1) throw new Error('the database is away');
      host = given;
    },
    false,
  );
  const { keeperUrl, token } = await until('the host is known', () => host);
  const response = await fetch(`${keeperUrl}/browsers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ sessionId: 's', epoch: 1, headless: true }),
  });
  const { pid } = (await response.json()) as { pid: number };
  const identity = { pid, startTicks: startTicksOf(pid) ?? '' };
  await keeper.stop();
  const beatsAtStop = beats;
  expect(isAlive(identity)).toBe(true);
  await expect(fetch(`${keeperUrl}/health`)).rejects.toThrow();

  const successor = await keeperOver(join(home, 'browsers', 'here'));
  expect(successor.list()).toMatchObject([{ sessionId: 's', pid, epoch: 1 }]);
  expect(beats).toBe(beatsAtStop);
});

test('ends its Chromes when it stops, if configured so', async () => {
  let host: Host | undefined;
  const keeper = aKeeper(aRoot(), async (given) => void (host = given), true);
  const { keeperUrl, token } = await until('the host is known', () => host);
  const response = await fetch(`${keeperUrl}/browsers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ sessionId: 's', epoch: 1, headless: true }),
  });
  const { pid } = (await response.json()) as { pid: number };
  await keeper.stop();
  expect(startTicksOf(pid)).toBeUndefined();
});

test('a session without a window runs in the headless shell, and one with a window in Chromium', async () => {
  const home = aRoot();
  const [chromiumPath, headlessShellPath] = ['chromium', 'shell'].map((name) => {
    const file = join(home, name);
    // This machine may have no screen.
    writeFileSync(file, `#!/bin/sh\necho x >> "$0.starts"\nexec ${CHROMIUM} --headless "$@"\n`, { mode: 0o755 });
    return file;
  }) as [string, string];
  let host: Host | undefined;
  const keeper = aKeeper(home, async (given) => void (host = given), true, { chromiumPath, headlessShellPath });
  const { keeperUrl, token } = await until('the host is known', () => host);
  const open = async (sessionId: string, headless: boolean) => {
    const answer = await fetch(`${keeperUrl}/browsers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ sessionId, epoch: 1, headless }),
    });
    return [answer.status, existsSync(`${chromiumPath}.starts`), existsSync(`${headlessShellPath}.starts`)];
  };
  expect(await open('without', true)).toEqual([200, false, true]);
  expect(await open('with', false)).toEqual([200, true, true]);
  await keeper.stop();
});

test('the headless shell that Playwright has beside its Chromium is found where it is asked for', () => {
  const installed = aRoot();
  const [chromium, shell] = [
    'chromium-1194/chrome-linux64/chrome',
    'chromium_headless_shell-1194/chrome-headless-shell-linux64/chrome-headless-shell',
  ].map((path) => {
    mkdirSync(join(installed, path, '..'), { recursive: true });
    writeFileSync(join(installed, path), '', { mode: 0o755 });
    return join(installed, path);
  }) as [string, string];
  expect(findHeadlessShell(chromium, 'auto')).toBe(shell);
  expect(findHeadlessShell(chromium, undefined)).toBeUndefined();
  expect(findHeadlessShell('/nowhere/chromium', shell)).toBe(shell);
  expect(() => findHeadlessShell(shell, 'auto')).toThrow(/^HEADLESS_SHELL_PATH is auto, but none is installed beside /);
  expect(() => findHeadlessShell(chromium, '/nowhere/shell')).toThrow(/^HEADLESS_SHELL_PATH is \/nowhere\/shell, but/);
});

test('explains how to get a Chromium when there is none', () => {
  expect(() => findChromium('/nowhere/chromium')).toThrow(
    /^CHROMIUM_PATH is \/nowhere\/chromium, but no program can be run there: set CHROMIUM_PATH .* `apt-get install chromium`\.$/,
  );
  expect(findChromium(CHROMIUM)).toBe(CHROMIUM);
});
