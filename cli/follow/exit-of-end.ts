import { isTerminal, type LogRecord } from '../../contracts/events/log';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import { EXIT, type ExitCode } from '../context/exit';

/** How following a session ends; a session that was cancelled has failed. */
export type FollowEnd = 'completed' | 'failed' | 'timeout' | 'interrupted';

export const EXIT_OF_END: Record<FollowEnd, ExitCode> = {
  completed: EXIT.done,
  failed: EXIT.sessionFailed,
  timeout: EXIT.timeout,
  interrupted: EXIT.interrupted,
};

/** Undefined for a record after which the log goes on. */
export function endOf({ type }: LogRecord): FollowEnd | undefined {
  if (!isTerminal(type)) return undefined;
  return type === StreamEventType.WORKFLOW_COMPLETED ? 'completed' : 'failed';
}

export function endWithStatus(status: SessionStatus): FollowEnd {
  return status === SessionStatus.COMPLETED ? 'completed' : 'failed';
}
