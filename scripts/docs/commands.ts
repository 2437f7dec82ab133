import { z } from 'zod';
import { COMMANDS } from '../../contracts/commands/commands';
import { item, memberLines, NOTATION, plain, withoutShared, type DocumentedSchema } from './members';

const HEAD = `# Browser commands

What a browser worker carries out. Steps are turned into commands by their model, calls of [tools](tools.md) by a planner.

The effect says what a repetition may do after a crash: a \`pure\` command looks and runs again, an \`idempotent\` one runs again where none of its requests was seen, a \`commit\` is never repeated on a guess ([architecture](../architecture.md#nothing-is-done-twice)).

This page is generated from contracts/commands by \`npm run docs\`.
`;

/** Writes docs/reference/commands.md from the definitions of the commands. */
export function describeCommands(): string {
  const commands = Object.entries(COMMANDS).map(([action, { parameters, effect, prompt, tool }]) => {
    const schema = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' }) as DocumentedSchema;
    return { action, effect, prompt, tool: (tool as { name: string } | undefined)?.name, members: memberLines(schema) };
  });
  const steps = commands.filter(({ prompt, tool }) => prompt !== undefined && tool === undefined);
  const { shared, lists } = withoutShared(steps.map(({ members }) => members));
  const items = steps.map(({ action, prompt, effect }, index) =>
    [
      item(`\`${action}\``, [`\`${effect}\``], plain(prompt!)),
      ...(lists[index]!.length === 0 ? [] : [lists[index]!.map(inOneLine).join('; ')]),
    ].join('. '),
  );
  const ofTools = commands
    .filter(({ prompt, tool }) => prompt !== undefined && tool !== undefined)
    .map(({ action, effect, tool }) => `\`${action}\` ([${tool}](tools.md#${tool}), \`${effect}\`)`);
  const toolsOnly = commands
    .filter(({ prompt }) => prompt === undefined)
    .map(({ action, effect }) => `\`${action}\` (\`${effect}\`)`);
  return [
    HEAD,
    `Steps may also use what is a tool as well, described there: ${ofTools.join(', ')}.`,
    `Only planners of tools use these: ${toolsOnly.join(', ')}.`,
    `${NOTATION} Members of several commands: ${shared.map(inOneLine).join('; ')}.`,
    items.join('\n'),
  ].join('\n\n');
}

/** A member without the mark of a list, for a line that names several. */
const inOneLine = (line: string): string => line.slice('- '.length);
