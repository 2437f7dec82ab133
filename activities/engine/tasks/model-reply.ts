import { createHash } from 'node:crypto';
import type { ReplyMessage, TurnKey } from '../../../store/models/messages';
import type { ModelCallRecorder } from '../models/calls/model-call-recorder';
import type { TurnOptions, TurnResult } from '../../../contracts/model-port/port';
import { ProviderError } from '../models/providers/provider-error';
import { turnId } from '../models/replies/reply-records';
import { unwrapped } from '../tools/more-tools';
import { storable } from './storable';

/** The longest reply in characters: a model that writes more never ends, and its call is aborted. */
const LONGEST_REPLY = 1_000_000;

/** The reply as the store keeps it. Ids of its calls are made of their place, so that every attempt makes the same ones. */
export function toReply(
  turn: TurnKey,
  result: TurnResult,
  hasMoreTools = false,
): Omit<ReplyMessage, 'usage' | 'cost' | 'responseId' | 'previousResponseId'> {
  const { text, thoughts, functionCalls, stopReason, raw, usage, model, isGivenUp, evidence } = storable(result);
  const calls = functionCalls.map(({ id, name, args }, position) => ({
    callId: `call_${digest(`${turnId(turn)}.${position}`)}`,
    ...(id === undefined ? {} : { functionId: id }),
    ...(hasMoreTools ? unwrapped({ name, args }) : { name, args }),
  }));
  const size = calls.reduce((sum, { args }) => sum + args.length, text.length);
  if (size > LONGEST_REPLY) throw tooLong(model);
  const isCut = stopReason === 'max_tokens';
  const windowTokens = usage.inputTokens + usage.outputTokens;
  return {
    kind: 'reply',
    text,
    thoughts,
    calls,
    isCut,
    raw,
    model,
    windowTokens,
    ...(isGivenUp ? { isGivenUp } : {}),
    ...(evidence === undefined ? {} : { evidence }),
  };
}

export function responseIdOf(turn: TurnKey, id: string): string {
  return `resp_${digest(`${turnId(turn)}/${id}`)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

type Listening = Pick<TurnOptions, 'signal' | 'listener'>;

/** A recorder for summaries, which are not streamed. */
export function withoutDeltas(recorder: ModelCallRecorder): Listening {
  return { signal: recorder.signal, listener: { ...recorder, delta: () => {}, thought: () => {} } };
}

/** Aborts a call whose reply gets too long. */
export function limitReply(recorder: ModelCallRecorder, model: string): Listening {
  const limit = new AbortController();
  let received = 0;
  const counted = (receive: (text: string) => void) => (text: string) => {
    received += text.length;
    if (received > LONGEST_REPLY) limit.abort(tooLong(model));
    else receive(text);
  };
  return {
    signal: AbortSignal.any([recorder.signal, limit.signal]),
    listener: { ...recorder, delta: counted(recorder.delta), thought: counted((text) => recorder.thought?.(text)) },
  };
}

function tooLong(model: string): ProviderError {
  return new ProviderError('truncated', `${model} wrote more than ${LONGEST_REPLY} characters, so it was given up.`);
}
