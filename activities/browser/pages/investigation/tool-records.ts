import { StreamEventType } from '../../../../contracts/events/stream-event';
import type { InvestigationPhase, InvestigationTool, ToolFinding } from '../../../../contracts/steps/investigation';
import type { NewRecord } from '../../../../contracts/events/log';

interface ToolPlace {
  sessionId: string;
  stepIndex: number;
  turn: number;
  phase: InvestigationPhase;
  investigationId: string;
}

/**
 * The records of one tool in one phase. Their ids derive from the phase, so that a repeated attempt can't publish
 * them twice.
 */
export function toolRecords({ stepIndex, turn, phase, investigationId }: ToolPlace, tool: InvestigationTool) {
  const record = (kind: string, type: StreamEventType, data: NewRecord['data']): NewRecord => ({
    eventId: `${investigationId}/${phase}/${tool}/${kind}`,
    owner: 'task-loop',
    type,
    at: new Date().toISOString(),
    stepIndex,
    turn,
    data,
  });
  return {
    started: () =>
      record('started', StreamEventType.INVESTIGATION_TOOL_STARTED, {
        investigationTool: { tool, success: false, confidence: 0, duration: 0 },
      }),
    completed: ({ success, confidence, durationMs, elementsFound, summary, artifactId }: ToolFinding) =>
      record('completed', StreamEventType.INVESTIGATION_TOOL_COMPLETED, {
        investigationTool: { tool, success, confidence, duration: durationMs, elementsFound, summary },
        ...(artifactId === undefined ? {} : { details: { artifactId } }),
      }),
  };
}
