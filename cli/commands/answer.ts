import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CliError } from '../context/exit';
import { createTerminal } from '../terminal/terminal';
import { defineMessageCommand } from './message-command';

interface Options {
  question?: string;
}

export const answer = defineMessageCommand<'answerSecret', Options>('answerSecret', {
  name: 'answer',
  examples: [
    ['surefoot answer 3f2a', 'reads the code from the terminal, which does not show it'],
    ['surefoot answer 3f2a < code.txt', 'a program answers; an argument would be shown by ps'],
  ],
  extend: (command) => command.option('--question <id>', 'only if it still asks this question'),
  async read({ question }) {
    const value = (await readUnseen()).trim();
    if (value === '') throw new CliError('Expected the answer on standard input, and got nothing.');
    return { value, ...(question === undefined ? {} : { questionId: question }) };
  },
});

/** Reads one line, which a terminal does not show. */
async function readUnseen(): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) createTerminal().printError('The answer (not shown), then Enter:');
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}
