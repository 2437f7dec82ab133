import { COMMANDS, type BrowserAction } from '../commands/commands';

type Commands = typeof COMMANDS;
type ToolName<A extends BrowserAction> = NonNullable<Commands[A]['tool']>['name'];
export type CommandToolName = { [A in BrowserAction]: ToolName<A> }[BrowserAction];

/** The commands that define a tool of their own. */
export type CommandWithTool = { [A in BrowserAction]: [ToolName<A>] extends [never] ? never : A }[BrowserAction];

export interface CommandToolOf<A extends BrowserAction> {
  action: A;
  description: string;
  parameters: Commands[A]['parameters'];
  remoteEffect?: () => Commands[A]['effect'];
}

/** The tools that commands define themselves, by the names of the tools. */
export const COMMAND_TOOLS = Object.fromEntries(
  Object.entries(COMMANDS).flatMap(([action, { tool, parameters, effect }]) => {
    if (tool === undefined) return [];
    const { name, description, isRemote = false } = tool as { name: string; description: string; isRemote?: boolean };
    return [[name, { action, description, parameters, ...(isRemote ? { remoteEffect: () => effect } : {}) }]];
  }),
) as unknown as { [A in BrowserAction as ToolName<A>]: CommandToolOf<A> };

/** The name of the tool that a command defines; undefined where its tool is defined apart, or it has none. */
export function toolOfCommand(action: BrowserAction): string | undefined {
  return COMMANDS[action].tool?.name;
}
