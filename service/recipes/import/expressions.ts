import type {
  BlockStatement,
  CallExpression,
  Identifier,
  MemberExpression,
  ModuleDeclaration,
  Node,
  Statement,
} from 'acorn';
import { NotTaken, TAKEN } from './refusal';

/** A shorter value may occur in any text by chance. */
const SHORTEST_VALUE = 3;

/** Arguments and objects of calls are expressions, spreads or `super`; each reader refuses what it doesn't take. */
export type Argument = CallExpression['arguments'][number] | CallExpression['callee'];

export interface ReadCall {
  /** As in `page.goto`, `test.step`; of a longer chain the last method after a dot. */
  name: string;
  call: CallExpression;
  /** What the method is called of. */
  object?: Argument | undefined;
}

/** Reads the few forms of expressions that a recording has; whatever else there is, is refused with its line. */
export class ExpressionReader {
  constructor(
    private readonly source: string,
    private readonly values: ReadonlyMap<string, string>,
  ) {}

  lineOf(node: Node): number {
    return this.lineAt(node.start);
  }

  refuse(node: Node, why?: string): never {
    const shown = this.textOf(node).split('\n')[0]!.slice(0, 120);
    return this.refuseAt(node.start, why ?? `${shown} is not taken from a recording. ${TAKEN}`);
  }

  refuseAt(position: number, why: string): never {
    throw new NotTaken(`Line ${this.lineAt(position)}: ${why}.`);
  }

  /** The call that a statement is, awaited or not. */
  callOf(statement: Statement | Argument | ModuleDeclaration): ReadCall {
    const expression = statement.type === 'ExpressionStatement' ? statement.expression : statement;
    const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
    if (call.type !== 'CallExpression') return this.refuse(statement);
    const { callee } = call;
    if (callee.type === 'Identifier') return { name: callee.name, call };
    if (callee.type !== 'MemberExpression') return this.refuse(statement);
    const method = methodOf(callee) ?? this.refuse(statement);
    const begin = callee.object.type === 'Identifier' ? callee.object.name : '';
    return { name: `${begin}.${method}`, call, object: callee.object };
  }

  /** The statements of `(async () => { … })()`, as a recording for the library has them; undefined for another one. */
  bodyOfCalled(statement: Statement | ModuleDeclaration): readonly Statement[] | undefined {
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression') return undefined;
    const { callee } = statement.expression;
    const isFunction = callee.type === 'ArrowFunctionExpression' && callee.body.type === 'BlockStatement';
    return isFunction ? (callee.body as BlockStatement).body : undefined;
  }

  /** The statements of the function that is the last argument. */
  bodyOf(call: CallExpression): readonly Statement[] {
    const last = call.arguments.at(-1);
    if (call.arguments.length === 2 && last?.type === 'ArrowFunctionExpression' && last.body.type === 'BlockStatement')
      return last.body.body;
    return this.refuse(call, 'expected a title and a function, as in test("…", async ({ page }) => { … })');
  }

  /** What `expect(…)` or `expect(…).not` is about; undefined for another expression. */
  expectedOf(object: Argument): { subject: Argument; isNot: boolean } | undefined {
    const isNot = object.type === 'MemberExpression' && methodOf(object) === 'not';
    const call = isNot ? object.object : object;
    if (call.type !== 'CallExpression' || !isNamed(call.callee, 'expect')) return undefined;
    const [subject] = call.arguments;
    return subject === undefined || call.arguments.length > 1 ? this.refuse(object) : { subject, isNot };
  }

  /** The method call that an expression is; undefined for another expression. */
  methodCall(node: Node): { call: CallExpression; object: Argument; method: string } | undefined {
    if (node.type !== 'CallExpression') return undefined;
    const call = node as CallExpression;
    const method = call.callee.type === 'MemberExpression' ? methodOf(call.callee) : undefined;
    return method === undefined ? undefined : { call, object: (call.callee as MemberExpression).object, method };
  }

  /** One link of a chain of locators: its method, arguments and what it is called of. */
  linkOf(node: Argument): { method: string; call: CallExpression; object: Argument } {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return this.refuse(node);
    const method = methodOf(node.callee) ?? this.refuse(node);
    return { method, call: node, object: node.callee.object };
  }

  expectArguments(call: CallExpression, count: number): void {
    if (call.arguments.length !== count)
      this.refuse(call, `expected ${count === 0 ? 'no argument' : 'one argument'}, got ${call.arguments.length}`);
  }

