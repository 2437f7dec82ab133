import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../runtime/process';
import type { Settings } from '../runtime/settings/settings';
import { waitFor } from '../runtime/wait-for';
import { outageReason } from '../store/database/outage';
import { openStore, type Store } from '../store/store';
import { isTemporalUnreachable } from './temporal-runtime';

/** A worker that starts during an outage waits for its end. */
export const openServices = {
  store: (settings: Settings, logger: Logger): Promise<Store> =>
    waitFor(
      'the database',
      () => openStore(settings),
      (error) => outageReason(error) !== undefined,
      logger,
    ),
  client: ({ temporal }: Settings, logger: Logger): Promise<Connection> =>
    waitFor(
      'Temporal',
      () => Connection.connect({ ...temporal.security, address: temporal.address }),
      isTemporalUnreachable,
      logger,
    ),
  worker: ({ temporal }: Settings, logger: Logger): Promise<NativeConnection> =>
    waitFor(
      'Temporal',
      () => NativeConnection.connect({ ...temporal.security, address: temporal.address }),
      isTemporalUnreachable,
      logger,
    ),
};
