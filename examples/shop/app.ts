import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { adminRoutes } from './admin';
import { checkoutRoutes } from './checkout';
import { createCounter, type Counter } from './counter';
import { createFaults, type Faults } from './faults';
import { createOrders, type Orders } from './orders';
import { partRoutes } from './parts';
import { catalogueRoutes, shoppingRoutes } from './shopping';
import { missingPage } from './shopping-pages';
import { requireSignIn, signInRoutes } from './sign-in';
import { createVisitors, type ShopEnv } from './visitors';

export interface ShopOptions {
  /** The delay of search results. */
  searchDelayMs?: number;
}

export interface Shop {
  app: Hono<ShopEnv>;
  orders: Orders;
  counter: Counter;
  faults: Faults;
  /** Forgets orders, counts, faults, carts and sign-ins. */
  reset(): void;
}

const styles = readFileSync(join(__dirname, 'shop.css'), 'utf8');

/** The whole shop with its state in memory; two shops share nothing. */
export function createShop({ searchDelayMs = 300 }: ShopOptions = {}): Shop {
  const visitors = createVisitors();
  const orders = createOrders();
  const counter = createCounter();
  const faults = createFaults();
  const reset = (): void => [visitors, orders, counter, faults].forEach((each) => each.reset());

  const app = new Hono<ShopEnv>();
  app.use(async function neverStore(c, next) {
    c.header('Cache-Control', 'no-store');
    await next();
  });
  // Registered before visitors and faults: these responses belong to no page and use up no fault.
  app.get('/favicon.ico', (c) => c.body(null, 204));
  app.get('/shop.css', (c) => c.body(styles, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  app.route('/admin', adminRoutes({ orders, counter, faults, reset }));

  app.use(visitors.identify, faults.inject);
  app.route('/', signInRoutes());
  app.route('/parts', partRoutes(counter));
  app.route('/', catalogueRoutes());
  // Everything after this line is for people who are signed in.
  app.use(requireSignIn);
  app.route('/', shoppingRoutes({ searchDelayMs }));
  app.route('/', checkoutRoutes(orders));
  app.notFound((c) => c.html(missingPage(c.get('visitor')), 404));
  return { app, orders, counter, faults, reset };
}
