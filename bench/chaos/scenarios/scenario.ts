import { z } from 'zod';
import type { LogRecord } from '../../../contracts/events/log';
import type { Viewing } from '../load/viewer';
import type { HarnessClient } from '../../harness/harness';

/** Sessions that do one thing at the counter of the shop, under a model that tries again whatever it can. */
export interface Scenario {
  name: string;
  /** The faults of its sessions, in turn. */
  faults: readonly string[];
  /** `run` labels what the session does at the counter. */
  request(shop: string, run: string): object;
  /** What somebody does with the session once it was started, and sees of it. */
  meanwhile?(
    client: Pick<HarnessClient, 'home' | 'api' | 'shop' | 'store' | 'temporal'>,
    sessionId: string,
    run: string,
  ): Promise<SeenMeanwhile | void>;
}

export interface SeenMeanwhile {
  viewings: Viewing[];
  /** Of a session whose history was cut: its whole log. */
  log?: LogRecord[];
  breaches: string[];
}

const CounterSchema = z.object({ count: z.number() });

/** Reads how often the counter was pressed under this label, the ground truth of a scenario. */
export async function pressesOf(shop: string, run: string): Promise<number> {
  const answer = await fetch(`${shop}/admin/counter?run=${run}`);
  return CounterSchema.parse(await answer.json()).count;
}
