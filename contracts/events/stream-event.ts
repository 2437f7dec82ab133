import { z } from 'zod';
import { enumOf } from '../enum-of';
import { EVENTS } from './event-definitions';

type Definitions = typeof EVENTS;

/** S1.29: everything a stream client can receive. Each value is its name. */
export const StreamEventType = Object.fromEntries(Object.keys(EVENTS).map((name) => [name, name])) as {
  readonly [Name in keyof Definitions]: Name;
};
export type StreamEventType = keyof Definitions;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Payloads = Intersection<Definitions[StreamEventType]['payload']>;

const payloads: object[] = Object.values(EVENTS).map(({ payload }) => payload);
const members = Object.fromEntries(
  payloads
    .flatMap((payload) => Object.entries(payload))
    .map(([name, schema]) => [name, (schema as z.ZodType).optional()]),
) as { [Member in keyof Payloads]: z.ZodOptional<Payloads[Member]> };

/** S1.31: the member that is set fits the event type (S1.R13); a `*_FAILED` event has its family's member and `error` (S1.A6). */
export const StreamEventDataSchema = z.object({
  ...members,
  message: z.string().optional(),
  details: z.record(z.string(), z.any()).optional(),
});
export type StreamEventData = z.infer<typeof StreamEventDataSchema>;

/** S1.30: envelope of every streamed event. */
export const StreamEventSchema = z.object({
  id: z.string(),
  type: enumOf<StreamEventType>(StreamEventType),
  timestamp: z.coerce.date(),
  sessionId: z.string(),
  stepIndex: z.number().optional(),
  data: StreamEventDataSchema,
  metadata: z.record(z.string(), z.any()).optional(),
});
export type StreamEvent = z.infer<typeof StreamEventSchema>;
