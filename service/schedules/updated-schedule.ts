import type {
  ScheduleDescription,
  ScheduleOptionsStartWorkflowAction,
  ScheduleUpdateOptions,
  Workflow,
} from '@temporalio/client';
import { hasTimes, type UpdateSchedule } from '../../contracts/sessions/schedule';
import type { ValidStart } from '../../contracts/sessions/start-request';
import { actionOf, policiesOf } from './new-schedule';
import { toSpec } from './schedule-spec';

type Update = ScheduleUpdateOptions<ScheduleOptionsStartWorkflowAction<Workflow>>;

/** A schedule with these changes; the memo can not be changed, so its tenant stays. */
export function updatedSchedule(
  { scheduleId, spec, action, policies, state }: ScheduleDescription,
  change: UpdateSchedule,
  start: ValidStart | undefined,
): Update {
  const { timeZone = spec.timezone, note = state.note } = change;
  const zone = timeZone === undefined ? {} : { timeZone };
  return {
    spec: hasTimes(change) ? toSpec({ ...change, ...zone }) : { ...spec, ...(timeZone && { timezone: timeZone }) },
    action: start === undefined ? action : actionOf(scheduleId, start),
    policies: { ...policies, ...policiesOf(change) },
    state: { ...state, ...(note === undefined ? {} : { note }) },
  };
}
