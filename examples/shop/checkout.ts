import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { itemsOf, totalOf } from './cart';
import { CheckoutFormSchema, checkoutPage, EXPRESS_PRICE } from './checkout-form';
import { formText } from './form-text';
import { orderPage, ordersPage } from './order-pages';
import type { Orders } from './orders';
import { cartPage, missingPage } from './shopping-pages';
import type { ShopEnv } from './visitors';

export function checkoutRoutes(orders: Orders): Hono<ShopEnv> {
  return new Hono<ShopEnv>()
    .get('/checkout', (c) => {
      const visitor = c.get('visitor');
      if (visitor.cart.length === 0) return c.html(cartPage(visitor, undefined));
      const nonce = randomUUID();
      visitor.checkouts.set(nonce, [...visitor.cart]);
      return c.html(checkoutPage(visitor, { nonce, values: {}, problems: {} }));
    })
    .post('/orders', async (c) => {
      const visitor = c.get('visitor');
      const key = c.req.header('Idempotency-Key');
      const earlier = key === undefined ? undefined : orders.placedWith(key);
      if (earlier !== undefined) return c.redirect(`/orders/${earlier.number}`, 303);

      const values = await c.req.parseBody();
      const form = CheckoutFormSchema.safeParse(values);
      const nonce = formText(values['nonce']);
      const lines = visitor.checkouts.get(nonce) ?? visitor.cart;
      if (lines.length === 0) return c.html(cartPage(visitor, undefined), 409);
      if (!form.success) {
        const problems = z.flattenError(form.error).fieldErrors;
        return c.html(checkoutPage(visitor, { nonce, values, problems }), 422);
      }

      const items = itemsOf(lines);
      const order = orders.place(
        {
          user: visitor.user ?? '',
          nonce,
          run: visitor.run ?? null,
          items,
          total: totalOf(items) + (form.data.shipping === 'express' ? EXPRESS_PRICE : 0),
        },
        key,
      );
      visitor.cart = visitor.cart.filter((line) => !lines.includes(line));
      return c.redirect(`/orders/${order.number}`, 303);
    })
    .get('/orders', (c) => c.html(ordersPage(c.get('visitor'), orders.list(c.get('visitor')))))
    .get('/orders/:number', (c) => {
      const visitor = c.get('visitor');
      const order = orders.find(c.req.param('number'));
      if (order === undefined || order.user !== visitor.user) return c.html(missingPage(visitor), 404);
      return c.html(orderPage(visitor, order));
    });
}
