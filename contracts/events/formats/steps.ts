import { z } from 'zod';
import {
  CANCELLED_ANSWER,
  COMPLETED_ANSWER,
  MAX_STEPS_ANSWER,
  StepUpdateSchema,
  type StepUpdate,
} from '../../tasks/agent-loop';
import { StreamEventType } from '../stream-event';
import type { LogRecord } from '../log';
import { callEndOf, callStartOf } from './calls';
import type { EventFormat } from './format';
import { runEndOf, type RunEnd, type TaskEndFacts } from './run-end';
import { nextText, NO_TEXT, type StreamedText } from './streamed-text';
import { nextTurns, NO_TURNS, type Turns } from './turns';

/** S0's two callbacks as frames: `step` has what onStep gets, `text` what onText gets. */
export const StepsFrameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step'), data: StepUpdateSchema }),
  /** `isRestart`: the text of the current reply is void, and this chunk has it from its beginning. */
  z.object({ type: z.literal('text'), data: z.object({ chunk: z.string(), isRestart: z.literal(true).optional() }) }),
]);
export type StepsFrame = z.infer<typeof StepsFrameSchema>;

export interface StepsState {
  turns: Turns;
  text: StreamedText;
  /** Number of the last turn with a thinking update. */
  thinking: number;
  task: TaskEndFacts | undefined;
}

/** The `steps` format (S0.3, X.M): exactly one `complete` or `error`, last (S0.A4). */
export const stepsFormat: EventFormat<StepsState, StepsFrame> = {
  start: { turns: NO_TURNS, text: NO_TEXT, thinking: 0, task: undefined },
  step(before, record) {
    const { facts, type } = record;
    const [text, fragment] = nextText(before.text, record);
    const state: StepsState = { ...before, turns: nextTurns(before.turns, record), text };
    const { count: step } = state.turns;
    if (facts?.kind === 'task-end') state.task = facts;
    if (type === StreamEventType.STEP_STARTED) state.task = undefined;

    if (fragment !== undefined) {
      const { content: chunk, ...more } = fragment;
      return [state, { type: 'text', data: { chunk, ...more } }];
    }
    const isThinking = facts?.kind === 'response.start' || type === StreamEventType.AI_REASONING;
    if (isThinking && state.thinking < step)
      return [{ ...state, thinking: step }, update({ step, status: 'thinking' })];
    return [state, toUpdate(record, state)];
  },
};

function toUpdate(record: LogRecord, { turns: { count: step }, task }: StepsState): StepsFrame | undefined {
  const start = callStartOf(record);
  if (start !== undefined) return update({ step, status: 'tool_use', toolName: start.toolName, toolInput: start.args });
  const end = callEndOf(record);
  if (end !== undefined) return update({ step, status: 'tool_result', toolName: end.toolName });
  const run = runEndOf(record, task);
  if (run === undefined) return undefined;
  return update({ step, status: run.kind === 'completed' ? 'complete' : 'error', text: answerOf(run, task) });
}

function update(data: StepUpdate): StepsFrame {
  return { type: 'step', data };
}

/** S0.A1, S0.A4, S0.A5. */
function answerOf(run: RunEnd, task: TaskEndFacts | undefined): string {
  if (run.kind === 'completed') return task?.answer || COMPLETED_ANSWER;
  if (run.kind === 'cancelled') return CANCELLED_ANSWER;
  if (run.kind === 'max_steps') return MAX_STEPS_ANSWER;
  return (task?.status === 'error' && task.answer) || (run.error?.message ?? 'The session failed.');
}
