import { ScheduleAlreadyRunning, type Client, type ScheduleDescription } from '@temporalio/client';
import { SESSION_WORKFLOW } from '../../contracts/queues';
import type {
  BackfillSchedule,
  Schedule,
  UpdateSchedule,
  ScheduleDetails,
  ScheduleNote,
  ScheduleRequest,
  TriggerSchedule,
  Triggered,
} from '../../contracts/sessions/schedule';
import { planRequest } from '../../contracts/sessions/start-request';
import type { Store } from '../../store/store';
import { invalid } from '../connection/invalid';
import { ClientError } from '../port/port';
import type { IdempotencyOptions } from '../port/receipt';
import { notFound } from '../rows/session-row';
import { assertPairedBrowser } from '../sessions/paired-browser';
import type { StartRules } from '../sessions/valid-start';
import { tenantOf } from '../../contracts/sessions/workflow-facts';
import { updatedSchedule } from './updated-schedule';
import { memoOf, scheduleOptions, validRequest } from './new-schedule';
import { patchOnce } from './patch-schedule';
import { startReason, toDetails, toSchedule, tenantOfInput } from './read-schedule';
import { fromTemporal, NOT_CHANGED, NOT_CREATED, wrongTimes } from './schedule-errors';
import { OVERLAP_POLICIES } from './schedule-spec';

/** Which schedule; one of another tenant is `not-found` where a tenant is named. */
export interface ScheduleId {
  id: string;
  tenant?: string | undefined;
}

/**
 * Schedules of sessions, which are Temporal's own: those that were made by other means are listed too. Methods may throw
 * ClientError.
 */
export interface Schedules {
  /** Validates what it starts as a start is. `wrong-state` where another schedule has the id. */
  create(request: ScheduleRequest): Promise<ScheduleDetails>;
  /** By id; of one tenant, or of all. */
  list(tenant?: string): Promise<Schedule[]>;
  get(schedule: ScheduleId): Promise<ScheduleDetails>;
  /** What it does not name stays, also whether the schedule is paused. A session that is open goes on as it was. */
  update(schedule: ScheduleId, request: UpdateSchedule): Promise<ScheduleDetails>;
  pause(schedule: ScheduleId, note?: ScheduleNote): Promise<ScheduleDetails>;
  resume(schedule: ScheduleId, note?: ScheduleNote): Promise<ScheduleDetails>;
  /** Starts a session now, besides those that are due. */
  trigger(schedule: ScheduleId, request?: TriggerSchedule, options?: IdempotencyOptions): Promise<Triggered>;
  /** Starts what would have been due between two times. */
  backfill(schedule: ScheduleId, request: BackfillSchedule, options?: IdempotencyOptions): Promise<Triggered>;
  /** The sessions that it has started go on. */
  delete(schedule: ScheduleId): Promise<void>;
}

export function createSchedules({
  store,
  temporal,
  ...rules
}: StartRules & { store: Pick<Store, 'relay' | 'sessions'>; temporal: Client }): Schedules {
  const handleOf = (id: string) => temporal.schedule.getHandle(id);
  const describe = async ({ id, tenant }: ScheduleId): Promise<ScheduleDescription> => {
    const found = await fromTemporal(temporal, id, () => handleOf(id).describe());
    if (found.action.workflowType !== SESSION_WORKFLOW)
      throw notFound(`The schedule ${id} starts workflows of the type ${found.action.workflowType}, and no sessions.`);
    if (tenant !== undefined && tenantOfInput(found.action.args) !== tenant)
      throw notFound(`There is no schedule ${id} of the tenant ${tenant}.`);
    return found;
  };
  const get = async (schedule: ScheduleId): Promise<ScheduleDetails> => toDetails(store, await describe(schedule));
  /** What is changed has to be there, and of that tenant. */
  const change = async (schedule: ScheduleId, act: (handle: ReturnType<typeof handleOf>) => Promise<void>) => {
    await describe(schedule);
    await fromTemporal(temporal, schedule.id, () => act(handleOf(schedule.id)));
    return await get(schedule);
  };
  return {
    get,
    async create(request) {
      const { id } = request;
      const start = await validRequest(rules, planRequest(request.request), NOT_CREATED);
      await assertPairedBrowser(store, start.plan.config.agent, tenantOf(start.request));
      try {
        await fromTemporal(temporal, id, () => temporal.schedule.create(scheduleOptions(request, start)));
      } catch (error) {
        if (error instanceof TypeError) throw wrongTimes(error, NOT_CREATED);
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        // The answer to the same request may have been lost.
        const { memo } = await fromTemporal(temporal, id, () => handleOf(id).describe());
        if (memo?.['requestHash'] !== memoOf(request).requestHash) throw taken(id);
      }
      return await get({ id });
    },
    async list(tenant) {
      const found: Schedule[] = [];
      await fromTemporal(temporal, '', async () => {
        for await (const summary of temporal.schedule.list()) {
          if (summary.action?.workflowType !== SESSION_WORKFLOW) continue;
          const owner = summary.memo?.['tenant'] ?? (await ownerOf(summary.scheduleId));
          if (typeof owner === 'string' && (tenant === undefined || tenant === owner))
            found.push(toSchedule(summary, owner));
        }
      });
      return found.sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    pause: (schedule, { note = 'Paused.' } = {}) => change(schedule, (handle) => handle.pause(note)),
    resume: (schedule, { note = 'Resumed.' } = {}) => change(schedule, (handle) => handle.unpause(note)),
    async trigger(schedule, { overlap } = {}, { idempotencyKey } = {}) {
      const found = await describe(schedule);
      const policy = overlap === undefined ? found.policies.overlap : OVERLAP_POLICIES[overlap];
      await patchOnce(temporal, schedule.id, { trigger: policy }, idempotencyKey);
      return { triggered: true, ...startReason(found, overlap) };
    },
    async backfill(schedule, request, { idempotencyKey } = {}) {
      await describe(schedule);
      await patchOnce(temporal, schedule.id, { backfill: request }, idempotencyKey);
      return { triggered: true };
    },
    async update(schedule, asked) {
      const { action } = await describe(schedule);
      const start = asked.request && (await validRequest(rules, planRequest(asked.request), NOT_CHANGED));
      if (start !== undefined) {
        const [own, other] = [tenantOfInput(action.args), tenantOf(start.request)];
        if (own !== other)
          throw invalid(NOT_CHANGED, [{ path: 'request.tenant', message: `it is ${own}, got ${other}` }]);
        await assertPairedBrowser(store, start.plan.config.agent, own);
      }
      try {
        return await change(schedule, (handle) => handle.update((previous) => updatedSchedule(previous, asked, start)));
      } catch (error) {
        throw error instanceof TypeError ? wrongTimes(error, NOT_CHANGED) : error;
      }
    },
    async delete(schedule) {
      await describe(schedule);
      await fromTemporal(temporal, schedule.id, () => handleOf(schedule.id).delete());
    },
  };

  /** Of a schedule that was made by other means; undefined where it was deleted meanwhile. */
  async function ownerOf(id: string): Promise<string | undefined> {
    try {
      return tenantOfInput((await fromTemporal(temporal, id, () => handleOf(id).describe())).action.args);
    } catch (error) {
      if (error instanceof ClientError && error.kind === 'not-found') return undefined;
      throw error;
    }
  }
}

function taken(id: string): ClientError {
  return new ClientError(
    'wrong-state',
    'CM004',
    `There is another schedule ${id} already. Delete it first, or give this one another id.`,
  );
}
