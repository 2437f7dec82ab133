import { Client, Connection } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createEngineActivities } from '../activities/engine-worker';
import { createParallelActivities } from '../activities/engine/sessions/parallel-steps';
import { createBatchActivities } from '../activities/engine/batches/take-rows';
import { createMailboxActivities } from '../activities/engine/mailbox/look-in-mailbox';
import { createWebhookActivities } from '../activities/engine/webhooks/deliver-webhook';
import { createPricing } from '../activities/engine/models/calls/prices';
import { loadProviders } from '../activities/engine/models/providers/load';
import { createModelResolver } from '../activities/engine/models/resolve-model';
import { createReferenceReader } from '../activities/secrets/sources/with-secret-sources';
import { openTools } from '../activities/engine/tools/open-tools';
import { createToolRegistry } from '../activities/engine/tools/tool-registry';
import { DEPENDENCY_TOKENS } from '../contracts/modules/dependencies';
import { ENGINE_QUEUE } from '../contracts/queues';
import { createContainer } from '../runtime/container';
import { encryptionOptions } from '../runtime/payloads/data-converter';
import { engineEndpoints } from '../runtime/egress/engine-endpoints';
import { nameableEnvironment } from '../runtime/settings/floors/environment-names';
import { createModuleLogger } from '../runtime/module-settings';
import type { PartOptions } from '../runtime/part';
import { readStackFile } from '../runtime/settings/stack-file';
import { MEMBERSHIP, membershipModule, type Membership } from '../store/membership';
import { answerFromMailbox } from '../service/messages/answer-from-mailbox';
import { createMessageControl } from '../service/messages/send-message';
import { forkAfterReset } from '../service/sessions/fork-after-reset';
import { sessionIdOf } from '../store/sessions/session-id';
import { watchEventLoop } from '../store/stalls/watchdog';
import { databaseModule, type Store } from '../store/store';
import { startBatchSweep } from './batch-sweep';
import { bundleWorkflows } from './bundle-workflows';
import { nexusServices } from './nexus';
import { openServices } from './open-services';
import { atMostPollers } from './pollers';
import { startMessageSweep } from './message-sweep';
import { startWebhookSweep } from './webhook-sweep';
import { startQuarantine } from './quarantine';
import { startReconciler } from './reconciler';
import { createAdoptRun, isResetOf } from './reset';
import { startStoreWatch } from './store-watch';
import { ensureSearchAttributes } from './search-attributes';
import { installRuntime } from './temporal-runtime';
import { startRetention } from './retention';

/** An activity that is stopped has so long to report its end. */
const FORCE_MS = 3000;
/** Few: the next activity of a workflow comes with the answer to its task and needs no poll (eager activities). */
const ACTIVITY_POLLS = 2;
/** One of them on the queue of all workers, the others for the sessions in this one's cache. */
const WORKFLOW_POLLS = 5;
/** Requests of other namespaces only start sessions. */
const NEXUS_POLLS = 1;

