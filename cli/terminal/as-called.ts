import { basename } from 'node:path';

/**
 * The program as the reader can call it again: `surefoot` where it was called by its name, `npx surefoot` where npm has
 * called it, or Node by its file.
 */
export function programName(argv: readonly string[] = process.argv, env: NodeJS.ProcessEnv = process.env): string {
  const isByName = basename(argv[1] ?? '') === 'surefoot' && env['npm_command'] === undefined;
  return isByName ? 'surefoot' : 'npx surefoot';
}

/** Renders a command line for a hint, in backticks. */
export function asCalled(line: string): string {
  return `\`${programName()} ${line}\``;
}

const COMMANDS = /(?<!npx )\bsurefoot(?= [a-z-]+ )/g;

/** Renders the command lines of a text that answer a session, such as those of `answerWith`, as the reader can call them. */
export function lineAsCalled(text: string): string {
  return text.replaceAll(COMMANDS, programName());
}
