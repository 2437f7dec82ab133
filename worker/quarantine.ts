import { createHash } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { canonicalJson, isObject } from '../contracts/json';
import { asWork } from '../runtime/current-work';
import { startSweep, type Sweep } from '../runtime/sweep';
import { quarantined } from '../activities/activity/failures';
import { sessionIdOf } from '../store/sessions/session-id';
import type { Stalls } from '../store/stalls/stalls';

/** After so many frozen processes an activity is not run again. */
const MOST_FREEZES = 2;
/** Where it was one of several that may have been it each time. */
const MOST_POSSIBLE_FREEZES = 4;
const REFRESH_MS = 1000;
/** What another attempt of the same work gets anew. */
const OF_ATTEMPT = ['lease', 'outbox'];

interface Quarantine {
  interceptors: ActivityInterceptorsFactory[];
  stop: Sweep['stop'];
}

/**
 * Runs each activity under its name, for the watchdog, and refuses one that has frozen its worker twice: it would stop one
 * worker after the other for good. Which activities have frozen a worker is read every second, and at the begin of another
 * attempt.
 */
export async function startQuarantine(stalls: Stalls, warn: (message: string) => void): Promise<Quarantine> {
  let frozen: ReadonlySet<string> = new Set(await stalls.frozenKeys());
  const refresh = startSweep(
    REFRESH_MS,
    async () => {
      frozen = new Set(await stalls.frozenKeys());
    },
    ({ message }) => warn(`Which activities have frozen workers could not be read: ${message}`),
  );
  const refuseFrozen = async (key: string, name: string, sessionId: string, attempt: number): Promise<void> => {
    if (attempt === 1 && !frozen.has(key)) return;
    const { certain, possible, stack } = await stalls.freezesOf(key);
    if (certain < MOST_FREEZES && possible < MOST_POSSIBLE_FREEZES) return;
    throw quarantined({ name, sessionId, times: Math.max(certain, possible), stack }, attempt);
  };
  return {
    interceptors: [
      () => ({
        inbound: {
          async execute(input, next) {
            const { activityType: name, attempt, workflowExecution } = activityInfo();
            const [given] = input.args;
            const own = isObject(given) ? given['sessionId'] : undefined;
            const sessionId = typeof own === 'string' ? own : sessionIdOf(workflowExecution!.workflowId);
            const key = keyOf(name, sessionId, given);
            await refuseFrozen(key, name, sessionId, attempt);
            return await asWork({ name, sessionId, key, attempt }, () => next(input));
          },
        },
      }),
    ],
    stop: () => refresh.stop(),
  };
}

function keyOf(name: string, sessionId: string, input: unknown): string {
  const lasting = isObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([member]) => !OF_ATTEMPT.includes(member)))
    : input;
  return createHash('sha256')
    .update(`${sessionId} ${name} ${textOf(lasting)}`)
    .digest('hex');
}

/** One that is too deep to be written is refused by the activity itself. */
function textOf(input: unknown): string {
  try {
    return canonicalJson(input);
  } catch {
    return '';
  }
}