/** The engine worker: workflows, model calls, publishing. No browser activity runs here. Resolves when it was shut down. */
export async function runEngineWorker({
  settings,
  env: processEnv,
  shutdown,
  onReady,
  isOwnProcess,
}: PartOptions): Promise<void> {
  const { performance } = settings;
  const logger = createModuleLogger(settings);
  const stopWatching = watchEventLoop({ process: 'engine-worker', isOwnProcess, settings });
  const container = createContainer();
  container.register(DEPENDENCY_TOKENS.CONFIG_MANAGER, settings);
  container.register(DEPENDENCY_TOKENS.LOGGER, logger);
  container.registerModule(databaseModule(openServices.store));
  container.registerModule(membershipModule('step-processor'));
  await installRuntime(settings);
  const [, connection, native, codePath] = await Promise.all([
    container.initialize(),
    openServices.client(settings, logger),
    openServices.worker(settings, logger),
    bundleWorkflows({ encodesFailures: settings.temporal.payloadKeys.length > 0 }),
  ]);
  const store = container.resolve<Store>(DEPENDENCY_TOKENS.DATABASE);
  await loadProviders(settings.model);
  const env = nameableEnvironment(processEnv, settings.floors.envSecrets);
  const tools = await openTools(settings, processEnv, (message) => logger.warn(message));
  const { engineTools } = tools;
  const { temporal, stack } = settings;
  const { namespace, payloadKeys } = temporal;
  const encryption = encryptionOptions(payloadKeys);
  const hasSearchAttributes = await ensureSearchAttributes(connection, namespace);
  if (!hasSearchAttributes)
    logger.warn('The Temporal server does not take our search attributes; sessions run without them.');

  const quarantine = await startQuarantine(store.stalls, (message) => logger.warn(message));
  const client = new Client({ connection, namespace, ...encryption });
  const worker = await Worker.create({
    connection: native,
    namespace,
    ...encryption,
    taskQueue: ENGINE_QUEUE,
    interceptors: { activity: quarantine.interceptors },
    workflowBundle: { codePath },
    nexusServices: await nexusServices(connection),
    nexusTaskPollerBehavior: atMostPollers(NEXUS_POLLS),
    activities: {
      ...createWebhookActivities({
        store,
        webhooks: settings.webhooks,
        mail: settings.mail,
        // The local stack notes the address of its API once that runs.
        pageUrl: () => settings.webhooks.pageUrl ?? readStackFile(settings.home)?.api,
        engine: engineEndpoints({
          services: () => [settings.databaseUrl, temporal.address, stack?.api, stack?.temporalUi],
          ports: () => [],
        }),
        warn: (facts, message) => logger.warn(facts, message),
      }),
      ...createBatchActivities({ store }),
      ...createParallelActivities({ store }),
      ...createMailboxActivities(
        {
          store,
          env,
          readReference: createReferenceReader(settings),
          answerSecret: answerFromMailbox(store, createMessageControl({ store, temporal: client })),
        },
        createAdoptRun({ store, client }),
      ),
      ...createEngineActivities({
        store,
        resolveModel: createModelResolver(),
        pricing: createPricing(settings.prices),
        engineTools,
        toolRegistry: createToolRegistry({ store, env, engineTools }),
        env,
        limits: settings.modelLimits,
        defaultBudget: settings.budget ?? settings.floors.budget,
        floors: settings,
        systemPromptFile: settings.systemPromptFile,
        recipePolicy: settings.recipePolicy,
        defaultModel: settings.model,
        modelTimeoutMs: settings.modelTimeoutMs,
        modelProfile: settings.modelProfile,
        connections: settings.connections,
        hasSearchAttributes,
        pauseReleaseMs: settings.pauseReleaseMs,
        adoptRun: createAdoptRun({ store, client }),
        forkAfterReset: async (run, stepIndex) => {
          const row = await store.sessions.get(sessionIdOf(run.workflowId));
          if (row === null || !row.closed || row.runId === null || !(await isResetOf(client, run, row.runId)))
            return undefined;
          const { maxSessions, connections } = settings;
          const parts = { store, temporal: client, maxSessions, floors: settings, connections };
          return await forkAfterReset(parts, row.sessionId, run.runId, stepIndex);
        },
        requestCancel: async (workflowId, runId) => {
          await client.workflow.getHandle(workflowId, runId).cancel();
        },
      }),
    },
    maxConcurrentActivityTaskExecutions: performance.maxConcurrentOperations,
    // A frozen worker swallows a task by each of its polls, until the server ends them after a minute.
    activityTaskPollerBehavior: atMostPollers(ACTIVITY_POLLS),
    workflowTaskPollerBehavior: atMostPollers(WORKFLOW_POLLS),
    // A killed worker delays each session in its cache by this time.
    stickyQueueScheduleToStartTimeout: performance.cacheTTLMs,
    ...(performance.cacheEnabled ? {} : { maxCachedWorkflows: 0 }),
    // A session stays with the build it began on, until it continues as new on another.
    ...(settings.deployment === undefined
      ? {}
      : {
          workerDeploymentOptions: {
            version: settings.deployment,
            useWorkerVersioning: true,
            defaultVersioningBehavior: 'PINNED',
          },
        }),
    // No longer than the beats are apart: a cancellation arrives with one, and a dead worker is noticed within its timeout.
    maxHeartbeatThrottleInterval: '300 milliseconds',
    shutdownGraceTime: settings.drainMs,
    shutdownForceTime: settings.drainMs + FORCE_MS,
  });
  const probe = Connection.lazy({ ...temporal.security, address: temporal.address, interceptors: [] });
  const storeWatch = startStoreWatch({ store, client, probe, logger });
  const reconciler = startReconciler({ store, client, logger, onPutBack: () => storeWatch.temporalWasPutBack() });
  const messages = startMessageSweep({ store, client, logger });
  const webhooks = startWebhookSweep({ store, client, logger });
  const batches = startBatchSweep({ store, client, logger });
  const retention = startRetention({ store, keep: settings.keep, logger });
  void shutdown.then(() => worker.shutdown());
  onReady({});
  logger.info({ queue: ENGINE_QUEUE, version: settings.deployment }, 'engine worker is ready');
  try {
    await worker.run();
  } finally {
    await Promise.all([
      reconciler.stop(),
      messages.stop(),
      webhooks.stop(),
      batches.stop(),
      storeWatch.stop(),
      retention.stop(),
      quarantine.stop(),
      tools.close(),
    ]);
    await container.resolve<Membership>(MEMBERSHIP).leave();
    await store.close();
    await Promise.all([connection.close(), probe.close()]);
    await native.close();
    await stopWatching();
  }
}
