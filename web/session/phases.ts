import type { StreamEvent } from '../../contracts/events/stream-event';

/** What a session spends its time on; in this order in the bar. */
export const PHASES = ['model', 'browser', 'tools', 'people', 'paused', 'queued', 'engine'] as const;
export type Phase = (typeof PHASES)[number];

/** Where the time of a session went, as far as its log was read. */
export interface Times {
  spentMs: Record<Phase, number>;
  /** When the newest event was. */
  at: Date | undefined;
  /** What the session waits for. */
  waits: 'people' | 'paused' | 'queued' | undefined;
  /** What runs. */
  runs: 'browser' | 'tools' | undefined;
}

export function noTimes(): Times {
  const spentMs = { model: 0, browser: 0, tools: 0, people: 0, paused: 0, queued: 0, engine: 0 };
  return { spentMs, at: undefined, waits: undefined, runs: undefined };
}

/** Changes `times`: the time since the last event belongs to what went on then, or to what this event is the end of. */
export function addTime(times: Times, event: StreamEvent): void {
  const { type, timestamp } = event;
  if (times.at !== undefined) {
    const phase = times.waits ?? times.runs ?? phaseBefore(type);
    times.spentMs[phase] += Math.max(0, timestamp.getTime() - times.at.getTime());
  }
  times.at = timestamp;
  times.waits = waitsAfter(times.waits, event);
  if (type === 'COMMAND_STARTED') times.runs = event.data.command === undefined ? 'tools' : 'browser';
  else if (/^(COMMAND|STEP|WORKFLOW)_/.test(type)) times.runs = undefined;
}

/** What went on until an event that came while nothing was known to run. */
function phaseBefore(type: StreamEvent['type']): Phase {
  if (type.startsWith('AI_')) return 'model';
  return /^(SCREENSHOT|PAGE|VARIABLE|COMMAND)_/.test(type) ? 'browser' : 'engine';
}

function waitsAfter(waits: Times['waits'], { type, data: { details } }: StreamEvent): Times['waits'] {
  if (type === 'WORKFLOW_PAUSED') return details?.['pausedFor'] === 'operator' ? 'paused' : 'people';
  if (type === 'SESSION_STATUS') {
    if (details?.['pausedFor'] !== undefined) return 'people';
    if (details?.['waitingFor'] !== undefined) return 'queued';
    // Whatever became of the browser meanwhile, the wait goes on.
    if (details?.['browser'] !== undefined) return waits;
    return details?.['status'] === 'ACTIVE' || details?.['waitedMs'] !== undefined ? undefined : waits;
  }
  const isOver = waits === 'queued' ? /^(AI|COMMAND|STEP|WORKFLOW)_/ : /^(WORKFLOW_(RESUMED|COMPLETED|FAILED))$/;
  return isOver.test(type) ? undefined : waits;
}
