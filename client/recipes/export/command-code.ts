import type { BrowserParameters, StepAction } from '../../../contracts/commands/commands';
import { STEP_ACTIONS } from '../../../contracts/commands/commands';
import type { ElementState } from '../../../contracts/commands/definitions/waiting';
import type { RecipeCommand } from '../../../contracts/recipes/recipe';
import { literal } from './code';
import { equalsCode, locatorCode, targetCode } from './locator-code';
import { NotExportable, type TestWriter } from './test-writer';

/** One command with the code of its elements. */
interface Written {
  writer: TestWriter;
  parameters: BrowserParameters;
  /** Code of the element; throws where the command names none. */
  element: () => string;
  hasElement: boolean;
  to: () => string;
  role: string;
}

type Writer = (command: Written) => string[];

const FIELDS: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider']);

/** Each command of steps as Playwright does it. */
const WRITERS: Record<StepAction, Writer> = {
  OPEN_PAGE: ({ writer, parameters: { url = '' } }) => [`await page.goto(${writer.text(url)});`],
  CLICK_ELEMENT: ({ element }) => [`await ${element()}.click();`],
  DOUBLE_CLICK: ({ element }) => [`await ${element()}.dblclick();`],
  RIGHT_CLICK: ({ element }) => [`await ${element()}.click({ button: 'right' });`],
  PRESS_AND_HOLD: ({ element, parameters: { seconds = 1 } }) => [
    `await ${element()}.click({ delay: ${seconds * 1000} });`,
  ],
  HOVER: ({ element }) => [`await ${element()}.hover();`],
  FOCUS_ELEMENT: ({ element }) => [`await ${element()}.focus();`],
  DRAG_ELEMENT: ({ element, to, parameters: { toSelector } }) => {
    if (toSelector === undefined) throw new NotExportable('it drags by pixels, which another screen does not have');
    return [`await ${element()}.dragTo(${to()});`];
  },
  CHOOSE_MENU_ITEM: ({ writer, element, parameters: { path = [] } }) => [
    `await ${writer.helper('chooseItem')}(${element()}, ${list(writer, path)});`,
  ],
  INPUT_TEXT: ({ writer, element, parameters: { text = '' } }) => [`await ${element()}.fill(${writer.text(text)});`],
  SELECT_OPTION: ({ writer, element, parameters: { option, options, mode = 'replace' } }) => {
    if (mode !== 'replace') throw new NotExportable(`it changes a choice with the mode ${mode}; choose all options`);
    const chosen = options ?? (option === undefined ? [] : [option]);
    return [`await ${writer.helper('choose')}(${element()}, ${list(writer, chosen)});`];
  },
  SET_CHECKED: ({ writer, element, role, parameters: { checked = true } }) => [
    role === 'button'
      ? `await ${writer.helper('setPressed')}(${element()}, ${checked});`
      : `await ${element()}.${checked ? 'check' : 'uncheck'}();`,
  ],
  PRESS_KEY: ({ element, hasElement, parameters: { key = '' } }) => [
    `await ${hasElement ? element() : 'page.keyboard'}.press(${literal(key)});`,
  ],
  WAIT_FOR: ({ writer, parameters: { text, hidden = false, seconds } }) => {
    if (text === undefined) return [`await page.waitForTimeout(${(seconds ?? 0) * 1000});`];
    const options = [
      ...(hidden ? ['absent: true'] : []),
      ...(seconds === undefined ? [] : [`timeout: ${seconds * 1000}`]),
    ];
    return [expectTextCode(writer, writer.pattern(text), options)];
  },
  EXPECT: expectation,
  GO_BACK: () => ['await page.goBack();'],
  GO_FORWARD: () => ['await page.goForward();'],
  RELOAD_PAGE: () => ['await page.reload();'],
  SCROLL: ({ element, hasElement, parameters: { to = 'down' } }) => [
    scrollCode(to, hasElement ? element() : undefined),
  ],
  SCROLL_UNTIL: ({ writer, element, hasElement, parameters: { text = '' } }) => [
    'await expect(async () => {',
    `  ${scrollCode('down', hasElement ? element() : undefined)}`,
    `  ${expectTextCode(writer, writer.pattern(text), ['timeout: 500'])}`,
    '}).toPass({ timeout: 20_000 });',
  ],
  HANDLE_DIALOG: ({ writer, parameters: { accept = true, promptText } }) => [
    `page.once('dialog', (dialog) => dialog.${accept ? `accept(${promptText === undefined ? '' : writer.text(promptText)})` : 'dismiss()'});`,
  ],
  SAVE_VARIABLE: ({ writer, element, parameters: { variableName = '' } }) => [
    `${writer.variable(variableName)} = await ${writer.helper('read')}(${element()});`,
    `expect(${writer.variable(variableName)}, ${literal(variableName)}).not.toBe('');`,
  ],
  UPLOAD_FILE: ({ writer, element, parameters: { files = [] } }) => {
    const uploaded = files.find((name) => name.startsWith('file_'));
    if (uploaded !== undefined)
      throw new NotExportable(`it uploads ${uploaded}, which only Surefoot has; name a file of the upload folder`);
    return [`await ${writer.helper('give')}(${element()}, ${list(writer, files)});`];
  },
  SET_VIEWPORT: ({ parameters: { width = 1280, height = 720 } }) => [
    `await page.setViewportSize({ width: ${width}, height: ${height} });`,
  ],
  SET_GEOLOCATION: ({ parameters: { latitude = 0, longitude = 0, accuracy = 10 } }) => [
    `await page.context().setGeolocation({ latitude: ${latitude}, longitude: ${longitude}, accuracy: ${accuracy} });`,
  ],
  SET_PERMISSIONS: ({ parameters: { permissions = [] } }) => [
    'await page.context().clearPermissions();',
    `await page.context().grantPermissions([${permissions.map(literal).join(', ')}], { origin: new URL(page.url()).origin });`,
  ],
  SET_HTTP_CREDENTIALS: ({ writer, parameters: { origin = '', username = '', password = '' } }) => [
    `await page.context().setHTTPCredentials({ origin: ${writer.text(origin)}, username: ${writer.text(username)}, password: ${writer.text(password)} });`,
  ],
  // The page is read anew before each locator anyway.
  GET_DOM: () => [],
  DROP_FILES: refused('it drops files onto a page, which Playwright has no call for'),
  SWITCH_TAB: refused('it goes to another tab; export the steps of one tab'),
  OPEN_TAB: refused('it opens a tab; export the steps of one tab'),
  CLOSE_TAB: refused('it closes a tab; export the steps of one tab'),
};

