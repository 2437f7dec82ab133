import { html } from 'hono/html';
import { priceText } from './catalogue';
import { layout, type Html } from './layout';
import type { Order } from './orders';
import type { Visitor } from './visitors';

export function orderPage(visitor: Visitor, order: Order): Html {
  return layout({
    title: 'Thank you',
    visitor,
    body: html`<section class="card narrow">
      <h1>Thank you</h1>
      <p class="notice" role="status">Order ${order.number} is placed.</p>
      <p>Order number: <strong id="order-number" aria-label="Order number">${order.number}</strong></p>
      <ul>
        ${order.items.map(({ name, size, quantity }) => html`<li>${quantity} × ${name}, size ${size}</li>`)}
      </ul>
      <p class="total">Total: <strong>${priceText(order.total)}</strong></p>
      <p><a href="/">Go on shopping</a></p>
    </section>`,
  });
}

/** Lists orders, for a customer whose confirmation never arrived. */
export function ordersPage(visitor: Visitor, orders: Order[]): Html {
  return layout({
    title: 'Orders',
    visitor,
    body: html`<h1>Your orders</h1>
      ${orders.length === 0 ? html`<p>You have no orders yet.</p>` : orderTable(orders)}`,
  });
}

function orderTable(orders: Order[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Order number</th>
        <th scope="col">Items</th>
        <th scope="col">Total</th>
      </tr>
    </thead>
    <tbody>
      ${orders.map(
        (order) =>
          html`<tr>
            <th scope="row"><a href="/orders/${order.number}">${order.number}</a></th>
            <td>${order.items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}</td>
            <td>${priceText(order.total)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
