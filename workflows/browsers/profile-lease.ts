import { sleep } from '@temporalio/workflow';
import type { LeasedProfile } from '../../activities/signatures/engine-activities';
import { StreamEventType } from '../../contracts/events/stream-event';
import { engineActivities } from '../proxies/activity-proxies';
import type { RunningSession } from '../state/session-state';

const SHORTEST_INTERVAL_MS = 1000;
const LONGEST_INTERVAL_MS = 300_000;
/** A session asks again after a tenth of the time that it has waited, because each question is in its history. */
const SHARE_OF_WAIT = 0.1;

/**
 * The profile that the session begins with. It is leased before a browser is asked for, so that no browser waits for a
 * profile; waiting for it is no active time.
 */
export class ProfileLease {
  constructor(
    private readonly session: RunningSession,
    private isLeased = false,
  ) {}

  /** The state of the browser is to be kept when it ends. */
  get isDeclared(): boolean {
    return this.session.start.plan.profile !== undefined;
  }

  /** The session has yet to get it. */
  get isWanted(): boolean {
    return this.isDeclared && !this.isLeased;
  }

  /** True once the session has its profile, for the next run of the workflow. */
  toContinued(): boolean {
    return this.isLeased;
  }

  /** Resolves when the session has its profile, or a copy of it. */
  async acquire(): Promise<void> {
    const { session } = this;
    const { profile } = session.start.plan;
    if (profile === undefined || this.isLeased) return;
    const { id: sessionId } = session;
    const since = Date.now();
    let isReported = false;
    try {
      for (;;) {
        const lease = await engineActivities(`lease the profile ${profile.name}`).leaseProfile({ sessionId, profile });
        if (lease.kind !== 'held') {
          this.isLeased = true;
          return this.report(begins(profile.name, lease), { profileVersion: lease.version });
        }
        session.clock.stop('profile');
        const holder = `session ${lease.sessionId}${lease.title === '' ? '' : ` (${lease.title})`}`;
        session.details.setWait('profile', `waiting for the profile ${profile.name}, which ${holder} has`);
        session.showDetails();
        if (!isReported)
          this.report(`Waiting for the profile ${profile.name}: ${holder} has it.`, { waitingFor: 'profile' });
        if (!isReported) await session.publish('wait for the profile');
        isReported = true;
        const delayMs = Math.min(
          LONGEST_INTERVAL_MS,
          Math.max(SHORTEST_INTERVAL_MS, Math.round((Date.now() - since) * SHARE_OF_WAIT)),
        );
        await sleep(delayMs, { summary: `wait for the profile ${profile.name}` });
      }
    } finally {
      session.details.setWait('profile', undefined);
      session.clock.start('profile');
    }
  }

  private report(message: string, details: Record<string, unknown>): void {
    const { session } = this;
    session.record('executor-streamer', StreamEventType.SESSION_STATUS, {
      message,
      details: { status: session.status, ...details },
    });
  }
}

function begins(name: string, { kind, version }: Exclude<LeasedProfile, { kind: 'held' }>): string {
  const isCopy = kind === 'copied';
  if (version === 0)
    return `The profile ${name} holds nothing yet: the session begins signed out${isCopy ? ', and does not write it' : ', and writes it when it completes'}.`;
  return isCopy
    ? `The session begins with a copy of version ${version} of the profile ${name}; it is not written back.`
    : `The session begins with version ${version} of the profile ${name}.`;
}
