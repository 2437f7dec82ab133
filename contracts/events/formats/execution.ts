import { z } from 'zod';
import { StreamEventType } from '../stream-event';
import { ExecutionEventSchema, type ExecutionEvent } from '../execution-event';
import type { LogRecord } from '../log';
import { addDecimals, creditsOf } from '../../models/usage';
import { callEndOf, callStartOf } from './calls';
import type { EventFormat } from './format';
import { originOf } from '../../errors/standard-error';
import { errorTypeOf, runEndOf, type RunEnd, type TaskEndFacts } from './run-end';
import { fallbackOf } from './model-fallback';
import { nextText, NO_TEXT, type StreamedText, type TextFragment } from './streamed-text';
import { nextTurns, NO_TURNS, withoutEndedTurn, type Turns } from './turns';

/**
 * S3 with our additions, which its readers ignore: `call_id` (S3.A3), `voids_from` of a fragment, which voids those from
 * that index up to itself, and a type for a change of the model.
 */
const ModelFallbackSchema = z.object({
  type: z.literal('model_fallback'),
  data: z.object({ from: z.string(), to: z.string(), reason: z.string() }),
});
export const ExecutionFrameSchema = z.discriminatedUnion('type', [
  ...ExecutionEventSchema.options,
  ModelFallbackSchema,
]);
export type ExecutionFrame = z.infer<typeof ExecutionFrameSchema>;

export interface ExecutionState {
  turns: Turns;
  text: StreamedText;
  /** Of the next fragment (S3.A4). */
  index: number;
  /** Of the first fragment of the reply that is being written. */
  replyIndex: number;
  /** Sum over the iterations, for total_tokens (S3.A5). */
  tokens: number;
  /** US dollars of every reply. */
  cost: string;
  task: TaskEndFacts | undefined;
}

/** The `execution` format (S3, X.M). */
export const executionFormat: EventFormat<ExecutionState, ExecutionFrame> = {
  start: {
    turns: NO_TURNS,
    text: NO_TEXT,
    index: 0,
    replyIndex: 0,
    tokens: 0,
    cost: '0',
    task: undefined,
  },
  step(before, record) {
    const { facts } = record;
    const [text, fragment] = nextText(before.text, record);
    const state: ExecutionState = { ...before, turns: nextTurns(before.turns, record), text };
    if (facts?.kind === 'task-end') state.task = facts;
    if (record.type === StreamEventType.STEP_STARTED) state.task = undefined;
    if (facts?.kind === 'reply' && facts.cost !== undefined) state.cost = addDecimals([state.cost, facts.cost]);
    if (facts?.kind === 'response.start' && facts.isRestart !== true) state.replyIndex = state.index;
    if (fragment !== undefined) return tokenDelta(state, fragment);
    const fallback = fallbackOf(record);
    if (fallback !== undefined) return [state, { type: 'model_fallback', data: fallback }];
    if (facts?.kind === 'turn') return iterationComplete(state, state.turns.count, facts.tokens);
    const end = runEndOf(record, state.task);
    if (end !== undefined) return [state, toEnd(end, state)];
    const frame = toCallFrame(record);
    if (frame !== undefined) return [state, frame];
    const { ended: over } = state.turns;
    if (over === undefined) return [state, undefined];
    return iterationComplete({ ...state, turns: withoutEndedTurn(state.turns) }, over.number, over.tokens);
  },
};

function tokenDelta(state: ExecutionState, { content, isRestart }: TextFragment): [ExecutionState, ExecutionFrame] {
  const { index, replyIndex } = state;
  const data = { content, index };
  if (isRestart !== true)
    return [
      { ...state, index: index + 1 },
      { type: 'token_delta', data },
    ];
  const restarted = { ...state, index: index + 1, replyIndex: index };
  return [restarted, withMore('token_delta', data, { voids_from: replyIndex })];
}

function iterationComplete(state: ExecutionState, iteration: number, tokens: number): [ExecutionState, ExecutionFrame] {
  return [
    { ...state, tokens: state.tokens + tokens },
    { type: 'iteration_complete', data: { iteration, tokens } },
  ];
}

function toCallFrame(record: LogRecord): ExecutionFrame | undefined {
  const { facts } = record;
  if (facts?.kind === 'approval') {
    const { callId: call_id, toolName: tool_name, args, classification } = facts;
    return withMore(
      'approval_required',
      { tool_name, arguments: args, classification },
      { call_id, approval_id: facts.approvalId },
    );
  }
  const start = callStartOf(record);
  if (start !== undefined)
    return withMore('tool_call', { name: start.toolName, arguments: start.args }, { call_id: start.callId });
  const end = callEndOf(record);
  if (end === undefined) return undefined;
  return withMore('tool_result', { name: end.toolName, summary: end.summary }, { call_id: end.callId });
}

/** Adds members that the contract allows and does not name. */
function withMore<T extends ExecutionEvent['type']>(
  type: T,
  data: Extract<ExecutionEvent, { type: T }>['data'],
  more: Record<string, string | number>,
): ExecutionFrame {
  return { type, data: { ...data, ...more } } as ExecutionFrame;
}

function toEnd(end: RunEnd, { tokens, cost, task }: ExecutionState): ExecutionFrame {
  if (end.kind === 'completed')
    return { type: 'done', data: { status: 'completed', total_tokens: tokens, total_credits: creditsOf(cost) } };
  if (end.kind === 'cancelled')
    return { type: 'error', data: { error_type: 'cancelled', message: 'The session was cancelled.' } };
  const { error } = end;
  const message =
    error === undefined ? (task?.answer ?? 'The session failed.') : `${error.message} (${originOf(error).code})`;
  return { type: 'error', data: { error_type: end.kind === 'max_steps' ? 'max_steps' : errorTypeOf(error), message } };
}
