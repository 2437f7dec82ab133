import { StreamEventType } from '../../../contracts/events/stream-event';
import type { NewRecord } from '../../../contracts/events/log';
import type { ReplyMessage, TurnKey } from '../../../store/models/messages';
import { contextWindowOf } from '../models/calls/context-window';

/** S2.X: a share of the model's window at which a person is warned, once a session. */
const WARNING_SHARE = 0.9;

export function windowWarnings(
  { sessionId, stepIndex, turn }: TurnKey,
  { windowTokens, model }: Pick<ReplyMessage, 'windowTokens' | 'model'>,
): NewRecord[] {
  const limit = contextWindowOf(model);
  if (limit === undefined || windowTokens < limit * WARNING_SHARE) return [];
  const share = Math.round((windowTokens / limit) * 100);
  const message = `The conversation fills ${share} % of the window of ${model} (${windowTokens} of ${limit} tokens).`;
  const timestamp = new Date();
  // All turns use the same id, so that the log keeps one warning.
  const id = `${sessionId}/token-limit`;
  const details = { kind: 'agent.token_limit', tokens: windowTokens, tokenLimit: limit };
  return [
    {
      eventId: id,
      owner: 'executor-streamer',
      type: StreamEventType.WARNING_ISSUED,
      at: timestamp.toISOString(),
      stepIndex,
      turn,
      data: { warning: { id, code: 'AI005', message, details, timestamp, sessionId, stepIndex } },
    },
  ];
}
