import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../client/http/api-client';
import { createApiClient } from '../../client/http/api-client';
import { retryUntil } from '../chaos/retry-until';
import { openHarness, type Harness } from '../harness/harness';
import { processorSecondsOf } from '../harness/processor-time';
import { ms, percentile, printTable, type Row } from '../harness/statistics';
import { startTickingSite, type TickingSite } from './ticking-site';

const CHANGES = 40;
const CLICKS = 30;
const VIEWERS = [1, 4, 16];
const WATCHED_MS = 30_000;
const TICK_MS = 500;
/** Longer than a session counts as looked at after the last viewer. */
const LEFT_MS = 7000;
const WITHIN_MS = 60_000;
/** What is read of the processor differs so much from one half minute to the next. */
const IDLE_SECONDS = 3;

/** Measures what it takes to look at the page of a session and to click on it, through the routes that the web page uses. */
export async function measureView(): Promise<boolean> {
  const site = await startTickingSite();
  const forLong = String(10 * 60_000);
  const harness = await openHarness({ SUREFOOT_TAKEOVER_MS: forLong, SUREFOOT_PAUSE_RELEASE_MS: forLong });
  try {
    const taken = await takenOver(harness, site);
    const { api } = taken;
    const rows: Row[] = [];
    const before = await watched(harness, site, api, taken.sessionId, 0);
    rows.push({ what: 'nobody looks yet', measured: perMinute(before.seconds) });
    for (const count of VIEWERS) {
      const { seconds, frames } = await watched(harness, site, api, taken.sessionId, count);
      const more = seconds - before.seconds;
      const what = `${count} viewer${count === 1 ? '' : 's'} of a page that changes twice a second`;
      rows.push({ what, measured: perMinute(more), compared: `${frames.toFixed(1)} frames/s each` });
    }
    await sleep(LEFT_MS);
    const after = await watched(harness, site, api, taken.sessionId, 0);
    rows.push({ what: 'nobody looks any more', measured: perMinute(after.seconds), goal: 'as before' });
    rows.push(...latencyRows('a change of the page to its frame at the viewer', await changesSeen(site, taken)));
    rows.push(...latencyRows('a click of the viewer to the page', await clicksDone(site, taken)));
    await api.handBack(taken.sessionId, { takeoverId: taken.takeoverId });
    printTable(`Looking at a page (load average ${loadavg()[0]!.toFixed(1)})`, rows);
    return after.seconds - before.seconds < IDLE_SECONDS;
  } finally {
    await harness.stop();
    site.stop();
  }
}

const perMinute = (seconds: number): string => `${seconds.toFixed(2)} processor s/min`;

function latencyRows(what: string, latencies: readonly number[]): Row[] {
  const at = (share: number): string => ms(percentile(latencies, share));
  return [{ what: `from ${what}`, measured: `p50 ${at(0.5)}, p95 ${at(0.95)}`, compared: `${latencies.length} times` }];
}

interface Taken {
  api: ApiClient;
  sessionId: string;
  takeoverId: string;
}

/** A session whose page is open, and which a person has taken over: nothing else is done at it. */
async function takenOver({ sessions, api: address }: Harness, site: TickingSite): Promise<Taken> {
  const api = createApiClient(address);
  const { sessionId } = await sessions.start({ steps: [`Open ${site.url}`, 'Wait 50 seconds'] });
  await retryUntil('the page is open', WITHIN_MS, async () =>
    (await api.showSession(sessionId)).progress.completedSteps > 0 ? true : undefined,
  );
  const takeoverId = randomUUID();
  await api.takeOver(sessionId, { takeoverId });
  await retryUntil('it is taken over', WITHIN_MS, async () =>
    (await api.showTakeover(sessionId)).state === 'open' ? true : undefined,
  );
  return { api, sessionId, takeoverId };
}

/** Processor seconds a minute of all processes of the stack while so many look, and the frames that each gets a second. */
async function watched(
  { home }: Harness,
  site: TickingSite,
  api: ApiClient,
  sessionId: string,
  count: number,
): Promise<{ seconds: number; frames: number }> {
  const end = new AbortController();
  const seen = Array.from({ length: count }, () => 0);
  const viewers = seen.map((_, index) => look(api, sessionId, end.signal, () => (seen[index]! += 1)));
  await retryUntil('each has a frame', WITHIN_MS, async () => (seen.every((frames) => frames > 0) ? true : undefined));
  seen.fill(0);
  const from = processorSecondsOf(home);
  const startedAt = performance.now();
  while (performance.now() - startedAt < WATCHED_MS) {
    await site.change();
    await sleep(TICK_MS);
  }
  const minutes = (performance.now() - startedAt) / 60_000;
  const seconds = (processorSecondsOf(home) - from) / minutes;
  end.abort();
  await Promise.all(viewers);
  return { seconds, frames: seen.reduce((sum, frames) => sum + frames, 0) / Math.max(1, count) / (minutes * 60) };
}

/** Asks for the next frame once the last is there, as web/session/live.ts does, until it is to end. */
async function look(api: ApiClient, sessionId: string, end: AbortSignal, take: () => void): Promise<void> {
  let after = 0;
  while (!end.aborted) {
    const view = await api.showLiveView(sessionId, { after });
    if (view.state !== 'frame') continue;
    after = view.frame.number;
    take();
  }
}

async function changesSeen(site: TickingSite, { api, sessionId }: Taken): Promise<number[]> {
  const end = new AbortController();
  let notice: (at: number) => void = () => {};
  const looking = look(api, sessionId, end.signal, () => notice(performance.timeOrigin + performance.now()));
  const latencies: number[] = [];
  for (let times = 0; times < CHANGES; times += 1) {
    // Frames of the change before are out, and not in step with the pauses between frames.
    await sleep(700 + (times % 10) * 50);
    const next = new Promise<number>((resolve) => (notice = resolve));
    const changedAt = await site.change();
    latencies.push((await next) - changedAt);
  }
  end.abort();
  await looking;
  return latencies;
}

async function clicksDone(site: TickingSite, { api, sessionId, takeoverId }: Taken): Promise<number[]> {
  const latencies: number[] = [];
  for (let number = 1; number <= CLICKS; number += 1) {
    const clicked = site.clicked();
    const sentAt = performance.timeOrigin + performance.now();
    const act = { kind: 'click' as const, x: 300, y: 200 };
    await api.takeoverInput(sessionId, { takeoverId, acts: [{ number, act }] });
    latencies.push((await clicked) - sentAt);
    await sleep(200 + (number % 10) * 100);
  }
  return latencies;
}
