import { CommanderError, type Command } from 'commander';
import { surviveBrokenPipes } from './terminal/broken-pipe';
import { EXIT } from './context/exit';
import { createProgram } from './program';
import { createTerminal } from './terminal/terminal';

/** Runs one command; resolves to its exit code. */
async function main(argv: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = createProgram((code) => (exitCode = code));
  // `npx surefoot` alone brings the local stack up, in a folder that has nothing.
  const args = argv.length > 2 ? argv : [...argv, 'start'];
  try {
    // Shells call `surefoot complete -- words`; the command is for them alone, so that no help shows it.
    if (argv[2] === 'complete') {
      await printCompletions(program, argv.slice(4));
      return EXIT.done;
    }
    await program.parseAsync([...args]);
    return exitCode;
  } catch (error) {
    // Commander has printed the usage error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.refused;
    const { toCliFailure: toFailure } = await import('./context/failure.js');
    const failure = toFailure(error);
    const terminal = createTerminal();
    for (const [position, line] of failure.lines.entries())
      terminal.printError(position === 0 ? `surefoot: ${line}` : line);
    return failure.exitCode;
  }
}

/** Prints what the words of a command line can be completed to, for the script of `surefoot completion`. */
async function printCompletions(program: Command, words: readonly string[]): Promise<void> {
  const { default: describe } = await import('@bomb.sh/tab/commander');
  // A line each, instead of the paragraphs of their own help.
  for (const command of program.commands) command.description(command.summary());
  // The name of its own command for the script, which `surefoot completion` has already, is out of the way.
  const completions = describe(program, { completionCommandName: 'completion-script' });
  completions.parse([...words]);
}

surviveBrokenPipes();
void main(process.argv).then((exitCode) => {
  process.exitCode = exitCode;
  // A library may still have an open socket or timer; the output is flushed first.
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
});
