import type { LeasedProfile } from '../../activities/signatures/engine-activities';
import { engineActivities } from '../proxies/activity-proxies';
import type { RunningSession } from '../state/session-state';
import { reportStatus, untilFree } from './until-free';

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
    await untilFree<LeasedProfile>(
      session,
      'profile',
      () => engineActivities(`lease the profile ${profile.name}`).leaseProfile({ sessionId, profile }),
      {
        name: () => `the profile ${profile.name}`,
        found: (lease) => {
          this.isLeased = true;
          reportStatus(session, begins(profile.name, lease), { profileVersion: lease.version });
        },
      },
    );
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
