import { z } from 'zod';

const BookSchema = z.object({ orders: z.array(z.object({ items: z.array(z.object({ quantity: z.number() })) })) });
export type Order = z.infer<typeof BookSchema>['orders'][number];

/** Reads the shop's orders under this label, the ground truth of the run. */
export async function ordersOf(shop: string, run: string): Promise<Order[]> {
  const answer = await fetch(`${shop}/admin/orders?run=${run}`);
  return BookSchema.parse(await answer.json()).orders;
}
