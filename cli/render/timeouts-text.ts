import { activityRows, ACTIVITY_COLUMNS, limitPairs } from '../../contracts/sessions/activity-limits-text';
import { limitValues } from '../../contracts/sessions/activity-limits';
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
  return [
    ...toPairs(limitPairs(timeouts, aiTimeoutMs, executorTimeoutMs)),
    '',
    ...toTable(
      ACTIVITY_COLUMNS,
      activities.map((row) => Object.values(row)),
    ),
  ];
}
