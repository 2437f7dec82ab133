import { z } from 'zod';
import { enumOf } from '../enum-of';
import { StreamEventType } from './stream-event';
import { isStreamType, type NewRecord } from './log';

/** Which events of a stream a reader wants: each member that is set must match. `since` and `until` are ISO-8601, inclusive. */
export const StreamFilterSchema = z.strictObject({
  types: z.array(enumOf<StreamEventType>(StreamEventType)).min(1).optional(),
  stepIndex: z.int().min(0).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});
export type StreamFilter = z.infer<typeof StreamFilterSchema>;

export function passes(
  { types, stepIndex, since, until }: StreamFilter,
  record: Pick<NewRecord, 'type' | 'stepIndex' | 'at'>,
): boolean {
  if (!isStreamType(record.type)) return false;
  if (types !== undefined && !types.includes(record.type)) return false;
  if (stepIndex !== undefined && record.stepIndex !== stepIndex) return false;
  const at = Date.parse(record.at);
  return (since === undefined || at >= Date.parse(since)) && (until === undefined || at <= Date.parse(until));
}

/** True when every event passes: such readers share one encoding. */
export function isOpenFilter(filter: StreamFilter): boolean {
  return Object.values(filter).every((member) => member === undefined);
}
