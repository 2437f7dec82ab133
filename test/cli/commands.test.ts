import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CliCommand } from '../../cli/context/define-command';
import { MESSAGE_COMMANDS } from '../../cli/message-commands';
import { createProgram } from '../../cli/program';
import { CONTROL_MESSAGE_NAMES, hasInput } from '../../contracts/messages/messages';

const FOLDER = join(__dirname, '..', '..', 'cli', 'commands');

async function definitionsIn(file: string): Promise<string[]> {
  const exported = Object.values((await import(join(FOLDER, file))) as Record<string, CliCommand>);
  return exported.filter((each) => typeof each === 'object').map(({ name }) => name);
}

test('the program lists every command that a file of cli/commands defines, and every plain message', async () => {
  const inFiles = (await Promise.all(readdirSync(FOLDER).map(definitionsIn))).flat();
  const plain = CONTROL_MESSAGE_NAMES.filter((name) => !hasInput(name));
  expect(MESSAGE_COMMANDS.map(({ name }) => name)).toEqual(expect.arrayContaining(plain));
  const defined = [...inFiles, ...plain];
  const listed = createProgram(() => undefined).commands.map((command) => command.name());
  expect(listed.toSorted()).toEqual(defined.toSorted());
});

test('a definition that lacks a part does not compile', () => {
  // @ts-expect-error: a command without a description and examples
  const incomplete: CliCommand = { name: 'sleep', summary: 'do nothing', define: () => undefined };
  expect(incomplete.name).toBe('sleep');
});
