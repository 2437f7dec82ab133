import { source as AXE } from 'axe-core';
import type { Page } from 'playwright';

/** The violations of accessibility that axe finds in a view, light and dark, each with its elements. */
export async function violations(page: Page): Promise<string[]> {
  // The policy of the page takes no script of a test as text, so it runs by the debugger.
  const client = await page.context().newCDPSession(page);
  await client.send('Runtime.evaluate', { expression: AXE });
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { result } = await client.send('Runtime.evaluate', {
      expression: `axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '))))`,
      awaitPromise: true,
      returnByValue: true,
    });
    found.push(...(JSON.parse(result.value as string) as string[]).map((violation) => `${colorScheme}: ${violation}`));
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}
