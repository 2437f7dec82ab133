import { z } from 'zod';
import type { CommandHandlers } from '../../../activities/browser/commands/handlers/command-handler';
import { BrowserParametersSchema, COMMANDS, ParametersByAction } from '../../../contracts/commands/commands';
import { defineCommand } from '../../../contracts/commands/define-command';
import type { fieldCommands } from '../../../contracts/commands/definitions/fields';
import type { keyCommands } from '../../../contracts/commands/definitions/keys';
import { toParameterBag } from '../../../contracts/commands/parameter-bag';
import { COMMAND_TOOLS } from '../../../contracts/tools/command-tools';

/** What docs/extending.md says of commands, for the compiler: each expected error is a place that was forgotten. */
const parameters = z.strictObject({ url: z.string() });
const summary = ({ url }: { url?: string | undefined }) => [url];

test('a command without its effect class, its summary or the events that show a commit does not compile', () => {
  // @ts-expect-error -- an effect class is missing
  defineCommand({ parameters, summary });
  // @ts-expect-error -- a summary is missing
  defineCommand({ parameters, effect: 'pure' });
  // @ts-expect-error -- no effect class has this name
  defineCommand({ parameters, effect: 'harmless', summary });
  // @ts-expect-error -- the events that show its delivery are missing
  defineCommand({ parameters, effect: 'commit', summary });
  expect(defineCommand({ parameters, effect: 'pure', summary })).toMatchObject({ onlyLooks: false });
});

test('a command that is offered as a tool without its description or its classification does not compile', () => {
  const tool = { name: 'open', description: 'Opens an address', summary: () => 'Open' };
  // @ts-expect-error -- a classification is missing
  defineCommand({ parameters, effect: 'pure', summary, tool });
  const { description: _, ...rest } = { ...tool, classification: 'read' as const };
  // @ts-expect-error -- a description is missing
  defineCommand({ parameters, effect: 'pure', summary, tool: rest });
  expect(COMMAND_TOOLS.find).toMatchObject({ action: 'FIND_ELEMENTS', parameters: COMMANDS.FIND_ELEMENTS.parameters });
  // Only a planner can resolve the ref of a model.
  for (const tool of Object.values(COMMAND_TOOLS)) expect(tool.parameters.shape).not.toHaveProperty('selector');
});

test("a command without a handler does not compile, nor does one that reads another's members", () => {
  // @ts-expect-error -- the handler of TYPE_TEXT is missing
  const forgotten: CommandHandlers<typeof keyCommands> = { PRESS_KEY: async () => {} };
  const foreign: CommandHandlers<typeof keyCommands> = {
    PRESS_KEY: async () => {},
    // @ts-expect-error -- TYPE_TEXT has no option
    TYPE_TEXT: async ({ parameters: { option } }) => void option,
  };
  const typed: Pick<CommandHandlers<typeof fieldCommands>, 'INPUT_TEXT'> = {
    INPUT_TEXT: async ({ element, parameters: { text } }) => await element.fill(text),
  };
  expect([forgotten, foreign, typed]).toHaveLength(3);
});

test('a member to which two commands give different types does not compile', () => {
  const other = z.strictObject({ url: z.number() });
  // @ts-expect-error -- url is a string in one and a number in the other
  toParameterBag([parameters, other]);
  expect(toParameterBag([parameters, z.strictObject({ url: z.string().min(1), n: z.int().max(3) })]).parse({})).toEqual(
    {},
  );
});

test('the flat bag has each member of each command, without its limits', () => {
  for (const [action, { shape }] of Object.entries(ParametersByAction))
    expect([action, Object.keys(BrowserParametersSchema.shape)]).toEqual([
      action,
      expect.arrayContaining(Object.keys(shape)),
    ]);
  expect(BrowserParametersSchema.parse({ selector: '', seconds: 1000 })).toEqual({ selector: '', seconds: 1000 });
  expect(BrowserParametersSchema.safeParse({ selector: 7 }).success).toBe(false);
});

test('only what leaves the page as it is only looks', () => {
  const looking = Object.values(COMMANDS).filter(({ onlyLooks }) => onlyLooks);
  expect(new Set(looking.map(({ effect }) => effect))).toEqual(new Set(['pure']));
  expect(COMMANDS.SCROLL).toMatchObject({ effect: 'pure', onlyLooks: false });
});
