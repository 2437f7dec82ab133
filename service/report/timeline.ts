import { toCommandText } from '../../contracts/commands/command-text';
import { EVENTS } from '../../contracts/events/event-definitions';
import type { Tone } from '../../contracts/events/event-definition';
import { isStreamType, type LogRecord } from '../../contracts/events/log';
import { StreamEventType } from '../../contracts/events/stream-event';
import { shortened } from '../../contracts/text';

/** One thing that happened, as the report shows it. */
export interface TimelineEntry {
  at: string;
  tone: Tone;
  text: string;
  /** In milliseconds, or a remark. */
  aside?: string | number | undefined;
  /** More of it, unfolded on demand. */
  body?: string | undefined;
  isThought?: true;
  /** Whose picture, DOM and evidence belong here. */
  commandId?: string | undefined;
}

const LONGEST_TEXT = 3000;
const LONGEST_BODY = 6000;

/** The entries of the log, by the index of their step; those of the session as a whole are under -1. */
export function toTimeline(log: readonly LogRecord[]): Map<number, TimelineEntry[]> {
  const timeline = new Map<number, TimelineEntry[]>();
  const startedAt = new Map<number, string>();
  for (const record of log) {
    const step = record.stepIndex ?? -1;
    if (record.type === StreamEventType.STEP_STARTED || !startedAt.has(step)) startedAt.set(step, record.at);
    const entries = timeline.get(step) ?? [];
    entries.push(...toEntries(record, startedAt.get(step)!));
    timeline.set(step, entries);
  }
  return timeline;
}

function toEntries(record: LogRecord, startedAt: string): TimelineEntry[] {
  const { type, data, at, facts } = record;
  if (!isStreamType(type)) return [];
  const entry = (tone: Tone, text: string, more: Partial<TimelineEntry> = {}): TimelineEntry[] =>
    text.trim() === '' ? [] : [{ at, tone, text: shortened(text, LONGEST_TEXT), ...more }];
  switch (type) {
    case StreamEventType.STEP_STARTED:
      return [];
    case StreamEventType.AI_REASONING: {
      const { thought = '', confidence } = data.reasoning ?? {};
      return entry('quiet', thought, { isThought: true, aside: `confidence ${confidence}` });
    }
    case StreamEventType.AI_RESPONSE_RECEIVED:
      return facts?.kind === 'reply' ? entry('quiet', data.message ?? '') : [];
    default: {
      const lines = EVENTS[type].toTerminal(record, {
        totalSteps: 0,
        model: '',
        failure: undefined,
        sinceSessionStartMs: undefined,
        sinceStepStartMs: Date.parse(at) - Date.parse(startedAt),
        describeCommand: toCommandText,
      });
      const body = facts?.kind === 'result' ? shortened(facts.text, LONGEST_BODY) : undefined;
      const commandId = data.command?.commandId;
      return lines
        .filter(({ isDetail }) => isDetail !== true)
        .flatMap(({ tone, text, aside }, index) =>
          entry(tone, text, { aside, ...(index === 0 ? { body, commandId } : {}) }),
        );
    }
  }
}
