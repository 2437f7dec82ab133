import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../../client/http/api-client';
import { ApiError } from '../../../client/http/api-error';
import { SessionStatus } from '../../../contracts/sessions/session';
import { sessionIdFromKey } from '../../../store/sessions/session-id';
import { restClient, type Harness } from '../../harness/harness';
import { answerUnknownOutcome } from '../load/answer-unknown-outcome';
import { demoRequest } from '../load/demo-request';
import { retryUntil } from '../retry-until';
import { ordersOf } from '../verify/orders';
import { between, type Random } from '../random';

/** What became of a session whose database, or Temporal, was put back under it. */
export interface RoundSession {
  sessionId: string;
  run: string;
  status: SessionStatus | 'lost';
  /** Why it was held for a person, in the order of the questions. */
  held: string[];
  orders: number;
  reason: string | undefined;
}

type StartBody = Parameters<ApiClient['startSession']>[0];
type Details = Awaited<ReturnType<ApiClient['showSession']>>;

const START_WITHIN_MS = 60_000;
const ENDED_WITHIN_MS = 240_000;
const PAUSE_MS = 400;

/** Starts sessions that place one order each, at moments of their own, and resolves when all are accepted. */
export async function startRound(harness: Harness, count: number, random: Random): Promise<{ run: string }[]> {
  const runs = Array.from({ length: count }, () => ({ run: randomUUID(), delayMs: between(random, 0, 2500) }));
  await Promise.all(
    runs.map(async ({ run, delayMs }) => {
      await sleep(delayMs);
      const request = demoRequest(harness.shop, run, 'steps') as StartBody;
      await retryUntil('a session is accepted', START_WITHIN_MS, () =>
        restClient(harness.api).startSession(request, run),
      );
    }),
  );
  return runs;
}

/** Follows a session to its end and answers like a person who reads the shop's book of orders. */
export async function endOfRound(harness: Harness, run: string): Promise<RoundSession> {
  const sessionId = sessionIdFromKey('default', run);
  const held: string[] = [];
  const end = Date.now() + ENDED_WITHIN_MS;
  let last: Details | undefined;
  while (Date.now() < end) {
    // A row that is not there yet, or a server that starts, is asked for again.
    last = await restClient(harness.api)
      .showSession(sessionId)
      .catch(() => undefined);
    const status = last?.session.status;
    if (last?.waitingFor) await answer(harness, { sessionId, run, held }, last);
    else if (status !== undefined && !OPEN.has(status)) break;
    await sleep(PAUSE_MS);
  }
  const log = await harness.store.log.read(sessionId, 0, 1000).catch(() => []);
  const stuck = log.find(({ eventId }) => eventId === `${sessionId}/stuck-workflow`)?.data.warning;
  if (stuck !== undefined) held.push(stuck.message);
  const isOver = last !== undefined && !OPEN.has(last.session.status);
  const orders = (await ordersOf(harness.shop, run)).length;
  return {
    sessionId,
    run,
    held,
    orders,
    status: isOver ? last!.session.status : 'lost',
    reason: isOver ? errorOf(last!) : await whereItStands(harness, sessionId, last),
  };
}

function errorOf({ error }: Details): string | undefined {
  return error === null ? undefined : `${error.message} ${error.suggestedAction}`;
}

/** What a session that does not end waits for, as REST and Temporal have it. */
async function whereItStands({ temporal }: Harness, sessionId: string, last: Details | undefined): Promise<string> {
  const workflow = await temporal.workflow
    .getHandle(sessionId)
    .describe()
    .then(({ status, historyLength, raw: { pendingActivities, pendingWorkflowTask } }) => ({
      status: status.name,
      historyLength,
      activities: pendingActivities,
      workflowTask: pendingWorkflowTask,
    }))
    .catch((error: unknown) => String(error));
  return `REST: ${last?.session.status ?? 'no answer'}; Temporal: ${JSON.stringify(workflow)}`;
}

const OPEN = new Set([SessionStatus.INITIALIZING, SessionStatus.ACTIVE, SessionStatus.PAUSED]);

async function answer(
  harness: Harness,
  session: Pick<RoundSession, 'sessionId' | 'run' | 'held'>,
  { waitingFor }: Details,
): Promise<void> {
  const { sessionId, held } = session;
  const note = (why: string): void => {
    if (!held.includes(why)) held.push(why);
  };
  if (waitingFor?.pausedFor === 'unknown-outcome') {
    const { commandId, witnesses } = waitingFor.unknown;
    note(witnesses === undefined ? `unknown ${commandId}` : `forgotten ${commandId}`);
    await answerUnknownOutcome(harness, session, commandId).catch(() => {});
  } else if (waitingFor?.pausedFor === 'rolled-back-store') {
    note(waitingFor.message);
    await restClient(harness.api)
      .resumeSession(sessionId)
      .catch((error: unknown) => {
        // It was resumed a moment ago, or the API starts.
        if (error instanceof ApiError && error.status < 500 && error.status !== 409) throw error;
      });
  }
}
