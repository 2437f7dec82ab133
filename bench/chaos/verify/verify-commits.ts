import { isOpen, SessionStatus } from '../../../contracts/sessions/session';
import type { JournalEntry } from '../../../store/journal/journal';
import { pressesOf } from '../scenarios/scenario';
import { ordersOf, type Order } from './orders';

/** How often the site got what a session commits, and what is wrong about that. */
interface VerifiedCommits {
  count: number;
  breaches: string[];
}

/** Compares a demo session with the shop's order book. */
export async function verifyOrders(
  shop: string,
  run: string,
  status: SessionStatus,
  journal: readonly JournalEntry[],
): Promise<VerifiedCommits> {
  const orders = await ordersOf(shop, run);
  const breaches = [...orderBreaches(status, orders), ...journalBreaches(journal.filter(isOrderPress), orders.length)];
  return { count: orders.length, breaches };
}

/** Compares a session of a scenario with the shop's counter. */
export async function verifyPresses(
  shop: string,
  run: string,
  status: SessionStatus,
  journal: readonly JournalEntry[],
): Promise<VerifiedCommits> {
  const count = await pressesOf(shop, run);
  const done = journal.filter((entry) => entry.effect === 'commit' && entry.status === 'done').length;
  const breaches: string[] = [];
  if (isOpen(status)) breaches.push(`it stayed ${status}`);
  if (count > 1) breaches.push(`${count} presses at the counter`);
  if (count === 0 && status === SessionStatus.COMPLETED) breaches.push('it completed without a press');
  if (done > count) breaches.push(`the journal has ${done} completed presses, the counter ${count}`);
  return { count, breaches };
}

function orderBreaches(status: SessionStatus, orders: readonly Order[]): string[] {
  const breaches: string[] = [];
  if (isOpen(status)) breaches.push(`it stayed ${status}`);
  if (orders.length > 1) breaches.push(`${orders.length} orders`);
  if (orders.length === 0 && status === SessionStatus.COMPLETED) breaches.push('it completed without an order');
  for (const { items } of orders) {
    const bought = items.reduce((sum, { quantity }) => sum + quantity, 0);
    if (bought !== 1) breaches.push(`an order of ${bought} items instead of 1`);
  }
  return breaches;
}

/** Compares journal and order book: no order without an intent, no completed press without an order. */
function journalBreaches(presses: readonly JournalEntry[], orders: number): string[] {
  const done = presses.filter(({ status }) => status === 'done').length;
  if (orders > presses.length) return [`${orders} orders, but the journal has ${presses.length} presses`];
  if (done > orders) return [`the journal has ${done} completed presses on Place order, the shop ${orders} orders`];
  return [];
}

export function isOrderPress({ action, target }: JournalEntry): boolean {
  return action === 'CLICK_ELEMENT' && target?.['name'] === 'Place order';
}
