import { activityRows, ACTIVITY_COLUMNS } from '../../contracts/sessions/activity-limits-text';
import { limitValues } from '../../contracts/sessions/activity-limits';
import { retryDelayMs } from '../../contracts/sessions/timeouts';
import { toPairs, toTable } from '../terminal/table';

/** The limits of a session, and what they are for its activities in Temporal. */
export interface SessionLimits {
  timeouts: Parameters<typeof limitValues>[0]['timeouts'];
  aiTimeoutMs: number;
  executorTimeoutMs: number;
  activities: Record<string, string>[];
}

export function sessionLimits(config: Parameters<typeof limitValues>[0]): SessionLimits {
  return {
    timeouts: config.timeouts,
    aiTimeoutMs: config.ai.timeoutMs,
    executorTimeoutMs: config.executor.timeoutMs,
    activities: activityRows(limitValues(config)).map((row) =>
      Object.fromEntries(ACTIVITY_COLUMNS.map((column, index) => [column, row[index] ?? ''])),
    ),
  };
}

export function timeoutLines({ timeouts, aiTimeoutMs, executorTimeoutMs, activities }: SessionLimits): string[] {
  const delays = Array.from({ length: timeouts.maxRetryAttempts }, (_, n) => seconds(retryDelayMs(timeouts, n + 1)));
  return [
    ...toPairs([
      ['workflowTimeoutMs', `${seconds(timeouts.workflowTimeoutMs)} of active time`],
      ['stepTimeoutMs', `${seconds(timeouts.stepTimeoutMs)} of active time`],
      ['requestTimeoutMs', seconds(timeouts.requestTimeoutMs)],
      ['aiConfig.timeoutMs', seconds(aiTimeoutMs)],
      ['executorConfig.timeoutMs', seconds(executorTimeoutMs)],
      ['connectionTimeoutMs', seconds(timeouts.connectionTimeoutMs)],
      ['retries', delays.length === 0 ? 'none' : `${delays.length}, after ${delays.join(', ')}`],
    ]),
    '',
    ...toTable(
      ACTIVITY_COLUMNS,
      activities.map((row) => Object.values(row)),
    ),
  ];
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
