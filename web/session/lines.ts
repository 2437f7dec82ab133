import { toCommandText } from '../../contracts/commands/command-text';
import type { TerminalLine, Tone } from '../../contracts/events/event-definition';
import { EVENTS } from '../../contracts/events/event-definitions';
import type { StreamEvent } from '../../contracts/events/stream-event';
import { addOrigin, noOrigins, type Origins } from './origins';
import { addTime, noTimes, type Times } from './phases';
import { writingAfter, type Writing } from './writing';

export type SeenEvent = StreamEvent & { seq: number };

export interface Line {
  key: string;
  at: Date;
  tone: Tone;
  text: string;
  /** A duration in milliseconds, or a remark. */
  aside?: string | number | undefined;
  /** Shown to those who want every detail. */
  isDetail: boolean;
  seq: number;
  /** The command whose end the line is. */
  commandId?: string | undefined;
}

/** The key of what belongs to no step. */
export const OF_SESSION = -1;
/** Of what changes more than the log. */
const CHANGES_MORE = /^(WORKFLOW|STEP|SESSION|VARIABLE|ERROR)_/;

/** What is shown of a log. It is added to event by event, so that a long log is not gone through again for each. */
export interface Shown {
  /** In the words of the terminal, by the index of their step. */
  lines: Map<number, Line[]>;
  /** When each step began, for the times within it. */
  startedAt: Map<number, Date>;
  /** How many pictures were taken. */
  pictures: number;
  /** The number of the newest event that changes more than the log. */
  changedAt: number;
  times: Times;
  origins: Origins;
  writing: Writing | undefined;
  /** How the newest task has ended, in the words of its model. */
  taskEnd: TaskEnd | undefined;
}

interface TaskEnd {
  answer: string;
  /** What it rests on: words of the page. */
  evidence: string | undefined;
}

export function emptyShown(): Shown {
  const parts = { times: noTimes(), origins: noOrigins(), writing: undefined, taskEnd: undefined };
  return { lines: new Map(), startedAt: new Map(), pictures: 0, changedAt: 0, ...parts };
}

/** Changes `shown`. */
export function addEvent(shown: Shown, event: SeenEvent): void {
  const { lines, startedAt } = shown;
  const step = event.stepIndex ?? OF_SESSION;
  if (event.type === 'STEP_STARTED' || !startedAt.has(step)) startedAt.set(step, event.timestamp);
  if (!lines.has(step)) lines.set(step, []);
  if (event.type !== 'STEP_STARTED') lines.get(step)!.push(...linesOf(event, startedAt.get(step)!));
  if (event.type === 'SCREENSHOT_CAPTURED') shown.pictures += 1;
  if (CHANGES_MORE.test(event.type)) shown.changedAt = event.seq;
  shown.taskEnd = taskEndOf(event) ?? shown.taskEnd;
  addTime(shown.times, event);
  addOrigin(shown.origins, event);
  shown.writing = writingAfter(shown.writing, event);
}

/** The reply of a task that calls nothing more. */
function taskEndOf({ type, data: { message = '', details = {} } }: SeenEvent): TaskEnd | undefined {
  const { calls, evidence } = details;
  if (type !== 'AI_RESPONSE_RECEIVED' || !Array.isArray(calls) || calls.length > 0) return undefined;
  return { answer: message, evidence: typeof evidence === 'string' && evidence !== '' ? evidence : undefined };
}

function linesOf(event: SeenEvent, startedAt: Date): Line[] {
  const since = event.timestamp.getTime() - startedAt.getTime();
  const shown: TerminalLine[] = EVENTS[event.type].toTerminal(event, {
    totalSteps: 0,
    model: '',
    failure: undefined,
    sinceSessionStartMs: since,
    sinceStepStartMs: since,
    describeCommand: toCommandText,
  });
  // A terminal shows it with the end of the step.
  const answer = taskEndOf(event)?.answer ?? '';
  if (answer !== '') shown.push({ tone: 'strong', text: answer });
  const ended = /^COMMAND_(COMPLETED|FAILED)$/.test(event.type) ? event.data.command?.commandId : undefined;
  return shown.map(({ tone, text, aside, isDetail }, index) => ({
    key: `${event.seq}.${index}`,
    at: event.timestamp,
    tone,
    text,
    aside,
    isDetail: isDetail === true,
    seq: event.seq,
    ...(index === 0 ? { commandId: ended } : {}),
  }));
}
