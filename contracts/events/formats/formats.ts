import { agentFormat } from './agent';
import type { EventFormat } from './format';
import { executionFormat } from './execution';
import { stepsFormat } from './steps';
import { toStreamEvent } from './stream';
import type { StreamEvent } from '../stream-event';

const streamFormat: EventFormat<null, StreamEvent> = {
  start: null,
  step: (_state, record) => [null, toStreamEvent(record)],
};

/** The four formats of a session's events by the name that callers choose them by. */
export const FORMATS = {
  stream: streamFormat,
  agent: agentFormat,
  execution: executionFormat,
  steps: stepsFormat,
} as const;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as [FormatName, ...FormatName[]];

export type FrameOf<F extends FormatName> =
  (typeof FORMATS)[F] extends EventFormat<infer _State, infer Frame> ? Frame : never;
