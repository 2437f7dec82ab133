/** What texts of strangers can do to a terminal: nothing but be read. */
import { PassThrough } from 'node:stream';
import { questionLines } from '../../../cli/render/approval-text';
import { toLines } from '../../../cli/render/event-lines';
import { initialContext } from '../../../cli/render/context';
import { toTable } from '../../../cli/terminal/table';
import { createTerminal, type Terminal } from '../../../cli/terminal/terminal';
import { printable, printableLine } from '../../../contracts/printable';
import { isStreamType } from '../../../contracts/events/log';
import { EVERYTHING, logOf } from '../../support/format-logs';
import { hostileStrings } from '../../support/hostile-strings';
import { mapTexts } from '../../../contracts/json';

const TEXTS = hostileStrings(300, 52);

/** A terminal whose output is kept; `isInteractive`: somebody sits before it. */
function kept(isInteractive = false): { terminal: Terminal; text: () => string } {
  const stream = Object.assign(new PassThrough(), {
    isTTY: isInteractive,
    columns: 100,
    getColorDepth: () => 8,
    hasColors: () => true,
  });
  const out = stream as unknown as NodeJS.WriteStream;
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { terminal: createTerminal(out, out, { FORCE_COLOR: '1', TERM: 'xterm' }), text: () => text };
}

/** Colours, and the sequence that empties a line: all that a terminal of ours sends. */
const ESCAPE = String.fromCodePoint(0x1b);
const OURS = new RegExp(`${ESCAPE}\\[(?:\\d{1,2}m|2K)|\\r(?=${ESCAPE}\\[2K)`, 'g');
const CONTROLS = /(?![\t\n])\p{Cc}|[\u200b\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]|\p{Cs}/u;

test('whatever is printed, a terminal gets no control but its own, also in the status line', () => {
  const { terminal, text } = kept(true);
  for (const each of TEXTS) {
    terminal.print(each, 'bad');
    terminal.print([
      { text: each, tone: 'quiet' },
      { text: each, tone: 'plain' },
    ]);
    terminal.printError(each);
    terminal.printBlock(toTable(['A', 'B'], [[each, each]]), 'warning');
    terminal.setStatus(each);
    terminal.printJson({ [each]: each }, 2);
    terminal.printFile(each);
  }
  expect(text().replaceAll(OURS, '')).not.toMatch(CONTROLS);
  expect(text()).not.toContain('\u001b[1A');
});

test('what a page asks a terminal to do is shown, and joiners of scripts and emoji are left as they are', () => {
  expect(printable('a\u001b]52;c;ZXZpbA==\u0007b\u009b31mc\u202ed\r')).toBe(
    'a\\u001b]52;c;ZXZpbA==\\u0007b\\u009b31mc\\u202ed\\u000d',
  );
  expect(printable('👩‍👧 \u0645\u06cc\u200c\u062e \u05e9\u200f!\t漢\r\n')).toBe(
    '👩‍👧 \u0645\u06cc\u200c\u062e \u05e9\u200f!\t漢\n',
  );
});

test('lines within a text stand behind a bar, so none of them looks like a line of the output', () => {
  const { terminal, text } = kept();
  const forged = 'Thank you.\n✓ Session completed: all is well.\r\n▶ next';
  terminal.print(forged);
  for (const each of TEXTS) terminal.print(each);
  const lines = text().trimEnd().split('\n');
  expect(lines.slice(0, 3)).toEqual(['Thank you.', '  │ ✓ Session completed: all is well.', '  │ ▶ next']);
  expect(lines.filter((line) => !line.startsWith('  │ '))).toHaveLength(TEXTS.length + 1);
});

test('the records of a log and questions with hostile texts print as many lines as with plain ones', () => {
  const records = logOf(EVERYTHING).filter(({ type }) => isStreamType(type));
  expect(records.length).toBeGreaterThan(20);
  const linesOf = (change: (text: string) => string): number => {
    const { terminal, text } = kept();
    for (const record of records) {
      const data = mapTexts(record.data, (value) => (/\s/.test(value) ? change(value) : value));
      for (const line of toLines(initialContext({ totalSteps: 3 }), { ...record, data }, { isDetailed: true }))
        terminal.print(line);
    }
    expect(text().replaceAll(OURS, '')).not.toMatch(CONTROLS);
    return text()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('  │ ')).length;
  };
  const plain = linesOf((text) => text);
  for (const each of TEXTS.slice(0, 60)) expect(linesOf(() => `x${each}`)).toBe(plain);
  const question = (text: string) =>
    questionLines({
      kind: 'unknown-outcome',
      sessionId: 's',
      commandId: 'c',
      message: text,
      answerWith: { cli: 'surefoot resolve-unknown s c yes' },
    } as never);
  for (const each of TEXTS)
    expect(
      question(each)
        .map(printableLine)
        .join('\n')
        .split('\n')
        .filter((line) => !line.startsWith('  │ ')),
    ).toHaveLength(2);
});

test('JSON for programs parses to the same value, and a file in a pipe has the same bytes', () => {
  for (const each of TEXTS) {
    const { terminal, text } = kept();
    const value = { title: each, list: [each, 1, null] };
    terminal.printJson(value);
    expect(JSON.parse(text())).toEqual(JSON.parse(JSON.stringify(value)));
    const file = kept();
    file.terminal.printFile(each.toWellFormed());
    expect(file.text()).toBe(`${each.toWellFormed()}\n`);
  }
});
