import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createEngineActivities } from '../activities/engine';
import { createPricing } from '../activities/model/prices';
import { loadProviders } from '../activities/model/providers/load';
import { createModelResolver } from '../activities/model/resolve';
import { ENGINE_QUEUE } from '../contracts/queues';
import { announceReady, createLogger, runMain, shutdownRequested } from '../runtime/process';
import { readSettings } from '../runtime/settings';
import { openStore } from '../store/store';
import { bundleWorkflows } from './bundle-workflows';
import { startReconciler } from './reconciler';
import { ensureSearchAttributes } from './search-attributes';
import { STICKY_TIMEOUT, installRuntime } from './temporal-runtime';

/** The engine worker: workflows, model calls, publishing. No browser activity runs here. */
runMain('surefoot engine worker', async () => {
  const settings = readSettings();
  const logger = createLogger('engine-worker');
  installRuntime();
  const [store, connection, native, codePath] = await Promise.all([
    openStore(settings),
    Connection.connect({ address: settings.temporalAddress }),
    NativeConnection.connect({ address: settings.temporalAddress }),
    bundleWorkflows(),
  ]);
  await loadProviders(settings.model);
  const namespace = settings.temporalNamespace;
  const hasSearchAttributes = await ensureSearchAttributes(connection, namespace);
  if (!hasSearchAttributes)
    logger.warn('The Temporal server does not take our search attributes; sessions run without them.');

  const client = new Client({ connection, namespace });
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue: ENGINE_QUEUE,
    workflowBundle: { codePath },
    activities: createEngineActivities({
      store,
      resolveModel: createModelResolver(),
      pricing: createPricing(process.env['SUREFOOT_PRICES']),
      defaultModel: settings.model,
      hasSearchAttributes,
      requestCancel: async (workflowId, runId) => {
        await client.workflow.getHandle(workflowId, runId).cancel();
      },
    }),
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    maxHeartbeatThrottleInterval: '300 milliseconds',
    shutdownGraceTime: '5 seconds',
  });
  const reconciler = startReconciler({ store, client, logger });
  void shutdownRequested().then(() => worker.shutdown());
  announceReady({});
  logger.info({ queue: ENGINE_QUEUE }, 'engine worker is ready');
  try {
    await worker.run();
  } finally {
    await reconciler.stop();
    await store.close();
    await connection.close();
    await native.close();
  }
});
