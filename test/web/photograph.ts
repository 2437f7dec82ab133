import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';

const FOLDER = join(__dirname, '..', '..', 'docs', 'pictures');

/** With RECORD_PICTURES=1: keeps a picture of the view for docs/web-page.md, and leaves the page as it was. */
export async function photograph(
  page: Page,
  name: string,
  {
    colorScheme = 'light',
    width = 1180,
    height = 820,
  }: { colorScheme?: 'light' | 'dark'; width?: number; height?: number } = {},
): Promise<void> {
  if (process.env['RECORD_PICTURES'] !== '1') return;
  const before = page.viewportSize();
  mkdirSync(FOLDER, { recursive: true });
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}
