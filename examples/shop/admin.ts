import { Hono } from 'hono';
import type { Counter } from './counter';
import { FaultSchema, type Faults } from './faults';
import type { Orders } from './orders';

interface AdminParts {
  orders: Orders;
  counter: Counter;
  faults: Faults;
  reset: () => void;
}

/** Routes for tests and benchmarks: how often something happened, and which faults come next. */
export function adminRoutes({ orders, counter, faults, reset }: AdminParts): Hono {
  return new Hono()
    .get('/orders', (c) => {
      const list = orders.list({ run: c.req.query('run') });
      return c.json({ count: list.length, orders: list });
    })
    .get('/counter', (c) => {
      const commits = counter.commits(c.req.query('run'));
      return c.json({ count: commits.length, commits });
    })
    .get('/faults', (c) => c.json({ faults: faults.list(), repeats: faults.repeats() }))
    .post('/faults', async (c) => {
      const fault = FaultSchema.safeParse(await c.req.json().catch(() => undefined));
      if (!fault.success) return c.json({ issues: fault.error.issues }, 400);
      faults.add(fault.data);
      return c.json({ faults: faults.list() }, 201);
    })
    .post('/reset', (c) => {
      reset();
      return c.json({ reset: true });
    });
}