  /** A text with `${name}` in place of the values of variables. */
  text(node: Argument | undefined, within: Node): string {
    const raw = this.raw(node, within);
    const named = [...this.values].sort(([, one], [, other]) => other.length - one.length);
    return named.reduce((text, [name, value]) => {
      if (text === value) return `\${${name}}`;
      return value.length < SHORTEST_VALUE ? text : text.replaceAll(value, `\${${name}}`);
    }, raw);
  }

  /** A text that is no value, such as the name of an element. */
  plainText(node: Argument | undefined, within: Node): string {
    const raw = this.raw(node, within);
    const [held] = [...this.values].find(([, value]) => value.length >= SHORTEST_VALUE && raw.includes(value)) ?? [];
    if (held !== undefined) this.refuse(within, `it has the value of the variable ${held} where only a name can be`);
    return /\$\{/.test(raw) ? this.refuse(within, 'expected a text without variables') : raw;
  }

  /** An address without variables, as it is in the file. */
  known(node: Argument | undefined): string | undefined {
    const text = node === undefined ? undefined : stringOf(node);
    return text !== undefined && URL.canParse(text) ? text : undefined;
  }

  /** One text, or a list of them. */
  texts(node: Argument | undefined, within: Node): string[] {
    if (node?.type !== 'ArrayExpression') return [this.text(node, within)];
    return node.elements.map((each) => this.text(each ?? undefined, within));
  }

  boolean(node: Argument | undefined, within: Node): boolean {
    if (node?.type === 'Literal' && typeof node.value === 'boolean') return node.value;
    return this.refuse(within, 'expected true or false');
  }

  /** A text, or the source of a pattern such as `/^Garden room$/`. */
  textOrPattern(node: Argument | undefined, within: Node): string | RegExp {
    if (node?.type !== 'Literal' || !('regex' in node) || node.regex === undefined) return this.plainText(node, within);
    const { pattern, flags } = node.regex;
    return new RegExp(pattern, flags);
  }

  /** The members of an object, each with its expression. */
  members(node: Argument | undefined, within: Node): Record<string, Argument> {
    if (node?.type !== 'ObjectExpression') return this.refuse(within);
    return Object.fromEntries(
      node.properties.map((property) => {
        if (property.type !== 'Property' || property.kind !== 'init' || property.computed || property.shorthand)
          return this.refuse(within);
        const { key, value } = property;
        return key.type === 'Identifier' ? [key.name, value] : this.refuse(within);
      }),
    );
  }

  number(node: Argument | undefined, within: Node): number {
    if (node?.type === 'Literal' && typeof node.value === 'number') return node.value;
    return this.refuse(within, 'expected a number');
  }

  /** An object of texts and booleans, such as `{ name: 'Save', exact: true }`. */
  options(node: Argument | undefined, within: Node): Record<string, string | boolean> {
    if (node === undefined) return {};
    return Object.fromEntries(
      Object.entries(this.members(node, within)).map(([name, value]) => {
        if (value.type === 'Literal' && typeof value.value === 'boolean') return [name, value.value];
        return [name, this.plainText(value, within)];
      }),
    );
  }

  private raw(node: Argument | undefined, within: Node): string {
    if (node === undefined) return this.refuse(within, 'expected a text');
    const literal = stringOf(node);
    if (literal !== undefined) return literal;
    const name = this.environmentOf(node);
    if (name !== undefined) return `\${${name}}`;
    if (node.type !== 'TemplateLiteral') return this.refuse(within, `expected a text, got ${this.textOf(node)}`);
    return node.quasis
      .map(({ value }, position) => {
        const expression = node.expressions[position];
        if (expression === undefined) return value.cooked ?? '';
        const variable = this.environmentOf(expression);
        if (variable === undefined) return this.refuse(within, 'a template takes values of process.env alone');
        return `${value.cooked ?? ''}\${${variable}}`;
      })
      .join('');
  }

  /** The variable of `process.env.TEST_SHOP` is `shop`. */
  private environmentOf(node: Argument): string | undefined {
    if (node.type !== 'MemberExpression' || this.textOf(node.object) !== 'process.env') return undefined;
    const name = methodOf(node) ?? stringOf(node.property);
    return name?.replace(/^TEST_/, '').toLowerCase();
  }

  private textOf(node: Node): string {
    return this.source.slice(node.start, node.end);
  }

  private lineAt(position: number): number {
    return this.source.slice(0, position).split('\n').length;
  }
}

function isNamed(node: Node, name: string): boolean {
  return node.type === 'Identifier' && (node as Identifier).name === name;
}

/** The name after the dot. */
function methodOf({ computed, property }: MemberExpression): string | undefined {
  return !computed && property.type === 'Identifier' ? property.name : undefined;
}

/** The text of a string, or of a template without values. */
function stringOf(node: Argument | MemberExpression['property']): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0]!.value.cooked ?? undefined;
}
