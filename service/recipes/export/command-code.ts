import type { BrowserParameters, StepAction } from '../../../contracts/commands/commands';
import { STEP_ACTIONS } from '../../../contracts/commands/commands';
import type { ElementState } from '../../../contracts/commands/definitions/waiting';
import type { RecipeCommand } from '../../../contracts/recipes/recipe';
import { code, indented, joined, type Code } from './code';
import { equalsCode, locatorCode, targetCode } from './locator-code';
import { gotoCode } from './goto-code';
import { NotExportable, type TestWriter } from './test-writer';

/** One command with the code of its elements. */
interface Written {
  writer: TestWriter;
  parameters: BrowserParameters;
  /** Code of the element; throws where the command names none. */
  element: () => Code;
  hasElement: boolean;
  to: () => Code;
  role: string;
}

type Writer = (command: Written) => Code[];

const FIELDS: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider']);

/** Each command of steps as Playwright does it. */
const WRITERS: Record<StepAction, Writer> = {
  OPEN_PAGE: ({ writer, parameters: { url = '' } }) => [gotoCode(writer, url)],
  CLICK_ELEMENT: ({ element, parameters: { atX, atY } }) => [
    atX === undefined || atY === undefined
      ? code`await ${element()}.click();`
      : code`await ${element()}.click({ position: { x: ${atX}, y: ${atY} } });`,
  ],
  DOUBLE_CLICK: ({ element }) => [code`await ${element()}.dblclick();`],
  RIGHT_CLICK: ({ element }) => [code`await ${element()}.click({ button: 'right' });`],
  PRESS_AND_HOLD: ({ element, parameters: { seconds = 1 } }) => [
    code`await ${element()}.click({ delay: ${seconds * 1000} });`,
  ],
  HOVER: ({ element }) => [code`await ${element()}.hover();`],
  FOCUS_ELEMENT: ({ element }) => [code`await ${element()}.focus();`],
  DRAG_ELEMENT: ({ element, to, parameters: { toSelector } }) => {
    if (toSelector === undefined) throw new NotExportable('it drags by pixels, which another screen does not have');
    return [code`await ${element()}.dragTo(${to()});`];
  },
  CHOOSE_MENU_ITEM: ({ writer, element, parameters: { path = [] } }) => [
    code`await ${writer.helper('chooseItem')}(${element()}, ${writer.texts(path)});`,
  ],
  INPUT_TEXT: ({ writer, element, parameters: { text = '' } }) => [
    code`await ${element()}.fill(${writer.text(text)});`,
  ],
  SELECT_OPTION: ({ writer, element, parameters: { option, options, mode = 'replace' } }) => {
    if (mode !== 'replace') throw new NotExportable(`it changes a choice with the mode ${mode}; choose all options`);
    const chosen = options ?? (option === undefined ? [] : [option]);
    return [code`await ${writer.helper('choose')}(${element()}, ${writer.texts(chosen)});`];
  },
  SET_CHECKED: ({ writer, element, role, parameters: { checked = true } }) => [
    role === 'button'
      ? code`await ${writer.helper('setPressed')}(${element()}, ${checked});`
      : code`await ${element()}.${checked ? code`check` : code`uncheck`}();`,
  ],
  PRESS_KEY: ({ element, hasElement, parameters: { key = '' } }) => [
    code`await ${hasElement ? element() : code`page.keyboard`}.press(${key});`,
  ],
  WAIT_FOR: ({ writer, parameters: { text, hidden = false, seconds } }) => {
    if (text === undefined) return [code`await page.waitForTimeout(${(seconds ?? 0) * 1000});`];
    const options = [
      ...(hidden ? [code`absent: true`] : []),
      ...(seconds === undefined ? [] : [code`timeout: ${seconds * 1000}`]),
    ];
    return [expectTextCode(writer, writer.pattern(text), options)];
  },
  EXPECT: expectation,
  GO_BACK: () => [code`await page.goBack();`],
  GO_FORWARD: () => [code`await page.goForward();`],
  RELOAD_PAGE: () => [code`await page.reload();`],
  SCROLL: ({ element, hasElement, parameters: { to = 'down' } }) => [
    scrollCode(to, hasElement ? element() : undefined),
  ],
  SCROLL_UNTIL: ({ writer, element, hasElement, parameters: { text = '' } }) => [
    code`await expect(async () => {`,
    ...indented([
      scrollCode('down', hasElement ? element() : undefined),
      expectTextCode(writer, writer.pattern(text), [code`timeout: 500`]),
    ]),
    code`}).toPass({ timeout: 20_000 });`,
  ],
  HANDLE_DIALOG: ({ writer, parameters: { accept = true, promptText } }) => [
    code`page.once('dialog', (dialog) => dialog.${accept ? code`accept(${promptText === undefined ? code`` : writer.text(promptText)})` : code`dismiss()`});`,
  ],
  SAVE_VARIABLE({ writer, element, parameters: { variableName = '', label, as } }) {
    if (as !== undefined) throw new NotExportable('it saves a number of a text, by rules that only Surefoot has');
    const variable = writer.variable(variableName);
    return [
      code`${variable} = await ${writer.helper('read')}(${element()});`,
      ...(label === undefined
        ? []
        : [code`${variable} = ${variable}.replace(${writer.text(label)}, '').replace(/^[\\s:=–—-]+/, '');`]),
      code`expect(${variable}, ${variableName}).not.toBe('');`,
    ];
  },
  UPLOAD_FILE: ({ writer, element, parameters: { files = [] } }) => {
    const uploaded = files.find((name) => name.startsWith('file_'));
    if (uploaded !== undefined)
      throw new NotExportable(`it uploads ${uploaded}, which only Surefoot has; name a file of the upload folder`);
    return [code`await ${writer.helper('give')}(${element()}, ${writer.texts(files)});`];
  },
  SAVE_PDF: ({ writer, parameters: { name = '' } }) => [
    code`await page.pdf({ path: ${writer.text(name)}, printBackground: true });`,
  ],
  SET_VIEWPORT: ({ parameters: { width = 1280, height = 720 } }) => [
    code`await page.setViewportSize({ width: ${width}, height: ${height} });`,
  ],
  SET_GEOLOCATION: ({ parameters: { latitude = 0, longitude = 0, accuracy = 10 } }) => [
    code`await page.context().setGeolocation({ latitude: ${latitude}, longitude: ${longitude}, accuracy: ${accuracy} });`,
  ],
  SET_PERMISSIONS: ({ parameters: { permissions = [] } }) => [
    code`await page.context().clearPermissions();`,
    code`await page.context().grantPermissions(${permissions}, { origin: new URL(page.url()).origin });`,
  ],
  SET_HTTP_CREDENTIALS: ({ writer, parameters: { origin = '', username = '', password = '' } }) => [
    code`await page.context().setHTTPCredentials({ origin: ${writer.text(origin)}, username: ${writer.text(username)}, password: ${writer.text(password)} });`,
  ],
  // The page is read anew before each locator anyway.
  GET_DOM: () => [],
  DROP_FILES: refused('it drops files onto a page, which Playwright has no call for'),
  SWITCH_TAB: refused('it goes to another tab; export the steps of one tab'),
  OPEN_TAB: refused('it opens a tab; export the steps of one tab'),
  CLOSE_TAB: refused('it closes a tab; export the steps of one tab'),
};

