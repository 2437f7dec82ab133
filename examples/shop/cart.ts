import { findProduct } from './catalogue';
import type { OrderItem } from './orders';
import type { CartLine } from './visitors';

/** Returns the cart lines with their prices. */
export function itemsOf(lines: readonly CartLine[]): OrderItem[] {
  return lines.map(({ slug, size, quantity }) => {
    const product = findProduct(slug);
    if (product === undefined) throw new Error(`expected a product of the catalogue in the cart, got ${slug}`);
    return { slug, name: product.name, size, quantity, price: product.price };
  });
}

export function totalOf(items: readonly OrderItem[]): number {
  return items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
