import type { EventSourceMessage } from 'eventsource-parser';
import { z } from 'zod';
import { AgentFrameSchema } from '../../contracts/events/formats/agent';
import { ExecutionFrameSchema } from '../../contracts/events/formats/execution';
import type { FormatName, FrameOf } from '../../contracts/events/formats/formats';
import { StepsFrameSchema } from '../../contracts/events/formats/steps';
import { TaskLoopEventSchema } from '../../contracts/events/task-loop';
import { StreamEventSchema } from '../../contracts/events/stream-event';

const TypedFrameSchema = z.looseObject({ type: z.string(), data: z.record(z.string(), z.unknown()) });

type Message = Pick<EventSourceMessage, 'event' | 'data'>;

/** Parses a frame of a stream; undefined for a type that this version does not know. */
export function parseFrame<F extends FormatName>(format: F, { event, data }: Message): FrameOf<F> | undefined {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return undefined;
  }
  return PARSERS[format](json, event) as FrameOf<F> | undefined;
}

const PARSERS: { [F in FormatName]: (json: unknown, event: string | undefined) => FrameOf<F> | undefined } = {
  stream: (json, event) => (event === undefined ? StreamEventSchema.safeParse(json).data : undefined),
  agent: (json, event) =>
    event === undefined ? (AgentFrameSchema.safeParse(json).data as FrameOf<'agent'> | undefined) : undefined,
  execution: (json, event) => parseKnown(ExecutionFrameSchema, toTypedFrame(json, event)),
  steps: (json, event = 'step') => parseKnown(StepsFrameSchema, toTypedFrame(json, event)),
  'task-loop': (json, event) => (event === undefined ? TaskLoopEventSchema.safeParse(json).data : undefined),
};

/** The name of the event is the type of the frame; some servers send the whole frame as data (S3.A1). */
function toTypedFrame(json: unknown, event: string | undefined): unknown {
  const whole = TypedFrameSchema.safeParse(json);
  return whole.success ? whole.data : { type: event, data: json };
}

/** Validates a frame and keeps unknown members, which a newer server may add. */
function parseKnown<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  return schema.safeParse(value).success ? (value as T) : undefined;
}
