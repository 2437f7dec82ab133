import { SessionStatus } from '../../contracts/sessions/session';
import { seededRandom } from '../chaos/random';
import { viewSession } from '../chaos/load/viewer';
import { restClient, type Harness } from '../harness/harness';

const END_WITHIN_MS = 240_000;

/** Runs short sessions over REST and follows each over SSE; resolves to the reasons of those that did not complete. */
export async function runSessions(harness: Harness, count: number, concurrent: number): Promise<string[]> {
  const failures: string[] = [];
  let left = count;
  const loop = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const failure = await runOne(harness).catch((error: unknown) => String(error));
      if (failure !== undefined) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: concurrent }, loop));
  return failures;
}

/** Opens a page and submits a form with a secret, which uses browser, journal, commit, checkpoint and model. */
async function runOne({ api, shop, sessions }: Harness): Promise<string | undefined> {
  const { sessionId } = await restClient(api).startSession({
    steps: [`Open ${shop}/login`, 'Type "ada" into Username, type "${password}" into Password and click "Sign in"'],
    variables: { password: { env: 'SHOP_PASSWORD' } },
  });
  const url = `${api}/v1/sessions/${sessionId}/events`;
  // A viewer with many frames disconnects and reconnects.
  const { isWhole } = await viewSession(url, seededRandom(1), AbortSignal.timeout(END_WITHIN_MS));
  const { session, error } = await sessions.get(sessionId);
  if (session.status !== SessionStatus.COMPLETED) return `${sessionId} ended ${session.status}: ${error?.message}`;
  return isWhole ? undefined : `${sessionId} completed and its stream did not end.`;
}
