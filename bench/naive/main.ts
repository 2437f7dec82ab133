import { heartbeat } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import { announceReady, runMain, shutdownRequested } from '../../runtime/process';
import { installRuntime } from '../../worker/temporal-runtime';
import { buy, pay } from './flow';
import { NAIVE_BUNDLE_VARIABLE, NAIVE_QUEUE } from './queue';

/** Heartbeats while a script runs. */
async function beating(script: () => Promise<string>): Promise<string> {
  const beat = setInterval(() => heartbeat(), 500);
  try {
    return await script();
  } finally {
    clearInterval(beat);
  }
}

/** The worker of the naive engine. It heartbeats, so that a kill delays it by two seconds and not a minute. */
runMain('naive worker', async () => {
  const env = process.env;
  const chromium = env['CHROMIUM_PATH'] ?? '';
  await installRuntime({ metricsAddress: undefined });
  const connection = await NativeConnection.connect({ address: env['TEMPORAL_ADDRESS'] ?? '' });
  const worker = await Worker.create({
    connection,
    taskQueue: NAIVE_QUEUE,
    workflowBundle: { codePath: env[NAIVE_BUNDLE_VARIABLE] ?? '' },
    activities: {
      buy: (shop: string, run: string) => beating(() => buy(shop, run, chromium)),
      pay: (bank: string, invoice: string) => beating(() => pay(bank, invoice, chromium)),
    },
    stickyQueueScheduleToStartTimeout: '300 milliseconds',
    shutdownGraceTime: '1 second',
    shutdownForceTime: '2 seconds',
  });
  void shutdownRequested().then(() => worker.shutdown());
  announceReady({});
  await worker.run();
  await connection.close();
});
