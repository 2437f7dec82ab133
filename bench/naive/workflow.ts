import { proxyActivities } from '@temporalio/workflow';

const { buy } = proxyActivities<{ buy(shop: string, run: string): Promise<string> }>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '2 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 1 },
});

/** The common alternative to a durable engine: the whole flow as one activity that is retried until it succeeds. */
export async function naive(shop: string, run: string): Promise<string> {
  return await buy(shop, run);
}
