import { COMMANDS, createProgram } from '../../cli/program';
import type { CliCommand } from '../../cli/context/define-command';
import { plain, table } from './members';

const HEAD = `# Command line

Every command of \`surefoot\` with its arguments and options, as \`surefoot NAME --help\` prints them. [The command line](../cli.md) says how they work together. Where the package is installed in a folder, it is \`npx surefoot\` there.

This page is generated from cli/commands by \`npm run docs\`.
`;

const program = createProgram(() => undefined);
const help = program.createHelp();

/** Writes docs/reference/cli.md from the definitions of the commands of the terminal. */
export function describeCli(): string {
  const sections = Object.entries(COMMANDS).flatMap(([group, commands]) => [
    `## ${group.replace(/:$/, '')}`,
    ...commands.map(describe),
  ]);
  return [HEAD, ...sections].join('\n\n');
}

function describe({ name, description, examples }: CliCommand): string {
  const command = program.commands.find((each) => each.name() === name)!;
  const args = help
    .visibleArguments(command)
    .map((each) => [`\`${help.argumentTerm(each)}\``, plain(help.argumentDescription(each))]);
  const options = help
    .visibleOptions(command)
    .filter((option) => option.long !== '--help')
    .map((each) => [`\`${help.optionTerm(each)}\``, plain(help.optionDescription(each))]);
  const subcommands = help
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')
    .map((each) => [`\`${help.subcommandTerm(each)}\``, plain(help.subcommandDescription(each))]);
  return [
    `### ${name}`,
    plain(description),
    `\`\`\`text\n${help.commandUsage(command)}\n\`\`\``,
    ...(subcommands.length === 0 ? [] : [table(['command', 'what it does'], subcommands)]),
    ...(args.length === 0 ? [] : [table(['argument', 'what it is'], args)]),
    ...(options.length === 0 ? [] : [table(['option', 'what it does'], options)]),
    'Examples:',
    `\`\`\`sh\n${examples.map(([line, purpose]) => `${line} # ${purpose}`).join('\n')}\n\`\`\``,
  ].join('\n\n');
}
