import { followWithRetry } from '../../service/connection/retry-outages';
import type { Sessions } from '../../service/port/port';
import { createFrameReader } from '../../service/events/follow-format';
import type { FormatName } from '../../contracts/events/formats/formats';
import { isStreamType, type LogRecord } from '../../contracts/events/log';
import { aborted } from '../terminal/interrupt';
import { endOf, endWithStatus, type FollowEnd } from './exit-of-end';
import { toLines } from '../render/event-lines';
import { advanceContext, initialContext } from '../render/context';
import { createStatusLine } from '../terminal/status-line';
import { toStatus } from '../render/status-text';
import type { Terminal } from '../terminal/terminal';

export interface FollowRendering {
  /** The seq after which to begin. */
  after: number;
  /** Prints a JSON frame of this format per line, with its `seq`; undefined prints text for people. */
  format?: FormatName | undefined;
  isDetailed: boolean;
  timeoutMs?: number | undefined;
  interrupt: AbortSignal;
  totalSteps: number;
  /** Called with each record once it is printed. */
  onRecord?: ((record: LogRecord) => void) | undefined;
}

/** Prints the log of a session live, until its end, the timeout or an interrupt. The session itself is not changed. */
export async function followSession(
  sessions: Sessions,
  sessionId: string,
  terminal: Terminal,
  options: FollowRendering,
): Promise<FollowEnd> {
  const stop = new AbortController();
  let stoppedBy: FollowEnd | undefined;
  const stopFor = (end: FollowEnd) => {
    stoppedBy ??= end;
    stop.abort();
  };
  void aborted(options.interrupt).then(() => stopFor('interrupted'));
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => stopFor('timeout'), options.timeoutMs);
  const printer = createPrinter(terminal, options);
  try {
    const onOutage = (): void => terminal.printError('The event log does not answer; trying again.', 'warning');
    const outages = { limitMs: LONGEST_OUTAGE_MS, onOutage };
    for await (const record of followWithRetry(sessions, sessionId, printer.from, stop.signal, outages)) {
      printer.print(record);
      options.onRecord?.(record);
      const end = endOf(record);
      if (end !== undefined) return end;
    }
    // The log ended without a terminal record: the cursor was already past it.
    return stoppedBy ?? endWithStatus((await sessions.state(sessionId)).status);
  } finally {
    clearTimeout(timer);
    printer.end();
    stop.abort();
  }
}

/** An outage of the database after which following gives up. */
const LONGEST_OUTAGE_MS = 30_000;

interface Printer {
  /** The printer needs the records after this seq. */
  from: number;
  /** Throws when the log was trimmed and the format needs all of it. */
  print(record: LogRecord): void;
  end(): void;
}

function createPrinter(terminal: Terminal, options: FollowRendering): Printer {
  const { format, after } = options;
  if (format === undefined) return createTextPrinter(terminal, options);
  const { from, framesOf } = createFrameReader(format, after);
  return {
    from,
    print(record) {
      for (const { seq, frame } of framesOf([record])) terminal.printJson({ seq, ...frame });
    },
    end: () => {},
  };
}

function createTextPrinter(terminal: Terminal, { after, isDetailed, totalSteps }: FollowRendering): Printer {
  const status = createStatusLine(terminal);
  let context = initialContext({ totalSteps });
  let statusText = 'waiting for the session';
  status.show(statusText);
  return {
    from: after,
    print(record) {
      if (!isStreamType(record.type)) return;
      context = advanceContext(context, record);
      for (const line of toLines(context, record, { isDetailed })) terminal.print(line);
      statusText = toStatus(statusText, context, record);
      status.show(statusText);
    },
    end: () => status.clear(),
  };
}
