import type { LeasedSecrets } from '../../activities/signatures/engine-activities';
import { engineActivities } from '../proxies/activity-proxies';
import type { RunningSession } from '../state/session-state';
import { reportStatus, untilFree } from './until-free';

/**
 * The exclusive secrets of the session. All are leased at once, and before its profile, so that two sessions never wait for each other.
 * They are given back by the end of the session.
 */
export class SecretLeases {
  constructor(
    private readonly session: RunningSession,
    private isLeased = false,
  ) {}

  /** The session has yet to get them. */
  get isWanted(): boolean {
    const { secrets = {} } = this.session.start.plan;
    return !this.isLeased && Object.values(secrets).some(({ exclusive }) => exclusive === true);
  }

  /** True once the session has them, for the next run of the workflow. */
  toContinued(): boolean {
    return this.isLeased;
  }

  async acquire(): Promise<void> {
    const { session } = this;
    const { id: sessionId } = session;
    await untilFree<LeasedSecrets>(
      session,
      'credential',
      () => engineActivities('lease the exclusive secrets').leaseSecrets({ sessionId }),
      {
        name: ({ alias }) => `the secret ${alias}`,
        found: () => {
          this.isLeased = true;
          reportStatus(session, 'No other session uses the exclusive secrets of this one until it has ended.', {});
        },
      },
    );
  }
}
