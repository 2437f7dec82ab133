import { agentDialect } from './agent';
import type { Dialect } from './dialect';
import { executionDialect } from './execution';
import { stepsDialect } from './steps';
import { toStreamEvent } from './stream';
import type { StreamEvent } from '../events';

const streamDialect: Dialect<null, StreamEvent> = {
  start: null,
  step: (_state, record) => [null, toStreamEvent(record)],
};

/** The four formats of a session's events by the name that callers choose them by. */
export const DIALECTS = {
  stream: streamDialect,
  agent: agentDialect,
  execution: executionDialect,
  steps: stepsDialect,
} as const;

export type Format = keyof typeof DIALECTS;
export const FORMATS = Object.keys(DIALECTS) as [Format, ...Format[]];

export type FrameOf<F extends Format> = (typeof DIALECTS)[F] extends Dialect<infer _State, infer Frame> ? Frame : never;
