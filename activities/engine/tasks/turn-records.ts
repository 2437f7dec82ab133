import { AgentEventType } from '../../../contracts/agents/agent-event';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { NewRecord } from '../../../contracts/events/log';
import type { RecordFacts } from '../../../contracts/events/record-facts';
import type { ReplyMessage, TurnKey } from '../../../store/models/messages';
import type { SessionValues } from '../../secrets/session-values';
import { turnId } from '../models/replies/reply-records';
import { CHUNK } from './turn-stream';

type ReplyFacts = Extract<RecordFacts, { kind: 'reply' }>;
type Redact = Pick<SessionValues, 'redact'>;

/** The record of a turn's begin. `id` differs between attempts, so each has its own. */
export function startRecord(
  place: TurnKey,
  id: string,
  { responseId, model, isRestart }: { responseId: string; model: string; isRestart: boolean },
): NewRecord {
  return {
    ...record(place, `start/${id}`, AgentEventType.ResponseStart),
    facts: { kind: 'response.start', responseId, model, ...(isRestart ? { isRestart: true as const } : {}) },
  };
}

/**
 * The record of a call that failed for good. Its usage is counted with the reply of another model, or only in the bill.
 */
export function failedRecord(
  place: TurnKey,
  id: string,
  call: Pick<ReplyFacts, 'responseId' | 'previousResponseId' | 'model' | 'reason' | 'usedInVain'>,
): NewRecord {
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  return {
    ...record(place, `failed/${id}`, AgentEventType.ResponseFailed),
    facts: { kind: 'reply', ...call, end: 'failed', usage },
  };
}

/** The records of a saved reply; every attempt writes the same ones. */
export function turnReplyRecords(place: TurnKey, reply: ReplyMessage, { redact }: Redact): NewRecord[] {
  const { responseId, previousResponseId, calls, isCut, model, usage, cost, billedCalls, evidence } = reply;
  const [thoughts, text] = [redact(reply.thoughts), redact(reply.text)];
  const names = calls.map(({ name }) => name);
  return [
    ...(thoughts === '' ? [] : [thinkingRecord(place, thoughts)]),
    ...(text === ''
      ? []
      : [
          {
            ...record(place, 'text/0', AgentEventType.ResponseChunkTextDone),
            facts: { kind: 'text' as const, content: text, chunkIdx: CHUNK.text },
          },
        ]),
    ...calls.map(({ callId, functionId, name, args }, index) => ({
      ...record(place, `function-call/${index}`, AgentEventType.ResponseChunkFunctionCallDone),
      facts: {
        kind: 'function-call' as const,
        callId,
        ...(functionId === undefined ? {} : { functionId }),
        name,
        args: redact(args),
        chunkIdx: CHUNK.firstCall + index,
      },
    })),
    {
      ...record(place, 'reply/0', StreamEventType.AI_RESPONSE_RECEIVED),
      data: {
        message:
          text === '' ? (names.length === 0 ? 'The model has said nothing.' : `It calls ${names.join(', ')}.`) : text,
        details: {
          model,
          usage,
          calls: names,
          ...(isCut ? { isTruncated: true } : {}),
          ...(evidence === undefined ? {} : { evidence: redact(evidence) }),
        },
      },
      facts: {
        kind: 'reply',
        responseId,
        previousResponseId,
        model,
        end: isCut ? 'incomplete' : 'complete',
        ...(isCut ? { reason: 'max_tokens' } : {}),
        usage,
        ...(cost === undefined ? {} : { cost }),
        ...(billedCalls === undefined ? {} : { billedCalls }),
      },
    },
  ];
}

/** The models of this loop report no confidence. */
const UNTOLD_CONFIDENCE = 0.5;

function thinkingRecord(place: TurnKey, thought: string): NewRecord {
  return {
    ...record(place, 'thinking/0', StreamEventType.AI_REASONING),
    data: {
      reasoning: {
        thought,
        confidence: UNTOLD_CONFIDENCE,
        reasoningType: place.turn === 0 ? 'plan' : 'reflection',
      },
    },
    facts: { kind: 'thinking', content: thought, chunkIdx: CHUNK.thinking },
  };
}

function record(place: TurnKey, id: string, type: NewRecord['type']): NewRecord {
  return {
    eventId: `${turnId(place)}/${id}`,
    owner: 'ai-integration',
    type,
    at: new Date().toISOString(),
    stepIndex: place.stepIndex,
    turn: place.turn,
    data: {},
  };
}