/** The statements of a command. Where several elements are equal, their number is asserted first: another is another page. */
export function commandCode(writer: TestWriter, { action, parameters, target, toTarget }: RecipeCommand): Code[] {
  if (!isStepAction(action)) throw new NotExportable(`a Playwright test has no form of ${action}`);
  const { selector, toSelector } = parameters;
  const codeOf = (of: RecipeCommand['target'], plain: string | undefined) => (): Code => {
    if (of !== undefined) return targetCode(writer, of);
    if (plain === undefined) throw new NotExportable(`${action} names no element`);
    return locatorCode(writer, plain);
  };
  const counts = [target, toTarget].flatMap((each) =>
    each === undefined || each.of === 1
      ? []
      : [code`await expect(${equalsCode(writer, each)}).toHaveCount(${each.of});`],
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

export function expectTextCode(writer: TestWriter, pattern: Code, options: readonly Code[] = []): Code {
  const more = options.length === 0 ? code`` : code`, { ${joined(options, ', ')} }`;
  writer.helper('shownText');
  return code`await ${writer.helper('expectText')}(page, ${pattern}${more});`;
}

function expectation({ writer, element, hasElement, role, parameters }: Written): Code[] {
  const { text, url, title, absent = false, roles, count, state, matchCase = false } = parameters;
  const not = absent ? code`.not` : code``;
  const pattern = text === undefined ? undefined : writer.pattern(text, { matchCase });
  const ofElement = () => {
    if (count !== undefined) return countCode(code`${element()}`, roles ?? [], count, not);
    if (state !== undefined) return code`await expect(${element()})${STATES[state](absent)};`;
    if (pattern === undefined) return code`await expect(${element()})${not}.toBeVisible();`;
    return code`await expect(${element()})${not}.${FIELDS.has(role) ? code`toHaveValue` : code`toContainText`}(${pattern});`;
  };
  const [first, ...others] =
    pattern === undefined ? [] : (roles ?? []).map((each) => code`page.getByRole(${each}, { name: ${pattern} })`);
  const alternatives = joined(others.map((each) => code`.or(${each})`));
  return [
    ...(url === undefined
      ? []
      : [code`await expect(page)${not}.toHaveURL(${writer.pattern(url, { matchCase: true })});`]),
    ...(title === undefined ? [] : [code`await expect(page)${not}.toHaveTitle(${writer.pattern(title)});`]),
    ...(hasElement ? [ofElement()] : []),
    ...(!hasElement && count !== undefined ? [countCode(code`page`, roles ?? [], count, not)] : []),
    ...(!hasElement && first !== undefined
      ? [code`await expect(${first}${alternatives}.first())${not}.toBeVisible();`]
      : []),
    ...(!hasElement && first === undefined && pattern !== undefined
      ? [expectTextCode(writer, pattern, absent ? [code`absent: true`] : [])]
      : []),
  ];
}

/** A row of headings counts as none. */
function countCode(root: Code, roles: readonly string[], count: number, not: Code): Code {
  const cells = code`page.getByRole('cell').or(page.getByRole('gridcell'))`;
  const [first = code``, ...others] = roles.map((role) => {
    const all = code`${root}.getByRole(${role})`;
    return role === 'row' ? code`${all}.filter({ has: ${cells} })` : all;
  });
  const all = joined([first, ...others.map((each) => code`.or(${each})`)]);
  return code`await expect(${all}.filter({ visible: true }))${not}.toHaveCount(${count});`;
}

const assertion =
  (call: Code) =>
  (absent: boolean): Code =>
    absent ? code`.not.${call}` : code`.${call}`;
const opposite =
  (call: Code) =>
  (absent: boolean): Code =>
    absent ? code`.${call}` : code`.not.${call}`;

const STATES: Record<ElementState, (absent: boolean) => Code> = {
  checked: assertion(code`toBeChecked()`),
  unchecked: opposite(code`toBeChecked()`),
  enabled: assertion(code`toBeEnabled()`),
  disabled: assertion(code`toBeDisabled()`),
  expanded: assertion(code`toHaveAttribute('aria-expanded', 'true')`),
  collapsed: assertion(code`toHaveAttribute('aria-expanded', 'false')`),
  focused: assertion(code`toBeFocused()`),
  empty: assertion(code`toHaveValue('')`),
  filled: opposite(code`toHaveValue('')`),
  required: assertion(code`toHaveJSProperty('required', true)`),
  invalid: assertion(code`toHaveJSProperty('validity.valid', false)`),
  valid: assertion(code`toHaveJSProperty('validity.valid', true)`),
};

const SCROLLS: Record<Exclude<NonNullable<BrowserParameters['to']>, 'element'>, Code> = {
  up: code`(0, -600)`,
  down: code`(0, 600)`,
  left: code`(-600, 0)`,
  right: code`(600, 0)`,
  top: code`(0, -1000000)`,
  bottom: code`(0, 1000000)`,
};

function scrollCode(to: NonNullable<BrowserParameters['to']>, element: Code | undefined): Code {
  if (to === 'element') return code`await ${element ?? code`page`}.scrollIntoViewIfNeeded();`;
  const scroll = code`scrollBy${SCROLLS[to]}`;
  return element === undefined
    ? code`await page.evaluate(() => ${scroll});`
    : code`await ${element}.evaluate((node) => node.${scroll});`;
}

function refused(reason: string): Writer {
  return () => {
    throw new NotExportable(reason);
  };
}

function isStepAction(action: string): action is StepAction {
  return (STEP_ACTIONS as readonly string[]).includes(action);
}
