import { COMMANDS, type BrowserAction, type BrowserParameters } from './commands';
import type { SummaryOf } from './define-command';

/** Renders a command in one line: `CLICK_ELEMENT button "Sign in"`, `INPUT_TEXT textbox "Username" <- "ada"`. */
export function toCommandText({
  action,
  parameters,
}: {
  action: BrowserAction;
  parameters: BrowserParameters;
}): string {
  const summary = COMMANDS[action].summary as SummaryOf<BrowserParameters>;
  return [action, ...summary(parameters).filter((part) => typeof part === 'string')].join(' ');
}
