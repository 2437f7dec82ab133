import { createHash } from 'node:crypto';
import type { AIResponse } from '../../../../contracts/models/ai-response';
import { StreamEventType } from '../../../../contracts/events/stream-event';
import type { NewRecord } from '../../../../contracts/events/log';
import type { DecisionResult } from '../../../../contracts/model-port/port';
import type { TurnKey } from '../../../../store/models/messages';
import type { TurnUsage } from '../../../../store/models/model-calls';
import type { ReplyRow } from '../../../../store/models/step-memory';

export function turnId({ sessionId, stepIndex, turn }: TurnKey): string {
  return `${sessionId}.${stepIndex}.${turn}`;
}

export function modelRecord(
  { stepIndex, turn }: TurnKey,
  record: Pick<NewRecord, 'eventId' | 'type' | 'data' | 'attempt' | 'facts'>,
): NewRecord {
  return { owner: 'ai-integration', at: new Date().toISOString(), stepIndex, turn, ...record };
}

/**
 * The record of a reply's reasoning. Its id is a hash of the reasoning: it is written while the reply is streamed, and
 * again with the whole reply, and the log keeps it once.
 */
export function reasoningRecord(position: TurnKey, reasoning: AIResponse['reasoning']): NewRecord {
  const { analysis, rationale, expectedOutcome, confidence, alternatives } = reasoning;
  const words = JSON.stringify([analysis, rationale, expectedOutcome, confidence, alternatives ?? null]);
  const hash = createHash('sha256').update(words).digest('hex').slice(0, 16);
  return modelRecord(position, {
    eventId: `${turnId(position)}/reasoning/${hash}`,
    type: StreamEventType.AI_REASONING,
    data: {
      reasoning: {
        thought: analysis,
        confidence,
        reasoningType: position.turn === 0 ? 'plan' : 'reflection',
        context: { rationale, expectedOutcome },
      },
    },
  });
}

/** The records of a stored reply. `billed` is what its turn has used: repairs, investigations and failed calls too. */
export function replyRecords(
  position: TurnKey,
  { reply, model }: ReplyRow,
  { usage, cost, billedCalls }: TurnUsage,
  {
    promptSizes,
    warnings = [],
  }: { promptSizes?: Record<string, number> | undefined; warnings?: DecisionResult['warnings'] } = {},
): NewRecord[] {
  const { decision, reasoning, commands } = reply;
  const id = turnId(position);
  return [
    reasoningRecord(position, reasoning),
    ...warnings.map(({ code, message }): NewRecord => ({
      ...modelRecord(position, {
        eventId: `${id}/${code}`,
        type: StreamEventType.WARNING_ISSUED,
        data: {
          warning: {
            id: `${id}/${code}`,
            code,
            message,
            timestamp: new Date(),
            sessionId: position.sessionId,
            stepIndex: position.stepIndex,
          },
        },
      }),
      owner: 'executor-streamer',
    })),
    modelRecord(position, {
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
        previousResponseId: position.turn === 0 ? '' : turnId({ ...position, turn: position.turn - 1 }),
        model,
        end: 'complete',
        usage,
        ...(cost === undefined ? {} : { cost }),
        billedCalls,
      },
    }),
  ];
}
