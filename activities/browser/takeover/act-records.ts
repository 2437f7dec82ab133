import { CommandStatus } from '../../../contracts/commands/commands';
import type { StandardError } from '../../../contracts/errors/standard-error';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { NewRecord } from '../../../contracts/events/log';
import type { CommandIntent } from '../../../store/journal/intent';

/** The records of what a person does. Their ids derive from the command's, so that none comes twice. */
export function actRecords({
  commandId,
  stepIndex,
  action,
  parameters,
  target,
}: Omit<CommandIntent, 'effect' | 'pageUrl'>) {
  const element = target === undefined ? undefined : `${String(target['role'])} “${String(target['name'])}”`;
  const record = (kind: string, type: StreamEventType, status: CommandStatus, more: object = {}): NewRecord => ({
    eventId: `${commandId}/${kind}`,
    owner: 'task-loop',
    type,
    at: new Date().toISOString(),
    stepIndex,
    data: {
      command: { commandId, action, parameters, status },
      details: { by: 'person', ...(element === undefined ? {} : { element }) },
      ...more,
    },
  });
  return {
    started: () => record('started', StreamEventType.COMMAND_STARTED, CommandStatus.EXECUTING),
    completed: () => record('completed', StreamEventType.COMMAND_COMPLETED, CommandStatus.COMPLETED),
    failed: (error: StandardError) => record('failed', StreamEventType.COMMAND_FAILED, CommandStatus.FAILED, { error }),
  };
}

/** Says in the log that a person has the browser, or has it no more. */
export function takeoverRecord(
  sessionId: string,
  { takeoverId, by }: { takeoverId: string; by: string | null },
  kind: 'begun' | 'ended',
  message: string,
): NewRecord {
  return {
    eventId: `${sessionId}/takeover/${takeoverId}/${kind}`,
    owner: 'executor-streamer',
    type: StreamEventType.SESSION_STATUS,
    at: new Date().toISOString(),
    data: { message, details: { status: 'PAUSED', takeover: kind, ...(by === null ? {} : { by }) } },
  };
}
