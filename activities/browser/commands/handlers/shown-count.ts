import type { Locator, Page } from 'playwright';

type Role = Parameters<Page['getByRole']>[0];

/** How many elements of these ARIA roles are shown, in an element or on the page. A table's row of headings is none of its rows. */
export async function shownCount(page: Page, element: Locator | undefined, roles: readonly string[]): Promise<number> {
  const root = element?.first() ?? page;
  const counts = roles.map((role) => {
    const all = root.getByRole(role as Role).filter({ visible: true });
    // A locator inside another one would have to be of its frame.
    return role === 'row' ? all.evaluateAll(countRows) : all.count();
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Runs in the page. */
function countRows(rows: Element[]): number {
  return rows.filter((row) => row.querySelector('td, [role=cell], [role=gridcell]') !== null).length;
}
