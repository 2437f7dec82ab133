import { parse as parseModule, type CallExpression, type Node, type Program, type Statement } from 'acorn';
import type { BrowserAction, BrowserParameters } from '../../../contracts/commands/commands';
import type { RecipeTarget } from '../../../contracts/recipes/recipe';
import { ExpressionReader, type Argument } from './expressions';
import { readLocator, type RecordedElement } from './locators';

/** One call of a recording as a command. */
export interface RecordedCommand {
  line: number;
  action: BrowserAction;
  parameters: BrowserParameters;
  target?: RecipeTarget | undefined;
  /** The whole address of the page, where the call says it. */
  address?: string | undefined;
}

/** A test, or one `test.step` of it. */
export interface RecordedStep {
  title: string;
  line: number;
  /** The first of its test, which begins on an empty page. */
  isFirst: boolean;
  commands: RecordedCommand[];
}

/** Reads the steps of a recording in the form of a Playwright test. Throws NotTaken with the line of what it doesn't take. */
export function readRecording(text: string, values: ReadonlyMap<string, string>): RecordedStep[] {
  const reader = new ExpressionReader(text, values);
  const steps = parse(text, reader).flatMap((statement) => {
    if (statement.type === 'ImportDeclaration') return [];
    const { name, call } = reader.callOf(statement);
    if (name === 'test') return testSteps(reader, call);
    return reader.refuse(statement);
  });
  if (steps.length === 0) reader.refuseAt(0, 'there is no test in it');
  return steps;
}

/** `playwright codegen` writes TypeScript without types, which is JavaScript. */
function parse(text: string, reader: ExpressionReader): Program['body'] {
  try {
    return parseModule(text, { ecmaVersion: 'latest', sourceType: 'module' }).body;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { pos } = error as SyntaxError & { pos: number };
    const problem = error.message.replace(/ \(\d+:\d+\)$/, '');
    return reader.refuseAt(
      pos,
      `${problem}. Expected JavaScript as \`playwright codegen --target playwright-test\` writes it; types such as \`: string\`, \`as\` and \`!\` are not taken`,
    );
  }
}

function testSteps(reader: ExpressionReader, call: CallExpression): RecordedStep[] {
  const whole = stepOf(reader, call, true);
  const statements = reader.bodyOf(call);
  const isStepped = statements.some((statement) => reader.callOf(statement).name === 'test.step');
  if (!isStepped) {
    const commands = statements.map((statement) => toCommand(reader, statement));
    return commands.length === 0 ? reader.refuse(call, 'the test does nothing') : [{ ...whole, commands }];
  }
  return statements.map((statement, position) => {
    const { name, call: inner } = reader.callOf(statement);
    if (name !== 'test.step') return reader.refuse(statement, 'a test with test.step has nothing outside of them');
    const commands = reader.bodyOf(inner).map((each) => toCommand(reader, each));
    if (commands.length === 0) reader.refuse(inner, 'the step does nothing');
    return { ...stepOf(reader, inner, position === 0), commands };
  });
}

function stepOf(reader: ExpressionReader, call: CallExpression, isFirst: boolean): Omit<RecordedStep, 'commands'> {
  return { title: reader.plainText(call.arguments[0], call), line: reader.lineOf(call), isFirst };
}

type Action = (reader: ExpressionReader, call: CallExpression) => Pick<RecordedCommand, 'action' | 'parameters'>;

