import type { AgentEventType } from '../../contracts/events/agent-event';
import { CommandStatus } from '../../contracts/commands/commands';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType, type StreamEventData } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { StepStatus } from '../../contracts/steps/step-result';
import { toCommandText } from '../command-text';
import { toDuration } from '../terminal/duration';
import type { CliContext } from './context';
import { shorten, type Tone } from '../terminal/terminal';

/** A line in pieces, each with its tone; joined they are the line as a file or a pipe gets it. */
export type Line = readonly { text: string; tone: Tone }[];

export interface RenderOptions {
  /** Also what the engine thinks, looks at and keeps. */
  isDetailed: boolean;
}

const MARK = { good: '✓', bad: '✗', warning: '!', quiet: '·', plain: '▶', strong: '▶' } as const satisfies Record<
  Tone,
  string
>;
const LONGEST_THOUGHT = 300;

/** A record of the log as lines for people; most kinds give one, some only in detail. Pure. */
export function toLines(
  context: CliContext,
  record: LogRecord,
  options: RenderOptions = { isDetailed: false },
): Line[] {
  const { data, stepIndex } = record;
  const place = stepIndex === undefined ? '' : `[${stepIndex + 1}/${Math.max(context.totalSteps, stepIndex + 1)}] `;
  const line = (tone: Tone, text: string, aside = ''): Line[] => [toLine(place, tone, text, aside)];
  const inDetail = (text: string): Line[] => (options.isDetailed ? line('quiet', text) : []);

  switch (record.type) {
    case StreamEventType.WORKFLOW_STARTED:
      return line('plain', data.message ?? 'Session started.', record.sessionId);
    case StreamEventType.WORKFLOW_PAUSED:
      return line('warning', data.message ?? 'Paused.');
    case StreamEventType.WORKFLOW_RESUMED:
      return line('plain', data.message ?? 'Resumed.');
    case StreamEventType.WORKFLOW_COMPLETED:
      return line(
        'good',
        `Session completed: ${data.message ?? 'all steps are done.'}`,
        since(context.startedAt, record.at),
      );
    case StreamEventType.WORKFLOW_FAILED:
      return failedSession(context, data, since(context.startedAt, record.at));
    case StreamEventType.STEP_STARTED:
      return line('plain', data.step?.stepContent ?? 'step started');
    case StreamEventType.STEP_COMPLETED:
      return [...answerOf(record, line), ...line('good', 'step done', since(context.stepStartedAt, record.at))];
    case StreamEventType.STEP_FAILED:
      return line('bad', stepFailure(data), since(context.stepStartedAt, record.at));
    case StreamEventType.COMMAND_COMPLETED:
    case StreamEventType.COMMAND_FAILED:
      return line(...commandOutcome(data));
    case StreamEventType.COMMAND_STARTED:
      return data.command === undefined ? [] : inDetail(`${toCommandText(data.command)} ...`);
    case StreamEventType.VARIABLE_UPDATED:
      return data.variable === undefined ? [] : line('good', `${data.variable.name} = ${data.variable.value}`);
    case StreamEventType.WARNING_ISSUED:
      return line('warning', data.warning?.message ?? data.message ?? 'warning');
    case StreamEventType.ERROR_OCCURRED:
      // That of a step is told by its STEP_FAILED, which follows at once.
      return stepIndex === undefined && data.error !== undefined
        ? line('bad', errorText(data.error))
        : inDetail('an error occurred');
    case StreamEventType.AI_REASONING:
      // The rules model only repeats the step; the thoughts of the others are what people want to follow.
      return context.model === 'rules' || data.reasoning === undefined
        ? inDetail(thoughtText(data))
        : line('quiet', thoughtText(data), `confidence ${data.reasoning.confidence}`);
    case StreamEventType.PAGE_NAVIGATED:
      return inDetail(`page ${data.page?.url ?? ''} ${data.page?.title ?? ''}`.trimEnd());
    case StreamEventType.SCREENSHOT_CAPTURED:
      return inDetail(`screenshot ${data.screenshot?.filePath ?? data.screenshot?.id ?? ''}`);
    case StreamEventType.ELEMENT_DISCOVERED:
      return inDetail(`found ${data.elementDiscovery?.selector ?? 'an element'}`);
    case StreamEventType.INVESTIGATION_STARTED:
      return line('quiet', 'looking closer at the page');
    case StreamEventType.INVESTIGATION_FAILED:
      return line('warning', `the closer look failed${data.error === undefined ? '' : `: ${data.error.message}`}`);
    case StreamEventType.SESSION_STATUS:
      if (data.details?.['pausedFor'] === 'approval') return line('warning', data.message ?? 'waiting for an approval');
      // That it waits for a browser, and that it has one; other changes have events of their own.
      return data.details?.['waitingFor'] === undefined && data.details?.['waitedMs'] === undefined
        ? inDetail(`session status: ${data.message ?? ''}`)
        : line('plain', data.message ?? '');
    case StreamEventType.AI_RESPONSE_RECEIVED:
    case StreamEventType.WORKFLOW_PROGRESS:
    case StreamEventType.WORKING_MEMORY_UPDATED:
    case StreamEventType.INVESTIGATION_PHASE_STARTED:
    case StreamEventType.INVESTIGATION_PHASE_COMPLETED:
    case StreamEventType.INVESTIGATION_TOOL_STARTED:
    case StreamEventType.INVESTIGATION_TOOL_COMPLETED:
    case StreamEventType.INVESTIGATION_COMPLETED:
      // Words of a reply that is still being written are for pages that can draw them.
      if (data.details?.['callId'] !== undefined) return [];
      return inDetail(
        `${record.type.toLowerCase().replaceAll('_', ' ')}${data.message === undefined ? '' : `: ${data.message}`}`,
      );
    default:
      return unknownType(record.type);
  }
}

