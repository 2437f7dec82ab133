import type { NewRecord } from '../../contracts/events/log';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { OutcomeProblem } from '../../rules/planning/outcome-problems';

/** The records of what speaks against a step that is done, and only is to be noted. */
export function outcomeWarnings(
  { sessionId, stepIndex, turn }: { sessionId: string; stepIndex: number; turn: number },
  problems: readonly OutcomeProblem[],
): NewRecord[] {
  return problems.map(({ kind, message }) => {
    const id = `${sessionId}/outcome/${stepIndex}/${turn}/${kind}`;
    const warning = { id, code: 'TL004', message, timestamp: new Date(), sessionId, stepIndex };
    return {
      eventId: id,
      owner: 'executor-streamer',
      type: StreamEventType.WARNING_ISSUED,
      at: warning.timestamp.toISOString(),
      stepIndex,
      turn,
      data: { warning },
    };
  });
}