/** Calls of a locator that act; the selector is added. */
const ACTIONS: Record<string, Action> = {
  click: (reader, call) => ({ action: isRightClick(reader, call) ? 'RIGHT_CLICK' : 'CLICK_ELEMENT', parameters: {} }),
  dblclick: (reader, call) => (reader.expectArguments(call, 0), { action: 'DOUBLE_CLICK', parameters: {} }),
  fill: (reader, call) => (
    reader.expectArguments(call, 1),
    { action: 'INPUT_TEXT', parameters: { text: reader.text(call.arguments[0], call) } }
  ),
  press: (reader, call) => (
    reader.expectArguments(call, 1),
    { action: 'PRESS_KEY', parameters: { key: reader.plainText(call.arguments[0], call) } }
  ),
  check: (reader, call) => (reader.expectArguments(call, 0), { action: 'SET_CHECKED', parameters: { checked: true } }),
  uncheck: (reader, call) => (
    reader.expectArguments(call, 0),
    { action: 'SET_CHECKED', parameters: { checked: false } }
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

/** What is expected of an element, with the text where it is one. */
const EXPECTATIONS: Record<string, 'visible' | 'text'> = {
  toBeVisible: 'visible',
  toHaveText: 'text',
  toContainText: 'text',
  toHaveValue: 'text',
};

function toCommand(reader: ExpressionReader, statement: Statement): RecordedCommand {
  const { call, name, object } = reader.callOf(statement);
  const line = reader.lineOf(statement);
  if (name === 'page.goto') {
    reader.expectArguments(call, 1);
    const address = reader.known(call.arguments[0]);
    return { line, action: 'OPEN_PAGE', parameters: { url: reader.text(call.arguments[0], call) }, address };
  }
  if (object === undefined) return reader.refuse(statement);
  const method = name.slice(name.lastIndexOf('.') + 1);
  const expected = reader.expectedOf(object);
  if (expected !== undefined) return expectation(reader, statement, call, method, expected, line);
  const action = ACTIONS[method];
  if (action === undefined) return reader.refuse(statement);
  const command = { line, ...withElement(action(reader, call), readLocator(reader, object)) };
  if (command.action === 'INPUT_TEXT') refusePassword(reader, statement, command);
  return command;
}

function expectation(
  reader: ExpressionReader,
  statement: Node,
  call: CallExpression,
  matcher: string,
  { subject, isNot }: { subject: Argument; isNot: boolean },
  line: number,
): RecordedCommand {
  const absent = isNot ? { absent: true } : {};
  if (matcher === 'toHaveURL' && reader.isPage(subject)) {
    reader.expectArguments(call, 1);
    const address = isNot ? undefined : reader.known(call.arguments[0]);
    return { line, action: 'EXPECT', parameters: { url: reader.text(call.arguments[0], call), ...absent }, address };
  }
  const kind = EXPECTATIONS[matcher];
  if (kind === undefined || reader.isPage(subject)) return reader.refuse(statement);
  reader.expectArguments(call, kind === 'text' ? 1 : 0);
  const text = kind === 'text' ? { text: reader.text(call.arguments[0], call) } : {};
  return {
    line,
    ...withElement({ action: 'EXPECT', parameters: { ...text, ...absent } }, readLocator(reader, subject)),
  };
}

function withElement(
  { action, parameters }: Pick<RecordedCommand, 'action' | 'parameters'>,
  { selector, target }: RecordedElement,
): Pick<RecordedCommand, 'action' | 'parameters' | 'target'> {
  return { action, parameters: { selector, ...parameters }, ...(target === undefined ? {} : { target }) };
}

const SECRET_FIELD = /pass(?:word|phrase|code)|\bpin\b|secret|token|\bcv[cv]\b/i;

/** What is typed there would stand in the recipe. */
function refusePassword(
  reader: ExpressionReader,
  statement: Node,
  { parameters: { selector = '', text = '' } }: RecordedCommand,
): void {
  if (!SECRET_FIELD.test(selector) || text === '' || /^\$\{\w+\}$/.test(text)) return;
  reader.refuse(
    statement,
    'it types what looks like a secret; name it with --secret NAME=ENV, so that the recipe has its name',
  );
}

function isRightClick(reader: ExpressionReader, call: CallExpression): boolean {
  if (call.arguments.length === 0) return false;
  const { button, ...others } = reader.options(call.arguments[0], call);
  if (button === 'right' && Object.keys(others).length === 0) return true;
  return reader.refuse(call, 'a click takes no options but button: right');
}
