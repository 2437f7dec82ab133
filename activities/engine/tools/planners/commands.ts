import { COMMANDS, type BrowserParameters } from '../../../../contracts/commands/commands';
import { COMMAND_TOOLS, type CommandToolName } from '../../../../contracts/tools/command-tools';
import type { BrowserPlan } from '../planning/browser-plan';
import type { Planners } from './planner';

/** Tools that commands define themselves: the arguments are the parameters of the command. */
export const commandPlanners = Object.fromEntries(
  Object.entries(COMMAND_TOOLS).map(([name, { action }]) => {
    const { classification, summary } = COMMANDS[action].tool!;
    const plan = (parameters: BrowserParameters) => ({
      action,
      parameters,
      classification,
      summary: (summary as (parameters: BrowserParameters) => string)(parameters),
    });
    return [name, plan as (parameters: BrowserParameters) => BrowserPlan];
  }),
) as unknown as Pick<Planners, CommandToolName>;
