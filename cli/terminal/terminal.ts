import { styleText } from 'node:util';
import type { Tone } from '../../contracts/events/event-definition';
import { fitted, oneLine } from '../../contracts/text';

export type { Tone };

type Style = Parameters<typeof styleText>[0];
const STYLES: Record<Exclude<Tone, 'plain'>, Style> = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  quiet: 'dim',
  strong: 'bold',
};

/** Where a command writes: results to standard output, everything else to standard error. */
export interface Terminal {
  /** True where a line may be overwritten: an interactive terminal, not a file, a pipe or CI. */
  isLive: boolean;
  columns: number;
  print(text: string, tone?: Tone): void;
  printError(text: string, tone?: Tone): void;
  /** Sets the last line of a live terminal; undefined removes it. */
  setStatus(text: string | undefined): void;
  /** Colours a part of a line for standard output. */
  paint(text: string, tone: Tone): string;
}

export const CLEAR_LINE = '\r\u001b[2K';

/** Colours a text as NO_COLOR, FORCE_COLOR and the stream allow. */
function paintFor(stream: NodeJS.WriteStream, text: string, tone: Tone): string {
  return tone === 'plain' || text === '' ? text : styleText(STYLES[tone], text, { stream });
}

export function createTerminal(
  out: NodeJS.WriteStream = process.stdout,
  errors: NodeJS.WriteStream = process.stderr,
  env: NodeJS.ProcessEnv = process.env,
): Terminal {
  const isLive = out.isTTY === true && env['TERM'] !== 'dumb' && !env['CI'];
  let status: string | undefined;

  // The status line is removed before other output and drawn again below it.
  function write(stream: NodeJS.WriteStream, text: string): void {
    if (status !== undefined) out.write(CLEAR_LINE);
    stream.write(`${text}\n`);
    if (status !== undefined) out.write(status);
  }

  const columns = () => out.columns || 80;
  return {
    isLive,
    get columns() {
      return columns();
    },
    print: (text, tone = 'plain') => write(out, paintFor(out, text, tone)),
    printError: (text, tone = 'plain') => write(errors, paintFor(errors, text, tone)),
    setStatus(text) {
      if (!isLive) return;
      const next = text === undefined ? undefined : paintFor(out, fitted(oneLine(text), columns() - 1), 'quiet');
      if (next === undefined && status === undefined) return;
      out.write(`${CLEAR_LINE}${next ?? ''}`);
      status = next;
    },
    paint: (text, tone) => paintFor(out, text, tone),
  };
}
