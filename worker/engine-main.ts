import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createEngineActivities } from '../activities/engine';
import { createModelResolver } from '../activities/model/resolve';
import { DEPENDENCY_TOKENS } from '../contracts/dependencies';
import { ENGINE_QUEUE } from '../contracts/queues';
import { createContainer } from '../runtime/container';
import { announceReady, createLogger, runMain, shutdownRequested } from '../runtime/process';
import { readSettings } from '../runtime/settings';
import { MEMBERSHIP, membershipModule, type Membership } from '../store/membership';
import { databaseModule, openStore, type Store } from '../store/store';
import { bundleWorkflows } from './bundle-workflows';
import { startReconciler } from './reconciler';
import { ensureSearchAttributes } from './search-attributes';
import { STICKY_TIMEOUT, installRuntime } from './temporal-runtime';

/** The engine worker: workflows, model calls, publishing. No browser activity runs here. */
runMain('surefoot engine worker', async () => {
  const settings = readSettings();
  const logger = createLogger('engine-worker');
  const container = createContainer();
  container.register(DEPENDENCY_TOKENS.CONFIG_MANAGER, settings);
  container.register(DEPENDENCY_TOKENS.LOGGER, logger);
  container.registerModule(databaseModule(openStore));
  container.registerModule(membershipModule('step-processor'));
  installRuntime();
  const [, connection, native, codePath] = await Promise.all([
    container.initialize(),
    Connection.connect({ address: settings.temporalAddress }),
    NativeConnection.connect({ address: settings.temporalAddress }),
    bundleWorkflows(),
  ]);
  const store = container.resolve<Store>(DEPENDENCY_TOKENS.DATABASE);
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
    await container.resolve<Membership>(MEMBERSHIP).leave();
    await store.close();
    await connection.close();
    await native.close();
  }
});
