import { z } from 'zod';
import { COMMANDS } from '../../contracts/commands/commands';
import { memberLines, NOTATION, plain, withoutShared, type DocumentedSchema } from './members';

const HEAD = `# Browser commands

What a browser worker carries out. Steps are turned into commands by their model, calls of [tools](tools.md) by a planner. Each is journaled with its intent and its outcome.

The effect says what a repetition may do after a crash: a \`pure\` command looks and runs again, an \`idempotent\` one runs again where none of its requests was seen, a \`commit\` is never repeated on a guess ([architecture](../architecture.md#nothing-is-done-twice)).

Steps use the commands whose description begins with “To”. In brackets are the effect and the tool that always is this command; other tools choose among commands.

This page is generated from contracts/commands by \`npm run docs\`.
`;

/** Writes docs/reference/commands.md from the definitions of the commands. */
export function describeCommands(): string {
  const commands = Object.entries(COMMANDS).map(([action, { parameters, effect, prompt, tool }]) => {
    const schema = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' }) as DocumentedSchema;
    const words = [
      `\`${effect}\``,
      ...(tool === undefined ? [] : [`the tool \`${(tool as { name: string }).name}\``]),
    ].join(', ');
    return {
      action,
      summary: `${prompt === undefined ? '' : `To ${plain(prompt)}. `}(${words})`,
      members: memberLines(schema),
    };
  });
  const { shared, lists } = withoutShared(commands.map(({ members }) => members));
  const sections = commands.map(({ action, summary }, index) =>
    [`## ${action}`, summary, lists[index]!.join('\n')].join('\n\n'),
  );
  return [
    HEAD,
    `${NOTATION} Members of several commands, whose lists only name them:`,
    shared.join('\n'),
    ...sections,
  ].join('\n\n');
}
