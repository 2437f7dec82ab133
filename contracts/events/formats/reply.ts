import type { ChunkItem, LLMComplete, LLMResponse, LLMUsage } from '../../tasks/chat';
import { StreamEventType } from '../stream-event';
import type { LogRecord } from '../log';
import type { RecordFacts } from '../record-facts';
import type { ModelTokens } from '../../models/usage';

/** The complete parts of the current reply; the message at its end repeats them. */
export type Reply = readonly ChunkItem[];

export const NO_REPLY: Reply = [];

/** The parts after a record: the message at the end of a reply repeats every part before it. */
export function nextReply(reply: Reply, record: LogRecord): Reply {
  const { facts, data, type } = record;
  if (facts?.kind === 'response.start') return NO_REPLY;
  if (facts?.kind === 'reply')
    return isActReflect(record) ? [...reply, textDone(data.message ?? '', reply.length)] : reply;
  const part = doneOf(record);
  // An earlier attempt of ACT-REFLECT may have published thoughts: those of the last attempt count.
  if (part !== undefined) return type === AI_REASONING && facts === undefined ? [part] : [...reply, part];
  return reply;
}

const { AI_REASONING } = StreamEventType;

function isActReflect({ data }: LogRecord): boolean {
  return typeof data.details?.['decision'] === 'string';
}

/** The chat event of a record, if it has one. */
export function chatEventOf(reply: Reply, record: LogRecord): LLMResponse | undefined {
  const { type, facts } = record;
  if (facts?.kind === 'response.start') return { id: facts.responseId, type: 'response.start', model: facts.model };
  if (facts?.kind === 'reply') return toComplete(facts, reply);
  if (facts?.kind === 'text' && type === 'response.chunk.text.delta')
    return { type, chunk_idx: facts.chunkIdx, content: { type: 'text', text_delta: facts.content } };
  if (facts?.kind === 'thinking' && type === 'response.chunk.thinking.delta') {
    const { chunkIdx: chunk_idx, content: thinking } = facts;
    return { type, thinking, chunk_idx, content: { type: 'thinking', thinking_delta: thinking } };
  }
  return doneOf(record);
}

function doneOf({ type, facts, data }: LogRecord): ChunkItem | undefined {
  if (facts?.kind === 'text' && type === 'response.chunk.text.done') return textDone(facts.content, facts.chunkIdx);
  if (facts?.kind === 'thinking' && type === AI_REASONING) return thinkingDone(facts.content, facts.chunkIdx);
  if (facts?.kind === 'function-call') {
    const { functionId, callId: call_id, name, args } = facts;
    const functionCall = { ...(functionId === undefined ? {} : { id: functionId }), call_id, name, args };
    return { type: 'response.chunk.function_call.done', content: { type: 'function_call', functionCall } };
  }
  if (facts === undefined && type === AI_REASONING && data.reasoning !== undefined)
    return thinkingDone(data.reasoning.thought, 0);
  return undefined;
}

function textDone(text: string, chunk_idx: number): ChunkItem {
  return { type: 'response.chunk.text.done', chunk_idx, content: { type: 'text', text } };
}

function thinkingDone(thinking: string, chunk_idx: number): ChunkItem {
  return { type: 'response.chunk.thinking.done', thinking, chunk_idx, content: { type: 'thinking', thinking } };
}

function toComplete(facts: Extract<RecordFacts, { kind: 'reply' }>, reply: Reply): LLMComplete {
  const { responseId: response_id, previousResponseId: previous_response_id, model, end, reason, usage } = facts;
  const type = `response.${end}` as const;
  const base = { response_id, type, model, chunks: [...reply], usage: toUsage(usage), previous_response_id };
  if (end === 'incomplete') return { ...base, incomplete_details: { reason: reason ?? 'max_tokens' } };
  return end === 'failed' ? { ...base, error: { message: reason ?? 'The model could not be asked.' } } : base;
}

/** Providers bill thoughts as output, and not all of them count thoughts separately. */
function toUsage({ inputTokens, outputTokens, cachedTokens }: ModelTokens): LLMUsage {
  return {
    inputTokens,
    inputTokenDetails: { cachedTokens },
    outputTokens,
    outputTokenDetails: { reasoningTokens: 0 },
    totalTokens: inputTokens + outputTokens,
  };
}
