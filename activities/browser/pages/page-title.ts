import type { Page } from 'playwright';
import { withinMs } from '../../../runtime/time-limit';

const LIMIT_MS = 2000;

/** The title of a tab, empty when it does not answer: a tab that hangs must not hold up the others. */
export async function titleOf(page: Page): Promise<string> {
  return await withinMs(LIMIT_MS, page.title()).catch(() => '');
}
