import { sleep } from '@temporalio/workflow';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { RunningSession } from '../state/session-state';

const SHORTEST_INTERVAL_MS = 1000;
const LONGEST_INTERVAL_MS = 300_000;
/** A session asks again after a tenth of the time that it has waited, because each question is in its history. */
const SHARE_OF_WAIT = 0.1;

/** Another session has it. */
interface Held {
  kind: 'held';
  sessionId: string;
  title: string;
}

/**
 * Asks for what one session has at a time until this one has it. The wait is no active time, and the log says once who is waited for.
 * `found` hears of it before the clock goes on.
 */
export async function untilFree<Lease extends { kind: string }>(
  session: RunningSession,
  kind: 'profile' | 'credential',
  lease: () => Promise<Lease>,
  {
    name,
    found,
  }: {
    name: (holder: Extract<Lease, Held>) => string;
    found: (lease: Exclude<Lease, Held>) => void;
  },
): Promise<void> {
  const since = Date.now();
  let isReported = false;
  try {
    for (;;) {
      const answer = await lease();
      if (!isHeld(answer)) return found(answer as Exclude<Lease, Held>);
      const wanted = name(answer);
      const holder = `session ${answer.sessionId}${answer.title === '' ? '' : ` (${answer.title})`}`;
      session.clock.stop(kind);
      session.details.setWait(kind, `waiting for ${wanted}, which ${holder} has`);
      session.showDetails();
      if (!isReported) reportStatus(session, `Waiting for ${wanted}: ${holder} has it.`, { waitingFor: kind });
      if (!isReported) await session.publish(`wait for ${wanted}`);
      isReported = true;
      const delayMs = Math.min(
        LONGEST_INTERVAL_MS,
        Math.max(SHORTEST_INTERVAL_MS, Math.round((Date.now() - since) * SHARE_OF_WAIT)),
      );
      await sleep(delayMs, { summary: `wait for ${wanted}` });
    }
  } finally {
    session.details.setWait(kind, undefined);
    session.clock.start(kind);
  }
}

function isHeld<Lease extends { kind: string }>(lease: Lease): lease is Extract<Lease, Held> {
  return lease.kind === 'held';
}

export function reportStatus(session: RunningSession, message: string, details: Record<string, unknown>): void {
  session.record('executor-streamer', StreamEventType.SESSION_STATUS, {
    message,
    details: { status: session.status, ...details },
  });
}
