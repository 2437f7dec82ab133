import { AgentEventType } from '../../contracts/agents/agent-event';
import { turnResultText } from '../../contracts/tasks/agent-loop';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import type { RecordFacts } from '../../contracts/events/record-facts';
import type { RunningSession } from '../state/session-state';
import type { TaskProgress } from '../turns/task-progress';

const SUMMARY_LIMIT = 200;

/** The records of calls that only the workflow can write: that a call never ran, and how one in another process ended. */
export class CallRecords {
  constructor(
    private readonly session: RunningSession,
    private readonly progress: Pick<TaskProgress, 'stepIndex' | 'turn'>,
  ) {}

  /** A call of an unknown tool, or with invalid arguments, begins and fails at once. */
  refused(call: PlannedCall, message: string): void {
    const { callId, name: toolName, args } = call;
    this.write(AgentEventType.ToolExecutionStart, { kind: 'call', callId, toolName, args });
    const summary = firstLine(message);
    const text = turnResultText(`Error: ${message}`, false);
    const facts = { kind: 'result', callId, toolName, summary, text, error: summary } as const;
    this.write(AgentEventType.ToolExecutionDone, facts);
  }

  unrun({ callId, name: toolName }: PlannedCall, summary: string, text: string): void {
    this.write(AgentEventType.ToolExecutionDone, {
      kind: 'result',
      callId,
      toolName,
      summary: firstLine(summary),
      text: turnResultText(text, false),
      error: firstLine(summary),
      isUnrun: true,
    });
  }

  /** A remote call that was cancelled while it ran. */
  remoteCancelled({ callId, name: toolName }: PlannedCall, summary: string, text: string): void {
    const { session, progress } = this;
    const details = { callId, toolName, status: 'failed' };
    const error = session.error('EX001', summary, { stepIndex: progress.stepIndex });
    const data = { message: `${toolName} has failed: ${summary}`, details, error };
    session.outbox.record('task-loop', StreamEventType.COMMAND_FAILED, data, progress.stepIndex, {
      turn: progress.turn,
      facts: { kind: 'result', callId, toolName, summary, text: turnResultText(text, false), error: summary },
    });
  }

  turnCompleted(hasToolCalls: boolean, tokens: number): void {
    this.write(AgentEventType.TurnComplete, { kind: 'turn', hasToolCalls, tokens });
  }

  private write(type: AgentEventType, facts: RecordFacts): void {
    const { session, progress } = this;
    session.outbox.record('task-loop', type, {}, progress.stepIndex, { turn: progress.turn, facts });
  }
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, SUMMARY_LIMIT);
}
