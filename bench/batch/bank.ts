import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A site at which invoices are paid. It takes every payment that it is sent, and counts. */
export interface Bank {
  url: string;
  /** How often a program has paid each invoice. */
  payments: ReadonlyMap<string, number>;
  /** Payments of people. */
  byHand: ReadonlySet<string>;
  payByHand(invoice: string): void;
  stop(): void;
}

/** From the payment to the page that confirms it: a kill may come between. */
const ANSWER_AFTER_MS = 150;

export async function startBank(): Promise<Bank> {
  const payments = new Map<string, number>();
  const byHand = new Set<string>();
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bank');
      const invoice = searchParams.get('invoice') ?? '';
      const page = (text: string, status = 200): void => {
        response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
        response.end(`<!doctype html><title>Bank</title><h1>${text}</h1>`);
      };
      const isPaid = payments.has(invoice) || byHand.has(invoice);
      if (pathname === '/paid') return page(isPaid ? `Paid ${invoice}` : `${invoice} is open`);
      if (pathname !== '/pay' || invoice === '') return page('There is no such invoice', 404);
      if (request.method !== 'POST')
        return page(`Invoice ${invoice}</h1><form method="post"><button>Pay</button></form>`);
      payments.set(invoice, (payments.get(invoice) ?? 0) + 1);
      await delay(ANSWER_AFTER_MS);
      page(`Paid ${invoice}`);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payments,
    byHand,
    payByHand: (invoice) => void byHand.add(invoice),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
