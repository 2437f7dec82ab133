import type { CallExpression } from 'acorn';
import type { BrowserAction, BrowserParameters } from '../../../contracts/commands/commands';
import type { ElementState } from '../../../contracts/commands/definitions/waiting';
import type { ExpressionReader } from './expressions';

/** What a call does, without the element that it is called of. */
export interface Act {
  action: BrowserAction;
  parameters: BrowserParameters;
}

type Action = (reader: ExpressionReader, call: CallExpression) => Act;

const plain =
  (action: BrowserAction, parameters: BrowserParameters = {}): Action =>
  (reader, call) => (reader.expectArguments(call, 0), { action, parameters });

/** Calls of a locator that act; the selector is added. */
export const ACTIONS: Record<string, Action> = {
  click,
  dblclick: plain('DOUBLE_CLICK'),
  hover: plain('HOVER'),
  clear: plain('INPUT_TEXT', { text: '' }),
  check: plain('SET_CHECKED', { checked: true }),
  uncheck: plain('SET_CHECKED', { checked: false }),
  fill: (reader, call) => (
    reader.expectArguments(call, 1),
    { action: 'INPUT_TEXT', parameters: { text: reader.text(call.arguments[0], call) } }
  ),
  press: (reader, call) => (
    reader.expectArguments(call, 1),
    { action: 'PRESS_KEY', parameters: { key: reader.plainText(call.arguments[0], call) } }
  ),
  setChecked: (reader, call) => (
    reader.expectArguments(call, 1),
    { action: 'SET_CHECKED', parameters: { checked: reader.boolean(call.arguments[0], call) } }
  ),
  selectOption: (reader, call) => {
    reader.expectArguments(call, 1);
    const options = reader.texts(call.arguments[0], call);
    return { action: 'SELECT_OPTION', parameters: options.length === 1 ? { option: options[0] } : { options } };
  },
  setInputFiles: (reader, call) => (
    reader.expectArguments(call, 1),
    { action: 'UPLOAD_FILE', parameters: { files: reader.texts(call.arguments[0], call) } }
  ),
};

/** A click with the right button, or at a place of the element in pixels from its upper left corner. */
function click(reader: ExpressionReader, call: CallExpression): Act {
  if (call.arguments.length === 0) return { action: 'CLICK_ELEMENT', parameters: {} };
  const { button, position, ...others } = reader.members(call.arguments[0], call);
  if (Object.keys(others).length > 0 || (button !== undefined && position !== undefined))
    return reader.refuse(call, 'a click takes no options but button: right, or position');
  if (position !== undefined) {
    const { x, y, ...more } = reader.members(position, call);
    if (Object.keys(more).length > 0) return reader.refuse(call, 'a position has x and y');
    const [atX, atY] = [reader.number(x, call), reader.number(y, call)];
    return { action: 'CLICK_ELEMENT', parameters: { atX, atY } };
  }
  if (reader.plainText(button, call) === 'right') return { action: 'RIGHT_CLICK', parameters: {} };
  return reader.refuse(call, 'a click takes no options but button: right, or position');
}

/** What is expected of an element: that it is seen, a text that is the argument, or a state with its opposite. */
export const EXPECTATIONS: Record<string, 'visible' | 'text' | [is: ElementState, isNot: ElementState]> = {
  toBeVisible: 'visible',
  toHaveText: 'text',
  toContainText: 'text',
  toHaveValue: 'text',
  toBeChecked: ['checked', 'unchecked'],
  toBeEnabled: ['enabled', 'disabled'],
  toBeDisabled: ['disabled', 'enabled'],
  toBeEmpty: ['empty', 'filled'],
};

/** A line of an ARIA snapshot: `- heading "Cart" [level=1]`, `- listitem: Rope`, `- text: Total`. */
const ARIA_LINE = /^\s*-\s+([a-z]+)(?:\s+"((?:[^"\\]|\\.)*)")?((?:\s*\[[^\]]*\])*)(?::(?:\s+(.+))?)?$/;

/** What an ARIA snapshot says is there, as one expectation a name or text. */
export function readAriaSnapshot(reader: ExpressionReader, call: CallExpression): BrowserParameters[] {
  reader.expectArguments(call, 1);
  const lines = reader.plainText(call.arguments[0], call).split('\n');
  const expected = lines.flatMap((line): BrowserParameters[] => {
    if (line.trim() === '' || /^\s*-\s+\/\w+:/.test(line)) return [];
    const [, role = '', name, , text] = ARIA_LINE.exec(line) ?? [];
    if (role === '') return reader.refuse(call, `the line “${line.trim()}” of the snapshot is not taken`);
    const said = text?.replace(/^(["'])(.*)\1$/, '$2');
    return [
      ...(name === undefined ? [] : [{ text: name.replaceAll(/\\(.)/g, '$1'), roles: [role] }]),
      ...(said === undefined ? [] : [{ text: said }]),
    ];
  });
  return expected.length === 0 ? reader.refuse(call, 'the snapshot names nothing') : expected;
}
