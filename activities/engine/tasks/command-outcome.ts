import type { Store } from '../../../store/store';
import type { StoredOutcome, CommandOutcomeInput } from '../../signatures/task-activities';
import { differencesOf } from '../../recorded/differences';
import { unknownCommits } from '../decide/unknown-commits';

/**
 * Reads the outcome of a call's command from the journal. A person's decision about an unknown outcome counts as its
 * outcome.
 */
export async function getCommandOutcome(
  { store }: { store: Store },
  { sessionId, commandId }: CommandOutcomeInput,
): Promise<StoredOutcome> {
  const [entry] = await store.journal.find(sessionId, [commandId]);
  if (entry === undefined) return { status: 'unrun' };
  const failed = {
    status: 'failed',
    message: entry.error?.message ?? 'It failed.',
    differences: differencesOf(entry.error),
  } as const;
  switch (entry.status) {
    case 'intended':
      return { status: 'begun' };
    case 'done':
      return { status: 'done' };
    case 'failed':
      return failed;
    case 'unknown': {
      const [unknown] = unknownCommits([entry]);
      if (unknown === undefined) return entry.resolution?.happened === true ? { status: 'done' } : failed;
      const { isJudged: _isJudged, ...known } = unknown;
      return { status: 'unknown', unknown: known };
    }
  }
}
