import type { StreamEvent } from '../../../contracts/events/stream-event';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';
import { ApiError } from '../../../client/http/api-error';
import { restClient, type HarnessClient } from '../../harness/harness';
import { retryUntil } from '../retry-until';

/**
 * How the API answered an approval. `refused` is status 409, also when an earlier request succeeded but its response
 * was lost.
 */
export interface Decision {
  approvalId: string;
  end: 'accepted' | 'refused' | 'unheard';
  tries: number;
}

const DECIDED_WITHIN_MS = 90_000;

/** Returns the approval that this event requests. */
export function requestedApproval({ type, data }: StreamEvent): string | undefined {
  if (type !== StreamEventType.SESSION_STATUS || data.details?.['pausedFor'] !== 'approval') return undefined;
  return data.details['approvalId'] as string | undefined;
}

/** Approves over REST and retries while the API is unavailable. */
export async function approve({ api }: HarnessClient, approvalId: string): Promise<Decision> {
  let tries = 0;
  const decide = async (): Promise<Decision['end']> => {
    tries += 1;
    try {
      await restClient(api).decideApproval(approvalId, { outcome: ToolConfirmationOutcome.ProceedOnce });
      return 'accepted';
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return 'refused';
      throw error;
    }
  };
  const end = await retryUntil(`the approval ${approvalId} is decided`, DECIDED_WITHIN_MS, decide).catch(
    (error: unknown) => {
      console.error(`  ${(error as Error).message}`);
      return 'unheard' as const;
    },
  );
  return { approvalId, end, tries };
}
