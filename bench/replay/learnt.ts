import { retryUntil } from '../chaos/retry-until';
import type { HarnessClient } from '../harness/harness';
import type { Flow } from './flow';

const LEARNT_WITHIN_MS = 30_000;

/** Waits until the session has left a recipe of each step. */
export async function learnt(
  { store }: Pick<HarnessClient, 'store'>,
  sessionId: string,
  { name, steps }: Flow,
): Promise<void> {
  let missing: number[] = [];
  await retryUntil('the recipes', LEARNT_WITHIN_MS, async () => {
    const own = (await store.recipes.list()).filter(({ source }) => source.sessionId === sessionId);
    missing = [...steps.keys()].filter((index) => !own.some(({ source }) => source.stepIndex === index));
    return missing.length === 0 ? true : undefined;
  }).catch(() => {
    throw new Error(`“${name}” left no recipe of: ${missing.map((index) => steps[index]).join(' | ')}`);
  });
}
