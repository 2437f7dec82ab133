import { activityInfo } from '@temporalio/activity';
import type { RecoverSessionInput, RecoveryActivities } from '../../activities/signatures/recovery-activities';

/** The recoveries of each session, in a database that says to have forgotten the commits that a test names. */
export function createFakeRecovery() {
  const inputs = new Map<string, RecoverSessionInput[]>();
  const forgotten = new Map<string, string[]>();
  const of = (workflowId: string): RecoverSessionInput[] => {
    const known = inputs.get(workflowId) ?? [];
    inputs.set(workflowId, known);
    return known;
  };
  const activities: RecoveryActivities = {
    async recoverSession(input) {
      const { workflowId } = activityInfo().workflowExecution!;
      of(workflowId).push(input);
      return { forgotten: forgotten.get(workflowId) ?? [] };
    },
  };
  return {
    activities,
    of,
    forgets: (workflowId: string, commandIds: string[]) => void forgotten.set(workflowId, commandIds),
  };
}
