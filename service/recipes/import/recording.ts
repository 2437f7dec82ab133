import { parse as parseModule, type CallExpression, type Node, type Program, type Statement } from 'acorn';
import { ACTIONS, EXPECTATIONS, readAriaSnapshot } from './actions';
import { RecordedTabs } from './tabs';
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

/**
 * Reads the steps of a recording as `playwright codegen` writes it: a test, or a program of the library, which is called
 * after its file. Throws NotTaken with the line of what it doesn't take.
 */
export function readRecording(text: string, values: ReadonlyMap<string, string>, from: string): RecordedStep[] {
  const reader = new ExpressionReader(text, values);
  const steps = parse(text, reader).flatMap((statement) => {
    if (statement.type === 'ImportDeclaration' || isRequire(statement)) return [];
    const body = reader.bodyOfCalled(statement);
    if (body !== undefined) return librarySteps(reader, statement, body, from);
    const { name, call } = reader.callOf(statement);
    // The browser that it was recorded in is another one.
    if (name === 'test.use') return [];
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
  const tabs = new RecordedTabs(reader);
  const isStepped = statements.some(
    (statement) => statement.type === 'ExpressionStatement' && reader.callOf(statement).name === 'test.step',
  );
  if (!isStepped) {
    const commands = toCommands(reader, tabs, statements);
    return commands.length === 0 ? reader.refuse(call, 'the test does nothing') : [{ ...whole, commands }];
  }
  return statements.map((statement, position) => {
    const { name, call: inner } = reader.callOf(statement);
    if (name !== 'test.step') return reader.refuse(statement, 'a test with test.step has nothing outside of them');
    const commands = toCommands(reader, tabs, reader.bodyOf(inner));
    if (commands.length === 0) reader.refuse(inner, 'the step does nothing');
    return { ...stepOf(reader, inner, position === 0), commands };
  });
}

/** What a program of the library does beside its page: it starts and ends the browser. */
const AROUND_PAGE =
  /^(?:chromium|firefox|webkit)\.launch$|^browser\.(?:newContext|close)$|^context\.(?:newPage|close)$/;

function librarySteps(reader: ExpressionReader, whole: Node, body: readonly Statement[], from: string): RecordedStep[] {
  const own = body.filter((statement) => {
    const expression =
      statement.type === 'VariableDeclaration'
        ? statement.declarations[0]?.init
        : statement.type === 'ExpressionStatement'
          ? statement.expression
          : undefined;
    const isCall = expression?.type === 'AwaitExpression' && expression.argument.type === 'CallExpression';
    return !(isCall && AROUND_PAGE.test(reader.callOf(expression).name));
  });
  const commands = toCommands(reader, new RecordedTabs(reader), own);
  if (commands.length === 0) return reader.refuse(whole, 'the recording does nothing');
  return [{ title: from.replace(/\.\w+$/, ''), line: reader.lineOf(whole), isFirst: true, commands }];
}

function isRequire(statement: Program['body'][number]): boolean {
  const [declared] = statement.type === 'VariableDeclaration' ? statement.declarations : [];
  return (
    declared?.init?.type === 'CallExpression' &&
    declared.init.callee.type === 'Identifier' &&
    declared.init.callee.name === 'require'
  );
}

function stepOf(reader: ExpressionReader, call: CallExpression, isFirst: boolean): Omit<RecordedStep, 'commands'> {
  return { title: reader.plainText(call.arguments[0], call), line: reader.lineOf(call), isFirst };
}

/** The commands of the statements of one test or recording. */
function toCommands(reader: ExpressionReader, tabs: RecordedTabs, statements: readonly Statement[]): RecordedCommand[] {
  return statements.flatMap((statement) => {
    const line = reader.lineOf(statement);
    return actsOf(reader, tabs, statement).map((act) => ({ line, ...act }));
  });
}

type RecordedAct = Omit<RecordedCommand, 'line'>;

function actsOf(reader: ExpressionReader, tabs: RecordedTabs, statement: Statement): RecordedAct[] {
  const declared = tabs.declaration(statement);
  if (declared !== undefined) return declared;
  const { call, name, object } = reader.callOf(statement);
  if (object === undefined) return reader.refuse(statement);
  const before = tabs.toFront(object);
  const method = name.slice(name.lastIndexOf('.') + 1);
  if (tabs.isPage(object)) return [...before, ...pageActs(reader, tabs, statement, method, call)];
  const expected = reader.expectedOf(object);
  if (expected !== undefined) return [...before, ...expectations(reader, tabs, statement, call, method, expected)];
  const action = Object.hasOwn(ACTIONS, method) ? ACTIONS[method] : undefined;
  if (action === undefined) return reader.refuse(statement);
  const act = withElement(
    action(reader, call),
    readLocator(reader, object, (node) => tabs.isPage(node)),
  );
  if (act.action === 'INPUT_TEXT') refusePassword(reader, statement, act);
  return [...before, act];
}

function pageActs(
  reader: ExpressionReader,
  tabs: RecordedTabs,
  statement: Statement,
  method: string,
  call: CallExpression,
): RecordedAct[] {
  if (method === 'once') return tabs.dialog(call);
  if (method === 'close') return (reader.expectArguments(call, 0), tabs.close());
  if (method !== 'goto') return reader.refuse(statement);
  reader.expectArguments(call, 1);
  const address = reader.known(call.arguments[0]);
  return [{ action: 'OPEN_PAGE', parameters: { url: reader.text(call.arguments[0], call) }, address }];
}

function expectations(
  reader: ExpressionReader,
  tabs: RecordedTabs,
  statement: Node,
  call: CallExpression,
  matcher: string,
  { subject, isNot }: { subject: Argument; isNot: boolean },
): RecordedAct[] {
  const absent = isNot ? { absent: true } : {};
  if (matcher === 'toHaveURL' && tabs.isPage(subject)) {
    reader.expectArguments(call, 1);
    const address = isNot ? undefined : reader.known(call.arguments[0]);
    return [{ action: 'EXPECT', parameters: { url: reader.text(call.arguments[0], call), ...absent }, address }];
  }
  if (matcher === 'toMatchAriaSnapshot' && !isNot)
    return readAriaSnapshot(reader, call).map((parameters) => ({ action: 'EXPECT', parameters }));
  const kind = Object.hasOwn(EXPECTATIONS, matcher) ? EXPECTATIONS[matcher] : undefined;
  if (kind === undefined || tabs.isPage(subject)) return reader.refuse(statement);
  reader.expectArguments(call, kind === 'text' ? 1 : 0);
  const expected =
    kind === 'visible'
      ? absent
      : kind === 'text'
        ? { text: reader.text(call.arguments[0], call), ...absent }
        : { state: kind[isNot ? 1 : 0] };
  const element = readLocator(reader, subject, (node) => tabs.isPage(node));
  return [withElement({ action: 'EXPECT', parameters: expected }, element)];
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
  { parameters: { selector = '', text = '' } }: RecordedAct,
): void {
  if (!SECRET_FIELD.test(selector) || text === '' || /^\$\{\w+\}$/.test(text)) return;
  reader.refuse(
    statement,
    'it types what looks like a secret; name it with --secret NAME=ENV, so that the recipe has its name',
  );
}
