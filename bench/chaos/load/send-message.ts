import type { HarnessClient } from '../../harness/harness';
import { retryUntil } from '../retry-until';

const ACCEPTED_WITHIN_MS = 90_000;

/** Gives a message over REST under a key, and repeats it while the API is unavailable, as its answers ask. */
export async function sendMessage(
  { api }: Pick<HarnessClient, 'api'>,
  sessionId: string,
  { path, key, body = {} }: { path: string; key: string; body?: object },
): Promise<void> {
  await retryUntil(`the message ${path} is accepted`, ACCEPTED_WITHIN_MS, async () => {
    const response = await fetch(`${api}/v1/sessions/${sessionId}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    if (response.status >= 500) return undefined;
    if (!response.ok) throw new Error(`The API answered ${response.status}: ${await response.text()}`);
    return true;
  });
}
