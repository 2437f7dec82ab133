import type { Page } from 'playwright';
import { withinMs } from '../../../runtime/time-limit';

export const PAGE_LIMIT_MS = 5000;
/** For a slow page that answers, as on a busy machine. */
export const SLOW_PAGE_LIMIT_MS = 20_000;
/** A page whose script never ends does not answer; one that renders on a busy machine took 15 s. */
export const ANSWER_LIMIT_MS = 25_000;

/**
 * Reads a page, and once more with more time when it is slow: a page that answers anything at all is worth waiting for,
 * unless `isGivenUp` says otherwise.
 */
export async function readPatiently<T>(
  page: Page,
  read: (limitMs: number) => Promise<T>,
  isGivenUp: () => boolean = () => false,
): Promise<T> {
  return await read(PAGE_LIMIT_MS).catch(async (error: unknown) => {
    if (isGivenUp()) throw error;
    await withinMs(ANSWER_LIMIT_MS, page.evaluate('0')).catch(() => {
      throw error;
    });
    return await read(SLOW_PAGE_LIMIT_MS);
  });
}
