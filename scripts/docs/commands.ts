import { z } from 'zod';
import { COMMANDS } from '../../contracts/commands/commands';
import { membersTable, plain, type JsonSchema } from './members';

const HEAD = `# Browser commands

What a browser worker carries out. Steps are turned into commands by their model, calls of [tools](tools.md) by a planner. Each is journaled with its intent and its outcome.

The effect says what a repetition may do after a crash: a \`pure\` command looks and runs again, an \`idempotent\` one runs again where none of its requests was seen, a \`commit\` is never repeated on a guess ([architecture](../architecture.md#nothing-is-done-twice)).

This page is generated from contracts/commands by \`npm run docs\`.
`;

/** Writes docs/reference/commands.md from the definitions of the commands. */
export function describeCommands(): string {
  const sections = Object.entries(COMMANDS).map(([action, { parameters, effect, prompt, tool }]) => {
    const schema = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    const users = [
      ...(prompt === undefined ? [] : ['steps']),
      ...(tool === undefined ? [] : [`the tool \`${(tool as { name: string }).name}\``]),
    ];
    return [
      `## ${action}`,
      ...(prompt === undefined ? [] : [`To ${plain(prompt)}.`]),
      `- Effect: ${effect}.\n- Used by: ${users.length === 0 ? 'tools with a planner' : users.join(', ')}.`,
      membersTable(schema) ?? 'It takes no parameters.',
    ].join('\n\n');
  });
  return [HEAD, ...sections].join('\n\n');
}
