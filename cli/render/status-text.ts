import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { toCommandText } from '../../contracts/commands/command-text';
import { asCalled } from '../terminal/as-called';
import type { CliContext } from './context';

/** What the session waits for, by the reason of its pause. */
const WAITS: Partial<Record<string, string>> = {
  'unknown-outcome': `waiting for an answer: ${asCalled('resolve-unknown')}`,
  'rolled-back-store': `the database had forgotten commands: ${asCalled('resume')} goes on`,
  secret: `waiting for an answer: ${asCalled('answer')}`,
  budget: `the budget is used up: ${asCalled('resolve-budget')} decides`,
};

/** Returns the text of the status line after a record; `before` where the record changes nothing. */
export function toStatus(before: string, context: CliContext, { type, data, stepIndex }: LogRecord): string {
  switch (type) {
    case StreamEventType.WORKFLOW_PAUSED:
      return WAITS[String(data.details?.['pausedFor'])] ?? `paused: ${asCalled('resume')} goes on`;
    case StreamEventType.SESSION_STATUS:
      if (data.details?.['pausedFor'] === 'approval') return `waiting for an approval: ${asCalled('approvals')}`;
      if (data.details?.['status'] === 'ACTIVE' && before.startsWith('waiting for an approval')) return 'working';
      if (data.details?.['waitingFor'] === 'page')
        return `waiting on the page, next look ${String(data.details['nextLookAt'])}`;
      return data.details?.['waitingFor'] === 'message' ? `waiting for the next task: ${asCalled('add-step')}` : before;
    case StreamEventType.WORKFLOW_STARTED:
    case StreamEventType.WORKFLOW_RESUMED:
      return 'working';
    case StreamEventType.COMMAND_STARTED:
      return data.command === undefined ? before : `${progressText(context, stepIndex)} ${toCommandText(data.command)}`;
    case StreamEventType.STEP_STARTED:
    case StreamEventType.COMMAND_COMPLETED:
    case StreamEventType.COMMAND_FAILED:
      return `${progressText(context, stepIndex)} thinking`;
    default:
      return before;
  }
}

const BAR = 20;

/** Renders `████░░░░░░ 3/7`: the bar shows finished steps, the number the running step. */
function progressText({ totalSteps }: CliContext, stepIndex = 0): string {
  const total = Math.max(totalSteps, stepIndex + 1);
  const filled = Math.round((stepIndex / total) * BAR);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${stepIndex + 1}/${total}`;
}
