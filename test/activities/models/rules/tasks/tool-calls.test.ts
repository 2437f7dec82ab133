import { STEP_ACTIONS, type StepAction, type StepParameters } from '../../../../../contracts/commands/commands';
import { BROWSER_TOOLS, isBrowserTool } from '../../../../../contracts/tools/browser-tools';
import { toToolCall } from '../../../../../rules/tasks/tool-calls';

const selector = 'ref=e7';

/** A command of each kind, as rules gives it, and the tool that does it; undefined where none does. */
const ROWS: Record<StepAction, [StepParameters, string | undefined]> = {
  OPEN_PAGE: [{ url: 'https://shop.example/' }, 'navigate'],
  GO_BACK: [{}, 'navigate'],
  GO_FORWARD: [{}, 'navigate'],
  RELOAD_PAGE: [{}, 'reload'],
  CLICK_ELEMENT: [{ selector }, 'computer'],
  DOUBLE_CLICK: [{ selector }, 'computer'],
  RIGHT_CLICK: [{ selector }, 'computer'],
  HOVER: [{ selector }, 'computer'],
  PRESS_AND_HOLD: [{ selector, seconds: 2 }, 'gesture'],
  CHOOSE_MENU_ITEM: [{ selector, path: ['File', 'Print'] }, 'menu'],
  DRAG_ELEMENT: [{ selector, toSelector: 'ref=e8' }, 'gesture'],
  SCROLL: [{ to: 'down' }, 'computer'],
  SCROLL_UNTIL: [{ selector, text: 'Order 90' }, 'gesture'],
  PRESS_KEY: [{ key: 'Enter' }, 'computer'],
  INPUT_TEXT: [{ selector, text: 'Ada' }, 'form_input'],
  SELECT_OPTION: [{ selector, options: ['Red', 'Blue'], mode: 'add' }, 'choose'],
  SET_CHECKED: [{ selector, checked: true }, 'form_input'],
  FOCUS_ELEMENT: [{ selector }, 'gesture'],
  UPLOAD_FILE: [{ selector, files: ['letter.pdf'] }, 'upload'],
  DROP_FILES: [{ selector, files: ['letter.pdf'] }, 'gesture'],
  SAVE_PDF: [{ name: 'invoice.pdf' }, 'save_pdf'],
  WAIT_FOR: [{ text: 'Sent' }, 'wait'],
  EXPECT: [{ text: 'Sent' }, 'wait'],
  SWITCH_TAB: [{ tab: 'last' }, 'tabs'],
  OPEN_TAB: [{ url: 'https://shop.example/' }, 'open_tab'],
  CLOSE_TAB: [{}, 'close_tab'],
  HANDLE_DIALOG: [{ accept: true }, 'dialogs'],
  SET_VIEWPORT: [{ width: 800, height: 600 }, 'set_viewport'],
  SET_GEOLOCATION: [{ latitude: 52.5, longitude: 13.4 }, 'set_geolocation'],
  SET_PERMISSIONS: [{ permissions: ['geolocation'] }, 'set_permissions'],
  SET_HTTP_CREDENTIALS: [
    { origin: 'https://shop.example', username: 'ada', password: '${password}' },
    'set_http_credentials',
  ],
  GET_DOM: [{}, 'read_page'],
  SAVE_VARIABLE: [{ selector, variableName: 'number' }, undefined],
};

test.each(STEP_ACTIONS)('a task of rules does %s by a tool that takes what it is given', (action) => {
  const [parameters, tool] = ROWS[action];
  const made = toToolCall({ action, parameters });
  expect(made.kind === 'call' ? made.call.name : undefined).toBe(tool);
  if (made.kind !== 'call' || !isBrowserTool(made.call.name)) return;
  const args: unknown = JSON.parse(made.call.args);
  expect(BROWSER_TOOLS[made.call.name].parameters.safeParse(args)).toMatchObject({ success: true });
});

test('a task of rules says what no tool reaches, and never that the command itself is unknown', () => {
  for (const action of STEP_ACTIONS) {
    const made = toToolCall({ action, parameters: { ...ROWS[action][0], selector: 'css=.gone' } });
    expect(made).toEqual({ kind: 'impossible', message: expect.stringContaining('it has no ref on this page') });
  }
  const made = toToolCall({ action: 'SCROLL_UNTIL', parameters: { text: 'Order 90' } });
  expect(made).toMatchObject({ kind: 'impossible', message: expect.stringContaining('name what has “Order 90”') });
});
