import { createHash } from 'node:crypto';
import type { AIResponse } from '../../../contracts/models/ai-response';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { NewRecord } from '../../../contracts/events/log';
import type { ReplyRow } from '../../../store/models/step-memory';

/** Which call of which step a record is about. */
export interface TurnPosition {
  sessionId: string;
  stepIndex: number;
  turn: number;
}

export function turnId({ sessionId, stepIndex, turn }: TurnPosition): string {
  return `${sessionId}.${stepIndex}.${turn}`;
}

export function modelRecord(
  { stepIndex, turn }: TurnPosition,
  record: Pick<NewRecord, 'eventId' | 'type' | 'data' | 'attempt' | 'facts'>,
): NewRecord {
  return { owner: 'ai-integration', at: new Date().toISOString(), stepIndex, turn, ...record };
}

/**
 * The thoughts of a reply. Its id is made of its words: told early, while the rest is still being written, and told
 * again with the whole reply, it stands in the log once.
 */
export function reasoningRecord(place: TurnPosition, reasoning: AIResponse['reasoning']): NewRecord {
  const { analysis, rationale, expectedOutcome, confidence, alternatives } = reasoning;
  const words = JSON.stringify([analysis, rationale, expectedOutcome, confidence, alternatives ?? null]);
  const hash = createHash('sha256').update(words).digest('hex').slice(0, 16);
  return modelRecord(place, {
    eventId: `${turnId(place)}/reasoning/${hash}`,
    type: StreamEventType.AI_REASONING,
    data: {
      reasoning: {
        thought: analysis,
        confidence,
        reasoningType: place.turn === 0 ? 'plan' : 'reflection',
        context: { rationale, expectedOutcome },
      },
    },
  });
}

/** What a reply came to, once it is kept. */
export function replyRecords(
  place: TurnPosition,
  { reply, model, usage }: ReplyRow,
  more: {
    promptSizes?: Record<string, number> | undefined;
    warnings?: string[] | undefined;
    /** US dollars, where the price of the model is known. */
    cost?: string | undefined;
  } = {},
): NewRecord[] {
  const { decision, reasoning, commands } = reply;
  const { promptSizes, warnings = [], cost } = more;
  const id = turnId(place);
  return [
    reasoningRecord(place, reasoning),
    ...warnings.map((message): NewRecord => ({
      ...modelRecord(place, {
        eventId: `${id}/lenient`,
        type: StreamEventType.WARNING_ISSUED,
        data: {
          warning: {
            id: `${id}/lenient`,
            code: 'TL003',
            message,
            timestamp: new Date(),
            sessionId: place.sessionId,
            stepIndex: place.stepIndex,
          },
        },
      }),
      owner: 'executor-streamer',
    })),
    modelRecord(place, {
      eventId: `${id}/response`,
      type: StreamEventType.AI_RESPONSE_RECEIVED,
      data: {
        message: decision.message,
        details: {
          decision: decision.action,
          model,
          usage,
          ...(promptSizes === undefined ? {} : { promptSizes }),
          commands: commands.map((command) => command.action),
        },
      },
      facts: {
        kind: 'reply',
        responseId: id,
        previousResponseId: place.turn === 0 ? '' : turnId({ ...place, turn: place.turn - 1 }),
        model,
        end: 'complete',
        usage,
        ...(cost === undefined ? {} : { cost }),
      },
    }),
  ];
}
