import type { StreamEvent } from '../../../contracts/events/stream-event';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { HarnessClient } from '../../harness';
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
    const response = await fetch(`${api}/v1/approvals/${approvalId}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome: 'proceed_once' }),
      signal: AbortSignal.timeout(10_000),
    });
    if (response.ok) return 'accepted';
    if (response.status === 409) return 'refused';
    throw new Error(`The API answered ${response.status}: ${await response.text()}`);
  };
  const end = await retryUntil(`the approval ${approvalId} is decided`, DECIDED_WITHIN_MS, decide).catch(
    (error: unknown) => {
      console.error(`  ${(error as Error).message}`);
      return 'unheard' as const;
    },
  );
  return { approvalId, end, tries };
}
