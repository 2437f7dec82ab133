import { agentFormat } from './agent';
import type { EventFormat } from './format';
import { executionFormat } from './execution';
import { stepsFormat } from './steps';
import { taskLoopFormat } from './task-loop';
import { toStreamEvent, type KnownActions } from './stream';
import type { StreamEvent } from '../stream-event';

/** S1's events, with the actions that the reader knows. */
export function createStreamFormat(known: KnownActions): EventFormat<null, StreamEvent> {
  return { start: null, isStateless: true, step: (_state, record) => [null, toStreamEvent(record, known)] };
}

/** The formats of a session's events, by the name that callers choose them by. */
export const FORMATS = {
  stream: createStreamFormat('all'),
  agent: agentFormat,
  execution: executionFormat,
  steps: stepsFormat,
  'task-loop': taskLoopFormat,
} as const;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as [FormatName, ...FormatName[]];

export type FrameOf<F extends FormatName> =
  (typeof FORMATS)[F] extends EventFormat<infer _State, infer Frame> ? Frame : never;
