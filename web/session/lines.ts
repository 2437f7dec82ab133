import { toCommandText } from '../../contracts/commands/command-text';
import type { Tone } from '../../contracts/events/event-definition';
import { EVENTS } from '../../contracts/events/event-definitions';
import type { SeenEvent } from './events';

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

const ALONE = -1;

/** The lines of the log by the index of their step, in the words of the terminal; those of the session itself are under -1. */
export function linesByStep(events: readonly SeenEvent[]): Map<number, Line[]> {
  const lines = new Map<number, Line[]>();
  const startedAt = new Map<number, Date>();
  for (const event of events) {
    const step = event.stepIndex ?? ALONE;
    if (event.type === 'STEP_STARTED' || !startedAt.has(step)) startedAt.set(step, event.timestamp);
    if (!lines.has(step)) lines.set(step, []);
    if (event.type !== 'STEP_STARTED') lines.get(step)!.push(...linesOf(event, startedAt.get(step)!));
  }
  return lines;
}

function linesOf(event: SeenEvent, startedAt: Date): Line[] {
  const since = event.timestamp.getTime() - startedAt.getTime();
  const shown = EVENTS[event.type].toTerminal(event, {
    totalSteps: 0,
    model: '',
    failure: undefined,
    sinceSessionStartMs: since,
    sinceStepStartMs: since,
    describeCommand: toCommandText,
  });
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
