import { join } from 'node:path';
import { findChromium } from '../../worker/keeper/chrome/chromium-path';
import type { HostRegistry } from '../../worker/keeper/host/host-registry';
import { runKeeper } from '../../worker/keeper/run';
import { isAlive, startTicksOf } from '../../runtime/process-identity';
import { LOCAL_SITES } from '../support/open-network';
import { aRoot, CHROMIUM, cleanUp, keeperOver, silent, until } from './fixture';

afterEach(cleanUp);

type Host = Parameters<HostRegistry['heartbeat']>[0];

function aKeeper(home: string, beat: HostRegistry['heartbeat'], endBrowsersOnStop: boolean) {
  let requestStop = () => {};
  const stopRequested = new Promise<void>((resolve) => (requestStop = resolve));
  const ended = runKeeper({
    settings: { home, hostId: 'here', chromiumPath: CHROMIUM, maxBrowsers: 2, network: LOCAL_SITES },
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

test('explains how to get a Chromium when there is none', () => {
  expect(() => findChromium('/nowhere/chromium')).toThrow(
    /^CHROMIUM_PATH is \/nowhere\/chromium, but no program can be run there: set CHROMIUM_PATH .* `apt-get install chromium`\.$/,
  );
  expect(findChromium(CHROMIUM)).toBe(CHROMIUM);
});
