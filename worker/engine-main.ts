import { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createEngineActivities } from '../activities/engine';
import { createPricing } from '../activities/model/prices';
import { loadProviders } from '../activities/model/providers/load';
import { createModelResolver } from '../activities/model/resolve';
import { openTools } from '../activities/tools/open-tools';
import { createToolbox } from '../activities/tools/toolbox';
import { DEPENDENCY_TOKENS } from '../contracts/dependencies';
import { ENGINE_QUEUE } from '../contracts/queues';
import { createContainer } from '../runtime/container';
import { announceReady, createLogger, runMain, shutdownRequested } from '../runtime/process';
import { readSettings } from '../runtime/settings';
import { MEMBERSHIP, membershipModule, type Membership } from '../store/membership';
import { databaseModule, type Store } from '../store/store';
import { bundleWorkflows } from './bundle-workflows';
import { openServices } from './open-services';
import { startReconciler } from './reconciler';
import { ensureSearchAttributes } from './search-attributes';
import { STICKY_TIMEOUT, installRuntime } from './temporal-runtime';
import { startUpkeep } from './upkeep';

/** What is stopped has so long to tell how it ended. */
const FORCE_MS = 3000;

/** The engine worker: workflows, model calls, publishing. No browser activity runs here. */
runMain('surefoot engine worker', async () => {
  const settings = readSettings();
  const logger = createLogger('engine-worker');
  const container = createContainer();
  container.register(DEPENDENCY_TOKENS.CONFIG_MANAGER, settings);
  container.register(DEPENDENCY_TOKENS.LOGGER, logger);
  container.registerModule(databaseModule(openServices.store));
  container.registerModule(membershipModule('step-processor'));
  installRuntime();
  const [, connection, native, codePath] = await Promise.all([
    container.initialize(),
    openServices.client(settings, logger),
    openServices.worker(settings, logger),
    bundleWorkflows(),
  ]);
  const store = container.resolve<Store>(DEPENDENCY_TOKENS.DATABASE);
  await loadProviders(settings.model);
  const tools = await openTools(settings, process.env, (message) => logger.warn(message));
  const { registry } = tools;
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
      registry,
      toolbox: createToolbox({ store, env: process.env, registry }),
      env: process.env,
      systemPromptFile: settings.systemPromptFile,
      defaultModel: settings.model,
      hasSearchAttributes,
      pauseReleaseMs: settings.pauseReleaseMs,
      requestCancel: async (workflowId, runId) => {
        await client.workflow.getHandle(workflowId, runId).cancel();
      },
    }),
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    // A session stays with the build it began on; where it may change, it says so itself (workflows/session.ts).
    ...(settings.version === undefined
      ? {}
      : {
          workerDeploymentOptions: {
            version: settings.version,
            useWorkerVersioning: true,
            defaultVersioningBehavior: 'PINNED',
          },
        }),
    maxHeartbeatThrottleInterval: '300 milliseconds',
    shutdownGraceTime: settings.drainMs,
    shutdownForceTime: settings.drainMs + FORCE_MS,
  });
  const reconciler = startReconciler({ store, client, logger });
  const upkeep = startUpkeep({ store, keep: settings.keep, logger });
  void shutdownRequested().then(() => worker.shutdown());
  announceReady({});
  logger.info({ queue: ENGINE_QUEUE, version: settings.version }, 'engine worker is ready');
  try {
    await worker.run();
  } finally {
    await Promise.all([reconciler.stop(), upkeep.stop(), tools.close()]);
    await container.resolve<Membership>(MEMBERSHIP).leave();
    await store.close();
    await connection.close();
    await native.close();
  }
});
