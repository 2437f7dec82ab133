import type { SessionProfile } from '../../../contracts/sessions/profile';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import { EngineError } from '../../activity/failures';
import type { LeasedProfile } from '../../signatures/engine-activities';

/** Gives the session its profile, or says which session has it. Fails where the profile can't be read with this key. */
export async function leaseProfile(
  { profiles }: Pick<Store, 'profiles'>,
  { sessionId, profile }: { sessionId: string; profile: SessionProfile },
  { runId }: Pick<ActivityCall, 'runId'>,
): Promise<LeasedProfile> {
  const lease = await profiles.lease(sessionId, runId, profile);
  if (lease.kind !== 'unreadable') return lease;
  throw new EngineError(
    'SP001',
    `The profile ${profile.name} was sealed with another key: give all processes the same SUREFOOT_SECRET_KEY, or forget the profile and sign in again.`,
    { isFinal: true },
  );
}
