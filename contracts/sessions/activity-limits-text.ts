import { ACTIVITY_LIMITS, type ActivityLimits, type Limit, type LimitValues } from './activity-limits';
import { retryDelayMs, type TimeoutConfig } from './timeouts';

export const ACTIVITY_COLUMNS = [
  'activities',
  'sent to',
  'waits for a worker',
  'one try',
  'all tries',
  'heartbeat',
  'tries',
];

/** The limits of a session as the person who set them names them, with their values in words. */
export function limitPairs(
  timeouts: TimeoutConfig,
  aiTimeoutMs: number,
  executorTimeoutMs: number,
): [string, string][] {
  const delays = Array.from({ length: timeouts.maxRetryAttempts }, (_, n) => seconds(retryDelayMs(timeouts, n + 1)));
  return [
    ['workflowTimeoutMs', `${seconds(timeouts.workflowTimeoutMs)} of active time`],
    ['stepTimeoutMs', `${seconds(timeouts.stepTimeoutMs)} of active time`],
    ['requestTimeoutMs', seconds(timeouts.requestTimeoutMs)],
    ['aiConfig.timeoutMs', seconds(aiTimeoutMs)],
    ['executorConfig.timeoutMs', seconds(executorTimeoutMs)],
    ['connectionTimeoutMs', seconds(timeouts.connectionTimeoutMs)],
    ['retries', delays.length === 0 ? 'none' : `${delays.length}, after ${delays.join(', ')}`],
  ];
}

/** The table of activities in words, a row each; a limit whose value is known is its seconds. */
export function activityRows(values: LimitValues = {}): string[][] {
  return Object.values<ActivityLimits>(ACTIVITY_LIMITS).map((row) => [
    row.activities.join(', '),
    row.sentTo,
    row.pickup === undefined ? '–' : pickupText(row.pickup, values),
    limitText(row.once, values),
    { step: 'left of the step + 10 s', phase: 'left of the phase', run: 'the run' }[row.allWithin],
    seconds(row.heartbeatMs),
    row.tries === undefined ? 'unlimited' : String(row.tries),
  ]);
}

function pickupText({ atMostMs, limit }: NonNullable<ActivityLimits['pickup']>, values: LimitValues): string {
  const text = limitText(limit, values);
  return atMostMs === undefined ? text : `min(${seconds(atMostMs)}, ${text})`;
}

function limitText(limit: Limit, values: LimitValues): string {
  const known = (name: keyof LimitValues): string => {
    const value = values[name];
    return value === undefined ? name : seconds(value);
  };
  return limit
    .map((term) => {
      if (typeof term === 'number') return seconds(term);
      if (typeof term === 'string') return known(term);
      return `${term[0]} × ${known(term[1])}`;
    })
    .join(' + ');
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
