import { randomUUID } from 'node:crypto';
import { encodeScheduleOverlapPolicy, type Client, type ScheduleOverlapPolicy } from '@temporalio/client';
import { optionalDateToTs } from '@temporalio/common/lib/time';
import type { BackfillSchedule } from '../../contracts/sessions/schedule';
import { parseIdempotencyKey } from '../connection/idempotency-key';
import { fromTemporal } from './schedule-errors';
import { OVERLAP_POLICIES } from './schedule-spec';

type Patch = { trigger: ScheduleOverlapPolicy } | { backfill: BackfillSchedule };

/** Has a schedule start sessions. The server takes a request that is repeated under its key once. */
export async function patchOnce(
  temporal: Client,
  scheduleId: string,
  patch: Patch,
  idempotencyKey: string | undefined,
): Promise<void> {
  const { namespace, identity } = temporal.options;
  const requestId = idempotencyKey === undefined ? randomUUID() : parseIdempotencyKey(idempotencyKey);
  const [kind] = Object.keys(patch);
  await fromTemporal(temporal, scheduleId, () =>
    temporal.workflowService.patchSchedule({
      namespace,
      scheduleId,
      identity,
      requestId: `${kind}:${requestId}`,
      patch: toPatch(patch),
    }),
  );
}

function toPatch(patch: Patch) {
  if ('trigger' in patch)
    return { triggerImmediately: { overlapPolicy: encodeScheduleOverlapPolicy(patch.trigger) ?? null } };
  const { from, to, overlap = 'buffer-all' } = patch.backfill;
  return {
    backfillRequest: [
      {
        startTime: optionalDateToTs(new Date(from)) ?? null,
        endTime: optionalDateToTs(new Date(to)) ?? null,
        overlapPolicy: encodeScheduleOverlapPolicy(OVERLAP_POLICIES[overlap]) ?? null,
      },
    ],
  };
}
