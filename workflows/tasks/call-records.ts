import { AgentEventType } from '../../contracts/events/agent-event';
import { turnResultText } from '../../contracts/tasks/agent-loop';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import type { RecordFacts } from '../../contracts/events/record-facts';
import type { SessionRun } from '../sessions/session-run';
import type { TaskProgress } from './task-progress';

const SUMMARY_LIMIT = 200;

/** What of a call only the workflow can tell: that it never ran, and that one was begun in another process. */
export class CallRecords {
  constructor(
    private readonly run: SessionRun,
    private readonly progress: TaskProgress,
  ) {}

  /** Unknown tools and bad arguments: begun and failed at once. */
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

  /** One that ran in another process when it was cancelled. */
  endedElsewhere({ callId, name: toolName }: PlannedCall, summary: string, text: string): void {
    const { run, progress } = this;
    const details = { callId, toolName, status: 'failed' };
    const error = run.error('EX001', summary, { stepIndex: progress.stepIndex, moduleId: 'task-loop' });
    const data = { message: `${toolName} has failed: ${summary}`, details, error };
    run.outbox.record('task-loop', StreamEventType.COMMAND_FAILED, data, progress.stepIndex, {
      turn: progress.turn,
      facts: { kind: 'result', callId, toolName, summary, text: turnResultText(text, false), error: summary },
    });
  }

  turnOver(hasToolCalls: boolean, tokens: number): void {
    this.write(AgentEventType.TurnComplete, { kind: 'turn', hasToolCalls, tokens });
  }

  private write(type: AgentEventType, facts: RecordFacts): void {
    const { run, progress } = this;
    run.outbox.record('task-loop', type, {}, progress.stepIndex, { turn: progress.turn, facts });
  }
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, SUMMARY_LIMIT);
}
