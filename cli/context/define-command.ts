import type { Command } from 'commander';
import type { OnExit } from './exit';

/** A command of the terminal. `program.ts` lists all of them. */
export interface CliCommand {
  name: string;
  /** One line in `surefoot --help`. */
  summary: string;
  description: string;
  /** Command lines below the command's help, each with its purpose. */
  examples: readonly (readonly [line: string, purpose: string])[];
  /** Adds arguments, options and the action, which calls `end` with the exit code. */
  define(command: Command, end: OnExit): unknown;
}

export function addCommand(program: Command, definition: CliCommand, end: OnExit): void {
  const { name, summary, description, examples } = definition;
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, purpose]) => `  ${line.padEnd(width)}  ${purpose}`.trimEnd());
  const command = program.command(name).summary(summary).description(description);
  definition.define(command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`), end);
}
