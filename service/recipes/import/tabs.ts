import type { CallExpression, Statement } from 'acorn';
import type { Argument, ExpressionReader } from './expressions';
import type { Act } from './actions';

const FIRST = 'page';

/**
 * Follows the tabs of a recording: `const page1Promise = page.waitForEvent('popup')` and `const page1 = await page1Promise`
 * name the tab that a click between them has opened. A tab that is used comes to the front.
 */
export class RecordedTabs {
  /** By the name of a promise what it waits for. */
  private readonly awaited = new Map<string, 'popup' | 'download'>();
  /** Names of the open tabs in the order in which they were opened. */
  private open = [FIRST];
  private front = FIRST;

  constructor(private readonly reader: ExpressionReader) {}

  isPage(node: Argument): boolean {
    return node.type === 'Identifier' && this.open.includes(node.name);
  }

  /** A declaration waits for a tab or a download, or names it. Undefined where the statement declares nothing. */
  declaration(statement: Statement): Act[] | undefined {
    if (statement.type !== 'VariableDeclaration') return undefined;
    const [{ id, init } = { id: undefined, init: undefined }, another] = statement.declarations;
    if (id?.type !== 'Identifier' || !init || another !== undefined) return this.reader.refuse(statement);
    if (init.type === 'AwaitExpression' && init.argument.type === 'Identifier') {
      const kind = this.awaited.get(init.argument.name) ?? this.reader.refuse(statement);
      // What is downloaded is kept without a command.
      if (kind === 'download') return [];
      this.open.push(id.name);
      this.front = id.name;
      return [{ action: 'SWITCH_TAB', parameters: { tab: 'last' } }];
    }
    const { call, object, method } = this.reader.methodCall(init) ?? this.reader.refuse(statement);
    const event =
      method === 'waitForEvent' && this.isPage(object) ? this.reader.plainText(call.arguments[0], call) : '';
    if (event !== 'popup' && event !== 'download') return this.reader.refuse(statement);
    this.awaited.set(id.name, event);
    return [];
  }

  /** What brings the tab to the front whose name a chain of calls begins with. */
  toFront(node: Argument): Act[] {
    const name = beginOf(node);
    if (name === undefined || name === this.front || !this.open.includes(name)) return [];
    this.front = name;
    return [{ action: 'SWITCH_TAB', parameters: { tab: String(this.open.indexOf(name) + 1) } }];
  }

  /** `page.close()`; the tab before it comes to the front. */
  close(): Act[] {
    this.open = this.open.filter((name) => name !== this.front);
    this.front = this.open.at(-1) ?? FIRST;
    return [{ action: 'CLOSE_TAB', parameters: {} }];
  }

  /** `page.once('dialog', dialog => { … })`: whether the dialog is accepted, and with which text. */
  dialog(call: CallExpression): Act[] {
    const [event, answer] = call.arguments;
    if (this.reader.plainText(event, call) !== 'dialog' || answer?.type !== 'ArrowFunctionExpression')
      return this.reader.refuse(call);
    const statements = answer.body.type === 'BlockStatement' ? answer.body.body : [answer.body];
    const answers = statements.flatMap((statement): Act[] => {
      let rest = this.reader.callOf(statement);
      if (rest.name === 'console.log') return [];
      if (rest.name.endsWith('.catch') && rest.object !== undefined) rest = this.reader.callOf(rest.object);
      const method = rest.name.slice(rest.name.lastIndexOf('.') + 1);
      if (method !== 'accept' && method !== 'dismiss') return this.reader.refuse(statement);
      const [text] = rest.call.arguments;
      const promptText = text === undefined ? {} : { promptText: this.reader.text(text, rest.call) };
      return [{ action: 'HANDLE_DIALOG', parameters: { accept: method === 'accept', ...promptText } }];
    });
    return answers.length === 1 ? answers : this.reader.refuse(call, 'a dialog is accepted or dismissed once');
  }
}

function beginOf(node: Argument): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'CallExpression') {
    const [first] = node.arguments;
    const isExpect = node.callee.type === 'Identifier' && node.callee.name === 'expect';
    return isExpect ? first && beginOf(first as Argument) : beginOf(node.callee);
  }
  return node.type === 'MemberExpression' ? beginOf(node.object) : undefined;
}
