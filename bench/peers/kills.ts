import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalNow } from '../chaos/faults/signal-now';
import { between, type Random } from '../chaos/random';
import { ordersOf } from '../chaos/verify/orders';
import type { Ran, System } from './system';

/** What became of the orders of a system whose driver was killed so often. */
export interface Tally {
  kills: number;
  runs: number;
  endedWell: number;
  failed: number;
  neverEnded: number;
  /** Runs with more than one order at the shop. */
  doubled: number;
  /** Runs that say they ended well, and have none there. */
  lost: number;
  asked: number;
}

/** Many runs end before their kill comes; a system that is never hit must end as well. */
const RUNS_A_KILL = 5;
/** From the start of a run to its kill, in times of an undisturbed run. */
const FIRST_KILL = 1.2;
/** From then to the next: in most cases time enough for one that begins again to end. */
const NEXT_KILL = { leastMs: 8000, least: 0.5, most: 1.5 };
const PAUSE_MS = 50;

/** Places order after order, one at a time, until so many kills were made; then asks the shop. */
export async function underKills(
  system: System,
  shop: string,
  { kills, wallMs, random }: { kills: number; wallMs: number; random: Random },
): Promise<Tally> {
  let made = 0;
  const killUntil = async (over: AbortSignal): Promise<void> => {
    const pause = async (ms: number): Promise<void> => {
      await sleep(ms, undefined, { signal: over }).catch(() => {});
    };
    await pause(between(random, 0, FIRST_KILL * wallMs));
    while (made < kills && !over.aborted) {
      const pid = await system.findVictim(random);
      if (pid === undefined || over.aborted) {
        await pause(PAUSE_MS);
        continue;
      }
      signalNow(pid, 'SIGKILL');
      made += 1;
      await pause(NEXT_KILL.leastMs + between(random, NEXT_KILL.least, NEXT_KILL.most) * wallMs);
    }
  };
  const ran: (Ran & { run: string })[] = [];
  while (made < kills && ran.length < kills * RUNS_A_KILL) {
    const run = randomUUID();
    const over = new AbortController();
    const killing = killUntil(over.signal);
    ran.push({ run, ...(await system.order(run).finally(() => over.abort())) });
    await killing;
  }
  const tally = { kills: made, runs: 0, endedWell: 0, failed: 0, neverEnded: 0, doubled: 0, lost: 0, asked: 0 };
  for (const { run, end, asked = 0 } of ran) {
    const { length } = await ordersOf(shop, run);
    tally.runs += 1;
    tally[end === 'well' ? 'endedWell' : end === 'failed' ? 'failed' : 'neverEnded'] += 1;
    if (length > 1) tally.doubled += 1;
    if (length === 0 && end === 'well') tally.lost += 1;
    tally.asked += asked;
  }
  return tally;
}
