import type { ScheduleDescription, ScheduleSummary } from '@temporalio/client';
import { isObject } from '../../contracts/json';
import { SECRET_MARK } from '../../contracts/sessions/resources';
import type { Schedule, ScheduleDetails, ScheduleOverlap } from '../../contracts/sessions/schedule';
import { durationText } from '../../contracts/sessions/schedule-duration';
import { DEFAULT_TENANT } from '../../contracts/sessions/start-request';
import { sessionIdOf } from '../../store/sessions/session-id';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { fromSpec, overlapOf } from './schedule-spec';

/** Whose sessions it starts, by the input that they get. */
export function tenantOfInput(args: readonly unknown[] | undefined): string {
  const tenant = inputOf(args)['tenant'];
  return typeof tenant === 'string' ? tenant : DEFAULT_TENANT;
}

export function toSchedule(
  { scheduleId, spec = {}, state, info }: Pick<ScheduleSummary, 'scheduleId' | 'spec' | 'state' | 'info'>,
  tenant: string,
): Schedule {
  return {
    id: scheduleId,
    tenant,
    ...fromSpec(spec),
    paused: state.paused,
    ...(state.note ? { note: state.note } : {}),
    nextStarts: state.paused ? [] : info.nextActionTimes,
    sessions: info.recentActions.toReversed().map(({ scheduledAt, takenAt, action: { workflow } }) => ({
      sessionId: sessionIdOf(workflow.workflowId),
      workflowId: workflow.workflowId,
      scheduledAt,
      startedAt: takenAt,
    })),
  };
}

/** A schedule with what it starts, and what has become of its newest sessions. */
export async function toDetails(
  store: Pick<Store, 'sessions'>,
  description: ScheduleDescription,
): Promise<ScheduleDetails> {
  const { policies, action, info } = description;
  const { sessions, ...schedule } = toSchedule(description, tenantOfInput(action.args));
  const statuses = await Promise.all(
    sessions.map(({ sessionId }) => fromStore(async () => (await store.sessions.get(sessionId))?.status)),
  );
  return {
    ...schedule,
    overlap: overlapOf(policies.overlap),
    catchUp: durationText(policies.catchupWindow),
    createdAt: info.createdAt,
    counts: {
      started: info.numActionsTaken,
      missed: info.numActionsMissedCatchupWindow,
      skipped: info.numActionsSkippedOverlap,
    },
    sessions: sessions.map((session, index) => {
      const status = statuses[index];
      return { ...session, ...(status === undefined ? {} : { status }) };
    }),
    request: withoutValues(inputOf(action.args)),
  };
}

/** Why a start that was asked for may come later or not at all: sessions of the schedule that are open. */
export function startReason(
  { policies, info }: ScheduleDescription,
  asked: ScheduleOverlap | undefined,
): { reason?: string } {
  const overlap = asked ?? overlapOf(policies.overlap);
  const open = info.runningActions.map(({ workflow }) => sessionIdOf(workflow.workflowId));
  if (open.length === 0 || overlap === 'allow-all') return {};
  const becomes = {
    skip: 'the start is skipped if that is still open; overlap allow-all starts one beside it',
    'buffer-one': 'the next one starts when that has ended',
    'buffer-all': 'the next one starts when that has ended',
    'cancel-other': 'that is cancelled first',
    'terminate-other': 'that is terminated first',
  }[overlap];
  return { reason: `Session ${open.join(', ')} of this schedule is open: ${becomes}.` };
}

function inputOf(args: readonly unknown[] | undefined): Record<string, unknown> {
  const [input] = args ?? [];
  return isObject(input) ? input : {};
}

/** A schedule that was made by other means may have values of secrets. */
function withoutValues(input: Record<string, unknown>): Record<string, unknown> {
  const { secrets } = input;
  if (!isObject(secrets)) return input;
  const shown = Object.entries(secrets).map(([alias, secret]) => [alias, hidden(secret)]);
  return { ...input, secrets: Object.fromEntries(shown) };
}

/** A secret, or its seed, without a value. */
function hidden(source: unknown): unknown {
  if (!isObject(source)) return source;
  const { totp } = source;
  return {
    ...source,
    ...('value' in source ? { value: SECRET_MARK } : {}),
    ...(totp === undefined ? {} : { totp: hidden(totp) }),
  };
}
