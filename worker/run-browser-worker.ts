import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createAttachments } from '../activities/browser/attach/attachments';
import type { BrowserDeps } from '../activities/browser/attach/browser-deps';
import { createBrowserActivities } from '../activities/browser-worker';
import { DEPENDENCY_TOKENS } from '../contracts/modules/dependencies';
import { BROWSERS_QUEUE, hostQueue, workerQueue } from '../contracts/queues';
import { createContainer } from '../runtime/container';
import { encryptionOptions } from '../runtime/payloads/data-converter';
import { createModuleLogger } from '../runtime/module-settings';
import type { PartOptions } from '../runtime/part';
import { createReferenceReader, withSecretSources } from '../activities/secrets/sources/with-secret-sources';
import { nameableEnvironment } from '../runtime/settings/floors/environment-names';
import { createScratchFolder } from '../runtime/scratch';
import { MAX_BROWSERS } from '../runtime/settings/host-definitions';
import { MEMBERSHIP, membershipModule, type Membership } from '../store/membership';
import { watchEventLoop } from '../store/stalls/watchdog';
import { databaseModule, type Store } from '../store/store';
import { sweepBrowsersOfEndedSessions } from './end-browsers-of-ended-sessions';
import { createBrowserSlots, type BrowserSlots } from './browser-slots';
import { startLiveView } from './live-view';
import { openServices } from './open-services';
import { atMostPollers } from './pollers';
import { createAdoptRun } from './reset';
import { startQuarantine } from './quarantine';
import { startTakeovers } from './takeovers';
import { installRuntime } from './temporal-runtime';

const ONE_SLOT = { type: 'fixed-size', numSlots: 1 } as const;
/** A tuner has to name every kind of slot, also those that this worker does not use. */
const UNUSED_SLOTS = {
  workflowTaskSlotSupplier: ONE_SLOT,
  localActivityTaskSlotSupplier: ONE_SLOT,
  nexusTaskSlotSupplier: ONE_SLOT,
};

/** An activity that is stopped has so long to report its end. */
const FORCE_MS = 3000;

/** A browser worker: drives the Chromes that the keeper of its host keeps. Any of its host can take over from it. */
export async function runBrowserWorker({ settings, env, shutdown, onReady, isOwnProcess }: PartOptions): Promise<void> {
  const { hostId } = settings;
  // The pid identifies the process in a lease.
  const workerId = `${hostId}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const logger = createModuleLogger(settings);
  const stopWatching = watchEventLoop({ process: 'browser-worker', isOwnProcess, settings });
  const container = createContainer();
  container.register(DEPENDENCY_TOKENS.CONFIG_MANAGER, settings);
  container.register(DEPENDENCY_TOKENS.LOGGER, logger);
  container.registerModule(databaseModule(openServices.store));
  container.registerModule(membershipModule('executor'));
  await installRuntime(settings);
  const scratch = createScratchFolder(settings.home, hostId);
  const [, connection] = await Promise.all([container.initialize(), openServices.worker(settings, logger)]);
  const store = container.resolve<Store>(DEPENDENCY_TOKENS.DATABASE);
  const ending = new AbortController();
  const slots: BrowserSlots = createBrowserSlots(() => attachments.keeper());
  const attachments = createAttachments(store, {
    hostId,
    workerId,
    ending: ending.signal,
    takeReservation: slots.takeReservation,
  });
  const { namespace, payloadKeys } = settings.temporal;
  const encryption = encryptionOptions(payloadKeys);
  const deps: BrowserDeps = {
    store: withSecretSources(store, createReferenceReader(settings)),
    attachments,
    env: nameableEnvironment(env, settings.floors.envSecrets),
    uploads: settings.uploads,
  };
  const adoptRun = createAdoptRun({ store, client: new Client({ connection, namespace, ...encryption }) });
  const activities = createBrowserActivities({ ...deps, adoptRun, recipePolicy: settings.recipePolicy });
  const quarantine = await startQuarantine(store.stalls, (message) => logger.warn(message));
  const workers = await Promise.all(
    [BROWSERS_QUEUE, hostQueue(hostId), workerQueue(workerId)].map((taskQueue) =>
      Worker.create({
        connection,
        namespace,
        ...encryption,
        taskQueue,
        interceptors: { activity: quarantine.interceptors },
        activities,
        ...(taskQueue === BROWSERS_QUEUE
          ? { tuner: { ...UNUSED_SLOTS, activityTaskSlotSupplier: slots.supplier } }
          : { maxConcurrentActivityTaskExecutions: MAX_BROWSERS }),
        // A frozen worker swallows a task by each of its polls; only its own queue has no other worker.
        ...(taskQueue === workerQueue(workerId) ? {} : { activityTaskPollerBehavior: atMostPollers(1) }),
        maxHeartbeatThrottleInterval: '300 milliseconds',
        shutdownGraceTime: settings.drainMs,
        shutdownForceTime: settings.drainMs + FORCE_MS,
      }),
    ),
  );
  const endedSessionsSweep = sweepBrowsersOfEndedSessions({ store, attachments, hostId, logger });
  const liveView = startLiveView(deps, logger);
  const takeovers = startTakeovers(deps, {
    hostId,
    workerId,
    limitMs: settings.takeoverMs,
    dialogMs: settings.takeoverDialogMs,
    logger,
  });
  void shutdown.then((reason) => {
    logger.info({ reason, drainMs: settings.drainMs }, 'browser worker is draining');
    ending.abort();
    workers.forEach((worker) => worker.shutdown());
  });
  onReady({});
  logger.info({ hostId, workerId }, 'browser worker is ready');
  try {
    await Promise.all(workers.map((worker) => worker.run()));
  } finally {
    slots.stop();
    await endedSessionsSweep.stop();
    await Promise.all([liveView.close(), takeovers.stop()]);
    await quarantine.stop();
    await container.resolve<Membership>(MEMBERSHIP).leave();
    await attachments.closeAll();
    await store.close();
    await connection.close();
    scratch.release();
    await stopWatching();
  }
}
