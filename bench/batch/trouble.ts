import { setTimeout as sleep } from 'node:timers/promises';
import { isBack } from '../chaos/faults/targets';
import { signalNow } from '../chaos/faults/signal-now';
import { between, oneOf, type Random } from '../chaos/random';
import { retryUntil } from '../chaos/retry-until';
import type { Harness } from '../harness/harness';
import type { Bank } from './bank';
import type { BatchList } from './rows';

/** A process that a kill may hit. */
export interface Victim {
  name: string;
  pid: number;
  /** A Chrome does not come back under its name. */
  comesBack: boolean;
}

const PAUSE_MS = 50;
const BACK_WITHIN_MS = 120_000;
/** People pay while so much of the list is paid: their rows have not been begun. */
const HANDS = { from: 0.05, to: 0.35 };

/**
 * Kills processes and pays rows by hand at moments of the batch, given by its payments, until all is done or `over` aborts;
 * resolves to what was killed.
 */
export async function makeTrouble(
  harness: Harness,
  {
    bank,
    list,
    kills,
    random,
    over,
  }: { bank: Bank; list: BatchList; kills: number; random: Random; over: AbortSignal },
  findVictims: () => Victim[],
): Promise<string[]> {
  const reached = () => bank.payments.size / list.good.length;
  const until = async (share: number): Promise<void> => {
    while (reached() < share && !over.aborted) await sleep(PAUSE_MS);
  };
  const hands = async (): Promise<void> => {
    for (const [nth, invoice] of list.byHand.entries()) {
      await until(HANDS.from + ((HANDS.to - HANDS.from) * nth) / list.byHand.length);
      bank.payByHand(invoice);
    }
  };
  const killing = async (): Promise<string[]> => {
    const killed: string[] = [];
    while (killed.length < kills && !over.aborted) {
      await until((killed.length + random()) / (kills + 1));
      await sleep(between(random, 0, 500));
      const victim = oneOf(random, findVictims());
      if (victim === undefined || over.aborted) continue;
      signalNow(victim.pid, 'SIGKILL');
      killed.push(victim.name);
      console.log(`  kill ${killed.length} of ${kills}: ${victim.name}, at ${bank.payments.size} rows`);
      if (victim.comesBack)
        await retryUntil(`${victim.name} is back`, BACK_WITHIN_MS, async () =>
          (await isBack(harness, victim.name, victim.pid)) ? true : undefined,
        );
    }
    return killed;
  };
  const [killed] = await Promise.all([killing(), hands()]);
  return killed;
}
