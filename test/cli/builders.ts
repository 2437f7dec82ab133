import { standardError, type StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import type { Line, Terminal } from '../../cli/terminal/terminal';
import { lineText } from '../../cli/render/event-lines';

export const SESSION_ID = '3f2a1b4c-0000-4000-8000-000000000001';

export function aRecord(given: Partial<LogRecord> & Pick<LogRecord, 'type'>): LogRecord {
  return {
    sessionId: SESSION_ID,
    seq: 1,
    eventId: 'run/1',
    owner: 'step-processor',
    at: '2026-01-02T03:04:05.000Z',
    data: {},
    ...given,
  };
}

export function anError(given: Partial<StandardError> = {}): StandardError {
  const facts = {
    id: 'e1',
    timestamp: new Date(0),
    code: 'EX002',
    message: 'No element matches button "Pay".',
  } as const;
  return { ...standardError(facts), ...given };
}

export const STARTED = aRecord({
  type: StreamEventType.WORKFLOW_STARTED,
  data: { message: 'Session started: 3 steps, led by rules.', details: { totalSteps: 3, model: 'rules' } },
});

const textOf = (line: string | Line): string => (typeof line === 'string' ? line : lineText(line));

/** A terminal that keeps what is printed. */
export function aTerminal(): Terminal & { out: string[]; errors: string[] } {
  const out: string[] = [];
  const errors: string[] = [];
  return {
    out,
    errors,
    isLive: false,
    columns: 80,
    print: (line) => void out.push(textOf(line)),
    printError: (line) => void errors.push(textOf(line)),
    printBlock: (lines) => void out.push('', ...lines.map(textOf)),
    printJson: (value, indent) => void out.push(JSON.stringify(value, null, indent)),
    printFile: (text) => void out.push(text),
    setStatus: () => undefined,
    clearLine: () => undefined,
  };
}
