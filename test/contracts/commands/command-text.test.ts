import { toCommandText } from '../../../contracts/commands/command-text';
import { BrowserActionSchema } from '../../../contracts/commands/commands';

test.each([
  [{ action: 'OPEN_PAGE', parameters: { url: 'http://shop/' } }, 'OPEN_PAGE http://shop/'],
  [
    { action: 'INPUT_TEXT', parameters: { selector: 'role=textbox', text: '[secret]' } },
    'INPUT_TEXT textbox <- "[secret]"',
  ],
  [{ action: 'SAVE_VARIABLE', parameters: { selector: 'text="7"', variableName: 'n' } }, 'SAVE_VARIABLE "7" as n'],
  [
    { action: 'SELECT_OPTION', parameters: { selector: 'role=combobox', option: 'M' } },
    'SELECT_OPTION combobox <- "M"',
  ],
  [{ action: 'SET_CHECKED', parameters: { selector: 'role=checkbox', checked: false } }, 'SET_CHECKED checkbox off'],
  [{ action: 'PRESS_KEY', parameters: { key: 'Enter' } }, 'PRESS_KEY Enter'],
  [{ action: 'WAIT_FOR', parameters: { text: 'Done', seconds: 5 } }, 'WAIT_FOR "Done" within 5 s'],
  [{ action: 'WAIT_FOR', parameters: { seconds: 2 } }, 'WAIT_FOR 2 s'],
  [{ action: 'EXPECT', parameters: { text: 'Error', absent: true } }, 'EXPECT "Error" absent'],
  [{ action: 'GO_BACK', parameters: {} }, 'GO_BACK'],
  [{ action: 'HANDLE_DIALOG', parameters: { accept: true } }, 'HANDLE_DIALOG accept'],
] as const)('a command reads in one line: %#', (command, text) => {
  expect(toCommandText({ ...command, action: BrowserActionSchema.parse(command.action) })).toBe(text);
});