/** What a task came to, in its own words. */
function answerOf({ facts }: LogRecord, told: (tone: Tone, text: string) => Line[]): Line[] {
  return facts?.kind === 'task-end' && facts.answer !== '' ? told('strong', facts.answer) : [];
}

/** A newer engine may publish what this program does not know yet: it is left out, never a crash. */
function unknownType(_type: AgentEventType): Line[] {
  return [];
}

export function toLine(place: string, tone: Tone, text: string, aside = ''): Line {
  return [
    { text: place, tone: 'quiet' },
    { text: `${MARK[tone]} `, tone },
    { text: text.replace(/\s*\n\s*/g, ' '), tone: tone === 'quiet' ? 'quiet' : tone === 'bad' ? 'bad' : 'plain' },
    ...(aside === '' ? [] : [{ text: `  ${aside}`, tone: 'quiet' as const }]),
  ];
}

export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

function since(from: number | undefined, at: string): string {
  return from === undefined ? '' : toDuration(Date.parse(at) - from);
}

function commandOutcome({ command, error, message }: StreamEventData): [Tone, string, string] {
  if (command === undefined) return ['quiet', message ?? 'command ended', ''];
  const aside = command.duration === undefined ? '' : toDuration(command.duration);
  if (command.status === CommandStatus.COMPLETED) return ['good', toCommandText(command), aside];
  if (command.status === CommandStatus.CANCELLED) return ['warning', `${toCommandText(command)}: cancelled`, aside];
  const reason = error ?? command.result?.error;
  return ['bad', `${toCommandText(command)}${reason === undefined ? '' : `: ${errorText(reason)}`}`, aside];
}

function stepFailure({ step, error }: StreamEventData): string {
  if (step?.status === StepStatus.CANCELLED) return 'step cancelled';
  return error === undefined ? 'step failed' : `step failed: ${errorText(error)}`;
}

function failedSession({ failure, totalSteps }: CliContext, { error, message }: StreamEventData, took: string): Line[] {
  if (error?.details?.['isCancelled'] === true) return [toLine('', 'warning', 'Session cancelled.', took)];
  const isTold = failure !== undefined && failure.message === error?.message;
  const reason = error === undefined ? (message ?? 'no reason was given') : errorText(error);
  const text = isTold
    ? `Session failed in step ${failure.stepIndex + 1} of ${totalSteps}.`
    : `Session failed: ${reason}`;
  return [
    toLine('', 'bad', text, took),
    ...(error?.suggestedAction === undefined ? [] : [toLine('', 'plain', error.suggestedAction)]),
  ];
}

export function errorText({ code, message }: StandardError): string {
  return `${code} ${message}`;
}

function thoughtText({ reasoning }: StreamEventData): string {
  return shorten(reasoning?.thought ?? '', LONGEST_THOUGHT);
}