/** The statements of a command. Where several elements are equal, their number is asserted first: another is another page. */
export function commandCode(writer: TestWriter, { action, parameters, target, toTarget }: RecipeCommand): string[] {
  if (!isStepAction(action)) throw new NotExportable(`a Playwright test has no form of ${action}`);
  const { selector, toSelector } = parameters;
  const codeOf = (of: RecipeCommand['target'], plain: string | undefined) => (): string => {
    if (of !== undefined) return targetCode(writer, of);
    if (plain === undefined) throw new NotExportable(`${action} names no element`);
    return locatorCode(writer, plain);
  };
  const counts = [target, toTarget].flatMap((each) =>
    each === undefined || each.of === 1 ? [] : [`await expect(${equalsCode(writer, each)}).toHaveCount(${each.of});`],
  );
  const statements = WRITERS[action]({
    writer,
    parameters,
    element: codeOf(target, selector),
    hasElement: target !== undefined || selector !== undefined,
    to: codeOf(toTarget, toSelector),
    role: target?.role ?? '',
  });
  return [...counts, ...statements];
}

export function expectTextCode(writer: TestWriter, pattern: string, options: readonly string[] = []): string {
  const more = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  writer.helper('shownText');
  return `await ${writer.helper('expectText')}(page, ${pattern}${more});`;
}

function expectation({ writer, element, hasElement, role, parameters }: Written): string[] {
  const { text, url, title, absent = false, roles, state, matchCase = false } = parameters;
  const not = absent ? '.not' : '';
  const pattern = text === undefined ? undefined : writer.pattern(text, { matchCase });
  const ofElement = () => {
    if (state !== undefined) return `await expect(${element()})${STATES[state](absent)};`;
    if (pattern === undefined) return `await expect(${element()})${not}.toBeVisible();`;
    return `await expect(${element()})${not}.${FIELDS.has(role) ? 'toHaveValue' : 'toContainText'}(${pattern});`;
  };
  const named = (roles ?? []).map((each) => `page.getByRole(${literal(each)}, { name: ${pattern} })`);
  const [first, ...others] = named;
  const anyOf = () => `${first}${others.map((each) => `.or(${each})`).join('')}.first()`;
  return [
    ...(url === undefined ? [] : [`await expect(page)${not}.toHaveURL(${writer.pattern(url, { matchCase: true })});`]),
    ...(title === undefined ? [] : [`await expect(page)${not}.toHaveTitle(${writer.pattern(title)});`]),
    ...(hasElement ? [ofElement()] : []),
    ...(!hasElement && first !== undefined ? [`await expect(${anyOf()})${not}.toBeVisible();`] : []),
    ...(!hasElement && first === undefined && pattern !== undefined
      ? [expectTextCode(writer, pattern, absent ? ['absent: true'] : [])]
      : []),
  ];
}

const assertion =
  (call: string) =>
  (absent: boolean): string =>
    `${absent ? '.not' : ''}.${call}`;
const opposite =
  (call: string) =>
  (absent: boolean): string =>
    `${absent ? '' : '.not'}.${call}`;

const STATES: Record<ElementState, (absent: boolean) => string> = {
  checked: assertion('toBeChecked()'),
  unchecked: opposite('toBeChecked()'),
  enabled: assertion('toBeEnabled()'),
  disabled: assertion('toBeDisabled()'),
  expanded: assertion("toHaveAttribute('aria-expanded', 'true')"),
  collapsed: assertion("toHaveAttribute('aria-expanded', 'false')"),
  focused: assertion('toBeFocused()'),
  empty: assertion("toHaveValue('')"),
  filled: opposite("toHaveValue('')"),
  required: assertion("toHaveJSProperty('required', true)"),
  invalid: assertion("toHaveJSProperty('validity.valid', false)"),
  valid: assertion("toHaveJSProperty('validity.valid', true)"),
};

function scrollCode(to: NonNullable<BrowserParameters['to']>, element: string | undefined): string {
  if (to === 'element') return `await ${element ?? 'page'}.scrollIntoViewIfNeeded();`;
  const [x, y] = { up: [0, -600], down: [0, 600], left: [-600, 0], right: [600, 0], top: [0, -1e6], bottom: [0, 1e6] }[
    to
  ];
  const code = `scrollBy(${x}, ${y})`;
  return element === undefined
    ? `await page.evaluate(() => ${code});`
    : `await ${element}.evaluate((node) => node.${code});`;
}

function list(writer: TestWriter, texts: readonly string[]): string {
  return `[${texts.map((text) => writer.text(text)).join(', ')}]`;
}

function refused(reason: string): Writer {
  return () => {
    throw new NotExportable(reason);
  };
}

function isStepAction(action: string): action is StepAction {
  return (STEP_ACTIONS as readonly string[]).includes(action);
}
