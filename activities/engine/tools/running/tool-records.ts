import { AgentEventType } from '../../../../contracts/agents/agent-event';
import { turnResultText } from '../../../../contracts/tasks/agent-loop';
import { toCancellation } from '../../../../contracts/errors/cancellation';
import { CommandStatus } from '../../../../contracts/commands/commands';
import { StreamEventType } from '../../../../contracts/events/stream-event';
import type { NewRecord } from '../../../../contracts/events/log';
import type { RecordFacts } from '../../../../contracts/events/record-facts';
import type { ToolCallOutcome, ToolCallRow } from '../../../../store/journal/tool-calls';
import { EngineError, toStandardError } from '../../../activity/failures';
import type { TurnKey } from '../../../../store/models/messages';
import { summaryOf } from '../../../recorded/result-text';

/** Events of a call that runs no command: S1 has no member for it, so its events carry a message. */
export function toolRunRecords(
  { sessionId, stepIndex, turn }: TurnKey,
  { callId, name }: ToolCallRow,
  args: Record<string, unknown>,
) {
  const record = (kind: string, type: NewRecord['type'], data: NewRecord['data'], facts: RecordFacts): NewRecord => ({
    eventId: `${callId}/${kind}`,
    owner: 'task-loop',
    type,
    at: new Date().toISOString(),
    stepIndex,
    turn,
    data,
    facts,
  });
  const data = (status: CommandStatus, more: string): NewRecord['data'] => ({
    message: `${name}${more}`,
    details: { callId, toolName: name, status },
  });
  return {
    started: (): NewRecord =>
      record('started', StreamEventType.COMMAND_STARTED, data(CommandStatus.EXECUTING, ''), {
        kind: 'call',
        callId,
        toolName: name,
        args,
      }),
    /** It never began. */
    unrun: (text: string): NewRecord =>
      record(
        'unrun',
        AgentEventType.ToolExecutionDone,
        {},
        {
          kind: 'result',
          callId,
          toolName: name,
          summary: summaryOf(text),
          text: turnResultText(text, false),
          error: summaryOf(text),
          isUnrun: true,
        },
      ),
    output: (id: string, text: string): NewRecord =>
      record(`output/${id}`, AgentEventType.ToolExecutionStart, {}, { kind: 'output', callId, toolName: name, text }),
    ended({ isError, text, summary, durationMs, code = 'TL004', artifactId, isCancelled }: ToolCallOutcome): NewRecord {
      const facts: RecordFacts = {
        kind: 'result',
        callId,
        toolName: name,
        summary,
        text: turnResultText(text, artifactId !== undefined),
        ...(isError ? { error: text.replace(/^Error: /, '').slice(0, 2000) } : {}),
        durationMs,
        ...(artifactId === undefined ? {} : { hasScreenshot: true as const }),
      };
      if (!isError)
        return record(
          'completed',
          StreamEventType.COMMAND_COMPLETED,
          data(CommandStatus.COMPLETED, `: ${summary}`),
          facts,
        );
      const place = { sessionId, stepIndex, commandId: callId, moduleId: 'executor' };
      const failed = toStandardError(new EngineError(code, summary), code, place);
      const error = isCancelled === true ? toCancellation(failed) : failed;
      return record(
        'failed',
        StreamEventType.COMMAND_FAILED,
        { ...data(CommandStatus.FAILED, `: ${summary}`), error },
        facts,
      );
    },
  };
}
