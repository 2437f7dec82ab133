import { randomUUID } from 'node:crypto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createAttachments } from '../activities/browser/attachments';
import { createBrowserActivities } from '../activities/browser';
import { DEPENDENCY_TOKENS } from '../contracts/dependencies';
import { BROWSERS_QUEUE, hostQueue, workerQueue } from '../contracts/queues';
import { createContainer } from '../runtime/container';
import { announceReady, createLogger, runMain, shutdownRequested } from '../runtime/process';
import { readSettings } from '../runtime/settings';
import { MEMBERSHIP, membershipModule, type Membership } from '../store/membership';
import { databaseModule, openStore, type Store } from '../store/store';
import { startBrowserReaper } from './browser-reaper';
import { installRuntime } from './temporal-runtime';

/** More browsers than a host has memory for help nobody; activities beyond it wait in the queue. */
const MAX_SESSIONS = 50;

/** A browser worker: drives the Chromes that the keeper of its host keeps. Any of its host can take over from it. */
runMain('surefoot browser worker', async () => {
  const settings = readSettings();
  const { hostId } = settings;
  const workerId = `${hostId}-${randomUUID().slice(0, 8)}`;
  const logger = createLogger('browser-worker');
  const container = createContainer();
  container.register(DEPENDENCY_TOKENS.CONFIG_MANAGER, settings);
  container.register(DEPENDENCY_TOKENS.LOGGER, logger);
  container.registerModule(databaseModule(openStore));
  container.registerModule(membershipModule('executor'));
  installRuntime();
  const [, connection] = await Promise.all([
    container.initialize(),
    NativeConnection.connect({ address: settings.temporalAddress }),
  ]);
  const store = container.resolve<Store>(DEPENDENCY_TOKENS.DATABASE);
  const attachments = createAttachments(store, { hostId, workerId });
  const activities = createBrowserActivities({ store, attachments, env: process.env });
  const workers = await Promise.all(
    [BROWSERS_QUEUE, hostQueue(hostId), workerQueue(workerId)].map((taskQueue) =>
      Worker.create({
        connection,
        namespace: settings.temporalNamespace,
        taskQueue,
        activities,
        maxConcurrentActivityTaskExecutions: MAX_SESSIONS,
        maxHeartbeatThrottleInterval: '300 milliseconds',
        shutdownGraceTime: '5 seconds',
      }),
    ),
  );
  const reaper = startBrowserReaper({ store, attachments, hostId, logger });
  void shutdownRequested().then(() => workers.forEach((worker) => worker.shutdown()));
  announceReady({});
  logger.info({ hostId, workerId }, 'browser worker is ready');
  try {
    await Promise.all(workers.map((worker) => worker.run()));
  } finally {
    await reaper.stop();
    await container.resolve<Membership>(MEMBERSHIP).leave();
    await attachments.closeAll();
    await store.close();
    await connection.close();
  }
});
