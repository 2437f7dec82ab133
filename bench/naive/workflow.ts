import { proxyActivities } from '@temporalio/workflow';

interface Scripts {
  buy(shop: string, run: string): Promise<string>;
  pay(bank: string, invoice: string): Promise<string>;
}

const options = { startToCloseTimeout: '1 minute', heartbeatTimeout: '2 seconds' } as const;
const { buy } = proxyActivities<Scripts>({
  ...options,
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 1 },
});
/** A row that can't be paid comes to an end. */
const { pay } = proxyActivities<Scripts>({
  ...options,
  retry: { initialInterval: '1 second', backoffCoefficient: 1, maximumAttempts: 6 },
});

/** The common alternative to a durable engine: the whole flow as one activity that is retried until it succeeds. */
export async function naive(shop: string, run: string): Promise<string> {
  return await buy(shop, run);
}

/** The same for a row of a batch. */
export async function payInvoice(bank: string, invoice: string): Promise<string> {
  return await pay(bank, invoice);
}
