import { styleText } from 'node:util';
import type { Tone } from '../../contracts/events/event-definition';
import { printable, printableLine } from '../../contracts/printable';
import { fitted, oneLine } from '../../contracts/text';

export type { Tone };

/** The pieces of a line, each with its tone; a file or a pipe gets their texts joined. */
export type Line = readonly { text: string; tone: Tone }[];

type Style = Parameters<typeof styleText>[0];
const STYLES: Record<Exclude<Tone, 'plain'>, Style> = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  quiet: 'dim',
  strong: 'bold',
};

/**
 * Where a command writes: results to standard output, everything else to standard error. It is the only writer, and shows
 * control characters of a text as escapes: the controls that reach a terminal are its own.
 */
export interface Terminal {
  /** True where a line may be overwritten: an interactive terminal, not a file, a pipe or CI. */
  isLive: boolean;
  columns: number;
  /** Prints one line; the further lines of a text that has several stand behind a bar. */
  print(line: string | Line, tone?: Tone): void;
  printError(line: string | Line, tone?: Tone): void;
  /** Prints lines after an empty one, or nothing where there are none. */
  printBlock(lines: readonly (string | Line)[], tone?: Tone): void;
  /** Prints a value for programs: what a terminal would obey is a JSON escape. */
  printJson(value: unknown, indent?: number): void;
  /** Writes the text of a file as it is; only an interactive terminal gets escapes. */
  printFile(text: string): void;
  /** Sets the last line of a live terminal; undefined removes it. */
  setStatus(text: string | undefined): void;
  /** Empties the line of the cursor, such as a prompt. */
  clearLine(): void;
}

const CLEAR_LINE = '\r\u001b[2K';

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

  function writeLine(stream: NodeJS.WriteStream, line: string | Line, tone: Tone): void {
    const pieces = typeof line === 'string' ? [{ text: line, tone }] : line;
    write(stream, pieces.map((piece) => paintFor(stream, printableLine(piece.text), piece.tone)).join(''));
  }

  const columns = () => out.columns || 80;
  const print: Terminal['print'] = (line, tone = 'plain') => writeLine(out, line, tone);
  return {
    isLive,
    get columns() {
      return columns();
    },
    print,
    printError: (line, tone = 'plain') => writeLine(errors, line, tone),
    printBlock: (lines, tone) => (lines.length === 0 ? [] : ['', ...lines]).forEach((line) => print(line, tone)),
    printJson: (value, indent) => write(out, printable(JSON.stringify(value, null, indent))),
    printFile: (text) => write(out, out.isTTY === true ? printable(text) : text),
    setStatus(text) {
      if (!isLive) return;
      const next =
        text === undefined ? undefined : paintFor(out, fitted(oneLine(printable(text)), columns() - 1), 'quiet');
      if (next === undefined && status === undefined) return;
      out.write(`${CLEAR_LINE}${next ?? ''}`);
      status = next;
    },
    clearLine: () => void out.write(CLEAR_LINE),
  };
}
