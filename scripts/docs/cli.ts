import type { Argument, Command } from 'commander';
import { COMMAND_GROUPS, createProgram } from '../../cli/program';
import type { CliCommand } from '../../cli/context/define-command';
import { item, plain, sharedTexts } from './members';

const HEAD = `# Command line

Every command of \`surefoot\` with its arguments, in their order, and options. [The command line](../cli.md) says how they work together; \`surefoot NAME --help\` has examples.

This page is generated from cli/commands by \`npm run docs\`.
`;

const program = createProgram(() => undefined);
const help = program.createHelp();

/** Writes docs/reference/cli.md from the definitions of the commands of the terminal. */
export function describeCli(): string {
  const groups = Object.entries(COMMAND_GROUPS);
  const all = groups.flatMap(([, commands]) => commands);
  // A term has one shared text; another text of it stays with its commands.
  const shared = new Map([...sharedTexts(all.map(linesOf), 2)].toReversed().map((line) => [termOf(line), line]));
  const sections = groups.flatMap(([group, commands]) => [
    `## ${group.replace(/:$/, '')}`,
    ...commands.map((command) => describe(command, new Set(shared.values()))),
  ]);
  return [
    HEAD,
    '## Arguments and options of several commands',
    [...shared.values()].toReversed().join('\n'),
    ...sections,
  ].join('\n\n');
}

/** A line for each subcommand, argument and option. */
function linesOf({ name }: CliCommand): string[] {
  const command = commandOf(name);
  return [
    ...help
      .visibleCommands(command)
      .filter((each) => each.name() !== 'help')
      .map((each) =>
        item(`\`${help.subcommandTerm(each).replace(' [options]', '')}\``, [], plain(help.subcommandDescription(each))),
      ),
    ...help
      .visibleArguments(command)
      .map((each) => item(`\`${argumentTerm(each)}\``, [], plain(help.argumentDescription(each)))),
    ...help
      .visibleOptions(command)
      .filter((option) => option.long !== '--help')
      .map((each) =>
        item(`\`${help.optionTerm(each)}\``, [], plain(help.optionDescription(each).replace(' (default: [])', ''))),
      ),
  ];
}

function describe(definition: CliCommand, shared: ReadonlySet<string>): string {
  const { name, description } = definition;
  const lines = linesOf(definition);
  const own = lines.filter((line) => !shared.has(line));
  const others = lines.filter((line) => shared.has(line)).map(termOf);
  return [
    `### ${name}`,
    plain(description),
    ...(own.length === 0 ? [] : [own.join('\n')]),
    ...(others.length === 0 ? [] : [`${own.length === 0 ? 'Takes' : 'Also'} ${others.join(', ')}.`]),
  ].join('\n\n');
}

/** `<id>`, `[file]` where it may be left out, `<step...>` where several may follow each other. */
function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** `--name` without what it takes: that stands where it is explained. */
const termOf = (line: string): string => line.slice('- '.length, line.indexOf(':')).replace(/(--\S+) [^`]+/, '$1');

function commandOf(name: string): Command {
  return program.commands.find((each) => each.name() === name)!;
}
