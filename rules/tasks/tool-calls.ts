import type { AIGeneratedCommand, StepAction, StepParameters } from '../../contracts/commands/commands';
import type { BrowserToolArgs, BrowserToolName } from '../../contracts/tools/browser-tools';
import { toolOfCommand, type CommandWithTool } from '../../contracts/tools/command-tools';
import { refIn } from '../page-text/durable-target';
import type { GeneratedCall } from '../../contracts/model-port/language-model';

/** A command as a tool call, or the reason why no tool can run it. */
export type ToolCallResult = { kind: 'call'; call: GeneratedCall } | { kind: 'impossible'; message: string };

type Conversion = (parameters: StepParameters, ref: string | undefined) => ToolCallResult;

/** The longest wait of one call. */
const LONGEST_WAIT_S = 30;
const EXPECTED_WITHIN_S = 5;
const TICKS_OF_A_SCREEN = 5;

/**
 * How each command that steps may use becomes a call of the browser's tools. A command that defines its own tool needs no
 * entry: its parameters are the arguments.
 */
const CONVERSIONS: { readonly [A in Exclude<StepAction, CommandWithTool>]: Conversion } = {
  OPEN_PAGE: ({ url }) => toolCall('navigate', { url }),
  GO_BACK: () => toolCall('navigate', { url: 'back' }),
  GO_FORWARD: () => toolCall('navigate', { url: 'forward' }),
  CLICK_ELEMENT: (_, ref) => toolCall('computer', { action: 'left_click', ref }),
  DOUBLE_CLICK: (_, ref) => toolCall('computer', { action: 'double_click', ref }),
  RIGHT_CLICK: (_, ref) => toolCall('computer', { action: 'right_click', ref }),
  HOVER: (_, ref) => toolCall('computer', { action: 'hover', ref }),
  PRESS_AND_HOLD: ({ seconds }, ref) => toolCall('gesture', { action: 'hold', ref, seconds }),
  CHOOSE_MENU_ITEM: ({ path }, ref) => toolCall('menu', { ref, path }),
  DRAG_ELEMENT: drag,
  SCROLL: ({ to }, ref) => scroll(to, ref),
  SCROLL_UNTIL: ({ text }, ref) =>
    ref === undefined
      ? impossible(`The tools scroll within an element until a text shows, and not the page: name what has “${text}”.`)
      : toolCall('gesture', { action: 'scroll_until', ref, text }),
  PRESS_KEY: ({ key }, ref) => toolCall('computer', { action: 'key', text: key, ref }),
  INPUT_TEXT: ({ text }, ref) => toolCall('form_input', { ref, value: text }),
  SELECT_OPTION: ({ option, options, mode }, ref) =>
    options === undefined && mode === undefined
      ? toolCall('form_input', { ref, value: option })
      : toolCall('choose', { ref, options: options ?? [option!], mode }),
  SET_CHECKED: ({ checked }, ref) => toolCall('form_input', { ref, value: checked }),
  FOCUS_ELEMENT: (_, ref) => toolCall('gesture', { action: 'focus', ref }),
  UPLOAD_FILE: ({ files }, ref) => toolCall('upload', { ref, files }),
  DROP_FILES: ({ files }, ref) => toolCall('gesture', { action: 'drop_files', ref, files }),
  WAIT_FOR: ({ text, hidden, seconds }) =>
    toolCall('wait', { text, hidden, seconds: seconds === undefined ? undefined : Math.min(seconds, LONGEST_WAIT_S) }),
  EXPECT: ({ text, absent }) => toolCall('wait', { text, hidden: absent, seconds: EXPECTED_WITHIN_S }),
  SWITCH_TAB: ({ tab }) => toolCall('tabs', { tab }),
  HANDLE_DIALOG: ({ accept, promptText }) => toolCall('dialogs', { accept, text: promptText }),
  GET_DOM: () => toolCall('read_page', {}),
  SAVE_VARIABLE: () => impossible('A text is saved from the page as it was read, by no tool.'),
};

/** Converts a command to a call of the browser's tools. Commands that settleFromSnapshot settles are not converted. */
export function toToolCall({ action, parameters }: AIGeneratedCommand): ToolCallResult {
  const { selector } = parameters;
  const ref = selector === undefined ? undefined : refIn(selector);
  if (selector !== undefined && ref === undefined) return unreachable(selector);
  const tool = toolOfCommand(action);
  if (tool !== undefined) return { kind: 'call', call: { name: tool, args: JSON.stringify(parameters) } };
  return CONVERSIONS[action as keyof typeof CONVERSIONS](parameters, ref);
}

function drag({ toSelector, byX = 0, byY = 0 }: StepParameters, ref: string | undefined): ToolCallResult {
  if (toSelector === undefined) return toolCall('gesture', { action: 'drag', ref, by: [byX, byY] });
  const to_ref = refIn(toSelector);
  return to_ref === undefined ? unreachable(toSelector) : toolCall('gesture', { action: 'drag', ref, to_ref });
}

function scroll(to: StepParameters['to'], ref: string | undefined): ToolCallResult {
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

type Arguments<N extends BrowserToolName> = { [K in keyof BrowserToolArgs<N>]?: BrowserToolArgs<N>[K] | undefined };

function toolCall<N extends BrowserToolName>(name: N, args: Arguments<N>): ToolCallResult {
  return { kind: 'call', call: { name, args: JSON.stringify(args) } };
}

function unreachable(selector: string): ToolCallResult {
  return impossible(`The tools have no way to reach ${selector}: it has no ref on this page.`);
}

function impossible(message: string): ToolCallResult {
  return { kind: 'impossible', message };
}
