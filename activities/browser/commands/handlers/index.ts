import type { Locator } from 'playwright';
import type { BrowserAction, BrowserParameters } from '../../../../contracts/commands/commands';
import type { CommandContext, CommandHandler, CommandResult } from './command-handler';
import { dialogHandlers } from './dialogs';
import { environmentHandlers } from './environment';
import { fieldHandlers } from './fields';
import { fileHandlers } from './files';
import { keyHandlers } from './keys';
import { mouseHandlers } from './mouse';
import { pageHandlers } from './pages';
import { readingHandlers } from './reading';
import { screenshotHandlers } from './screenshots';
import { scriptHandlers } from './scripts';
import { snapshotHandlers } from './snapshots';
import { tabHandlers } from './tabs';
import { waitingHandlers } from './waiting';

const COMMAND_HANDLERS: { [A in BrowserAction]: CommandHandler<A> } = {
  ...dialogHandlers,
  ...environmentHandlers,
  ...fieldHandlers,
  ...fileHandlers,
  ...keyHandlers,
  ...mouseHandlers,
  ...pageHandlers,
  ...readingHandlers,
  ...screenshotHandlers,
  ...scriptHandlers,
  ...snapshotHandlers,
  ...tabHandlers,
  ...waitingHandlers,
};

interface PreparedContext extends Omit<CommandContext<BrowserAction>, 'element' | 'parameters'> {
  element: Locator | undefined;
  parameters: BrowserParameters;
}

/** Runs a command that `prepare` has checked: its parameters and its element are those that the handler of this action takes. */
export async function handleCommand(action: BrowserAction, context: PreparedContext): Promise<CommandResult | void> {
  const handler = COMMAND_HANDLERS[action] as (context: PreparedContext) => Promise<CommandResult | void>;
  return await handler(context);
}
