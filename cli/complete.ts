import type { Command } from 'commander';

/** Prints what the words of a command line can be completed to, for the script of `surefoot completion`. */
export async function printCompletions(program: Command, words: readonly string[]): Promise<void> {
  const { default: describe } = await import('@bomb.sh/tab/commander');
  // A line each, instead of the paragraphs of their own help.
  for (const command of program.commands) command.description(command.summary());
  // The name of its own command for the script, which `surefoot completion` has already, is out of the way.
  const completions = describe(program, { completionCommandName: 'completion-script' });
  completions.parse([...words]);
}
