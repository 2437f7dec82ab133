/** Lower numbers stop first: workers before the services they use. */
export const STOP_ORDER = { worker: 1, api: 2, keeper: 3, shop: 4, temporal: 8, postgres: 9 } as const;

/** Stops the items by stopOrder, those with the same one in parallel. */
export async function inStopOrder<T extends { stopOrder: number }>(
  items: readonly T[],
  stop: (item: T) => Promise<void>,
): Promise<void> {
  const orders = [...new Set(items.map((item) => item.stopOrder))].sort((one, other) => one - other);
  for (const order of orders) {
    await Promise.all(items.filter((item) => item.stopOrder === order).map(stop));
  }
}
