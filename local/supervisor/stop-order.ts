/** Who is stopped when: first those who work, then what they work with. */
export const STOP_ORDER = { worker: 1, api: 2, keeper: 3, shop: 4, temporal: 8, postgres: 9 } as const;

/** Runs the action for all, those with a lower stopOrder first and those with the same one together. */
export async function inStopOrder<T extends { stopOrder: number }>(
  items: readonly T[],
  stop: (item: T) => Promise<void>,
): Promise<void> {
  const orders = [...new Set(items.map((item) => item.stopOrder))].sort((one, other) => one - other);
  for (const order of orders) {
    await Promise.all(items.filter((item) => item.stopOrder === order).map(stop));
  }
}
