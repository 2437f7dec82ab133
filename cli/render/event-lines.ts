import { EVENTS } from '../../contracts/events/event-definitions';
import { isStreamType, type LogRecord } from '../../contracts/events/log';
import { toCommandText } from '../../contracts/commands/command-text';
import { lineAsCalled } from '../terminal/as-called';
import { toDuration } from '../terminal/duration';
import type { Line, Tone } from '../terminal/terminal';
import type { CliContext } from './context';

export interface RenderOptions {
  /** Renders thoughts, pages and screenshots too. */
  isDetailed: boolean;
}

const MARK = { good: '✓', bad: '✗', warning: '!', quiet: '·', plain: '▶', strong: '▶' } as const satisfies Record<
  Tone,
  string
>;

/** Renders a record of the log as lines for people; most types give one line, some only with `isDetailed`. */
export function toLines(
  context: CliContext,
  record: LogRecord,
  options: RenderOptions = { isDetailed: false },
): Line[] {
  const { type, stepIndex } = record;
  // A newer engine may publish types that this program does not know; they are skipped.
  if (!isStreamType(type)) return [];
  const place = stepIndex === undefined ? '' : `[${stepIndex + 1}/${Math.max(context.totalSteps, stepIndex + 1)}] `;
  const sinceMs = (from: number | undefined) => (from === undefined ? undefined : Date.parse(record.at) - from);
  const lines = EVENTS[type].toTerminal(record, {
    ...context,
    sinceSessionStartMs: sinceMs(context.startedAt),
    sinceStepStartMs: sinceMs(context.stepStartedAt),
    describeCommand: toCommandText,
  });
  return lines
    .filter(({ isDetail }) => isDetail !== true || options.isDetailed)
    .map(({ tone, text, aside }) => toLine(place, tone, text, typeof aside === 'number' ? toDuration(aside) : aside));
}

export function toLine(place: string, tone: Tone, text: string, aside = ''): Line {
  return [
    { text: place, tone: 'quiet' },
    { text: `${MARK[tone]} `, tone },
    {
      text: lineAsCalled(text.replace(/\s*\n\s*/g, ' ')),
      tone: tone === 'quiet' ? 'quiet' : tone === 'bad' ? 'bad' : 'plain',
    },
    ...(aside === '' ? [] : [{ text: `  ${aside}`, tone: 'quiet' as const }]),
  ];
}

export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}
