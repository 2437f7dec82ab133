import type { Page } from 'playwright';
import { withinMs } from '../../runtime/time-limit';

const LIMIT_MS = 2000;

/** Of a tab that gives no answer there is none: one that hangs does not hold up what is done in the others. */
export async function titleOf(page: Page): Promise<string> {
  return await withinMs(LIMIT_MS, page.title()).catch(() => '');
}
