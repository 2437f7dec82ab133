export interface OrderItem {
  slug: string;
  name: string;
  size: string;
  quantity: number;
  price: number;
}

interface OrderDraft {
  user: string;
  nonce: string;
  run: string | null;
  items: OrderItem[];
  total: number;
}

export interface Order extends OrderDraft {
  number: string;
  at: string;
}

export interface Orders {
  place(draft: OrderDraft, idempotencyKey: string | undefined): Order;
  placedWith(idempotencyKey: string): Order | undefined;
  find(number: string): Order | undefined;
  list(filter?: { run?: string | undefined; user?: string | undefined }): Order[];
  reset(): void;
}

const FIRST_NUMBER = 1001;

/**
 * The order book. Every submit is recorded, also one with a known nonce, because a double submit must show. Only
 * an idempotency key makes a repeat harmless, as with a real payment service.
 */
export function createOrders(): Orders {
  const orders: Order[] = [];
  const byKey = new Map<string, Order>();
  return {
    place(draft, idempotencyKey) {
      const order = { number: `SF-${FIRST_NUMBER + orders.length}`, ...draft, at: new Date().toISOString() };
      orders.push(order);
      if (idempotencyKey !== undefined) byKey.set(idempotencyKey, order);
      return order;
    },
    placedWith: (idempotencyKey) => byKey.get(idempotencyKey),
    find: (number) => orders.find((order) => order.number === number),
    list: ({ run, user } = {}) =>
      orders.filter((order) => (run === undefined || order.run === run) && (user === undefined || order.user === user)),
    reset() {
      orders.length = 0;
      byKey.clear();
    },
  };
}
