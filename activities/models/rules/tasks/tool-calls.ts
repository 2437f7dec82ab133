import type { AIGeneratedCommand } from '../../../../contracts/commands/commands';
import { refIn } from '../../../page-text/durable-target';
import type { GeneratedCall } from '../../../../contracts/model-port/language-model';

/** A command as a tool call, or the reason why no tool can run it. */
export type ToolCallResult = { kind: 'call'; call: GeneratedCall } | { kind: 'impossible'; message: string };

/** The longest wait of one call. */
const LONGEST_WAIT_S = 30;
const EXPECTED_WITHIN_S = 5;
const TICKS_OF_A_SCREEN = 5;

/** Converts a command to a call of the browser's tools. Commands that settleFromSnapshot settles are not converted. */
export function toToolCall({ action, parameters }: AIGeneratedCommand): ToolCallResult {
  const { url, selector, text, option, checked, key, to, hidden, seconds, tab, accept, promptText } = parameters;
  const ref = selector === undefined ? undefined : refIn(selector);
  if (selector !== undefined && ref === undefined)
    return { kind: 'impossible', message: `The tools have no way to reach ${selector}: it has no ref on this page.` };
  switch (action) {
    case 'OPEN_PAGE':
      return toolCall('navigate', { url });
    case 'GO_BACK':
      return toolCall('navigate', { url: 'back' });
    case 'CLICK_ELEMENT':
      return toolCall('computer', { action: 'left_click', ref });
    case 'PRESS_KEY':
      return toolCall('computer', { action: 'key', text: key, ref });
    case 'INPUT_TEXT':
      return toolCall('form_input', { ref, value: text });
    case 'SELECT_OPTION':
      return toolCall('form_input', { ref, value: option });
    case 'SET_CHECKED':
      return toolCall('form_input', { ref, value: checked });
    case 'SCROLL':
      return scrolling(to, ref);
    case 'WAIT_FOR':
      return toolCall('wait', {
        text,
        hidden,
        seconds: seconds === undefined ? undefined : Math.min(seconds, LONGEST_WAIT_S),
      });
    case 'EXPECT':
      return toolCall('wait', { text, hidden: parameters.absent, seconds: EXPECTED_WITHIN_S });
    case 'SWITCH_TAB':
      return toolCall('tabs', { tab });
    case 'HANDLE_DIALOG':
      return toolCall('dialogs', { accept, text: promptText });
    case 'GET_DOM':
      return toolCall('read_page', {});
    default:
      return { kind: 'impossible', message: `No tool of a task does what ${action} does.` };
  }
}

function scrolling(to: AIGeneratedCommand['parameters']['to'], ref: string | undefined): ToolCallResult {
  switch (to) {
    case 'element':
      return toolCall('computer', { action: 'scroll_to', ref });
    case 'top':
      return toolCall('computer', { action: 'key', text: 'Control+Home' });
    case 'bottom':
      return toolCall('computer', { action: 'key', text: 'Control+End' });
    default:
      return toolCall('computer', { action: 'scroll', scroll_direction: to, scroll_amount: TICKS_OF_A_SCREEN });
  }
}

function toolCall(name: string, args: Record<string, unknown>): ToolCallResult {
  return { kind: 'call', call: { name, args: JSON.stringify(args) } };
}
