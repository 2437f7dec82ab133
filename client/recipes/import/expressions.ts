import type ts from 'typescript';
import { NotTaken, TAKEN } from './refusal';

/** A shorter value may occur in any text by chance. */
const SHORTEST_VALUE = 3;

export interface ReadCall {
  /** As in `page.goto`, `test.step`; of a longer chain the last method after a dot. */
  name: string;
  call: ts.CallExpression;
  /** What the method is called of. */
  object?: ts.Expression | undefined;
}

/** Reads the few forms of expressions that a recording has; whatever else there is, is refused with its line. */
export class ExpressionReader {
  constructor(
    private readonly compiler: typeof ts,
    private readonly file: ts.SourceFile,
    private readonly values: ReadonlyMap<string, string>,
  ) {}

  lineOf(node: ts.Node): number {
    return this.lineAt(node.getStart(this.file));
  }

  refuse(node: ts.Node, why?: string): never {
    const shown = node.getText(this.file).split('\n')[0]!.slice(0, 120);
    return this.refuseAt(node.getStart(this.file), why ?? `${shown} is not taken from a recording. ${TAKEN}`);
  }

  refuseAt(position: number, why: string): never {
    throw new NotTaken(`Line ${this.lineAt(position)}: ${why}.`);
  }

  /** The call that a statement is, awaited or not. */
  callOf(node: ts.Node): ReadCall {
    const { compiler } = this;
    let inner = compiler.isExpressionStatement(node) ? node.expression : node;
    if (compiler.isAwaitExpression(inner)) inner = inner.expression;
    if (!compiler.isCallExpression(inner)) return this.refuse(node);
    const { expression } = inner;
    if (compiler.isIdentifier(expression)) return { name: expression.text, call: inner };
    if (!compiler.isPropertyAccessExpression(expression)) return this.refuse(node);
    const { expression: object, name } = expression;
    const begin = compiler.isIdentifier(object) ? object.text : '';
    return { name: `${begin}.${name.text}`, call: inner, object };
  }

  /** The statements of the function that is the last argument. */
  bodyOf(call: ts.CallExpression): readonly ts.Statement[] {
    const { compiler } = this;
    const last = call.arguments.at(-1);
    if (
      call.arguments.length === 2 &&
      last !== undefined &&
      compiler.isArrowFunction(last) &&
      compiler.isBlock(last.body)
    )
      return last.body.statements;
    return this.refuse(call, 'expected a title and a function, as in test("…", async ({ page }) => { … })');
  }

  /** What `expect(…)` or `expect(…).not` is about; undefined for another expression. */
  expectedOf(object: ts.Expression): { subject: ts.Expression; isNot: boolean } | undefined {
    const { compiler } = this;
    const isNot = compiler.isPropertyAccessExpression(object) && object.name.text === 'not';
    const call = isNot ? object.expression : object;
    if (!compiler.isCallExpression(call) || !this.isNamed(call.expression, 'expect')) return undefined;
    const [subject] = call.arguments;
    return subject === undefined || call.arguments.length > 1 ? this.refuse(object) : { subject, isNot };
  }

  isPage(node: ts.Expression): boolean {
    return this.isNamed(node, 'page');
  }

  /** One link of a chain of locators: its method, arguments and what it is called of. */
  linkOf(node: ts.Expression): { method: string; call: ts.CallExpression; object: ts.Expression } {
    const { compiler } = this;
    if (!compiler.isCallExpression(node) || !compiler.isPropertyAccessExpression(node.expression))
      return this.refuse(node);
    return { method: node.expression.name.text, call: node, object: node.expression.expression };
  }

  expectArguments(call: ts.CallExpression, count: number): void {
    if (call.arguments.length !== count)
      this.refuse(call, `expected ${count === 0 ? 'no argument' : 'one argument'}, got ${call.arguments.length}`);
  }

  /** A text with `${name}` in place of the values of variables. */
  text(node: ts.Expression | undefined, within: ts.Node): string {
    const raw = this.raw(node, within);
    const named = [...this.values].sort(([, one], [, other]) => other.length - one.length);
    return named.reduce((text, [name, value]) => {
      if (text === value) return `\${${name}}`;
      return value.length < SHORTEST_VALUE ? text : text.replaceAll(value, `\${${name}}`);
    }, raw);
  }

  /** A text that is no value, such as the name of an element. */
  plainText(node: ts.Expression | undefined, within: ts.Node): string {
    const raw = this.raw(node, within);
    const [held] = [...this.values].find(([, value]) => value.length >= SHORTEST_VALUE && raw.includes(value)) ?? [];
    if (held !== undefined) this.refuse(within, `it has the value of the variable ${held} where only a name can be`);
    return /\$\{/.test(raw) ? this.refuse(within, 'expected a text without variables') : raw;
  }

  /** An address without variables, as it is in the file. */
  known(node: ts.Expression | undefined): string | undefined {
    if (node === undefined || !this.compiler.isStringLiteralLike(node)) return undefined;
    return URL.canParse(node.text) ? node.text : undefined;
  }

  /** One text, or a list of them. */
  texts(node: ts.Expression | undefined, within: ts.Node): string[] {
    if (node === undefined || !this.compiler.isArrayLiteralExpression(node)) return [this.text(node, within)];
    return node.elements.map((each) => this.text(each, within));
  }

  number(node: ts.Expression | undefined, within: ts.Node): number {
    if (node !== undefined && this.compiler.isNumericLiteral(node)) return Number(node.text);
    return this.refuse(within, 'expected a number');
  }

  /** An object of texts and booleans, such as `{ name: 'Save', exact: true }`. */
  options(node: ts.Expression | undefined, within: ts.Node): Record<string, string | boolean> {
    const { compiler } = this;
    if (node === undefined) return {};
    if (!compiler.isObjectLiteralExpression(node)) return this.refuse(within);
    return Object.fromEntries(
      node.properties.map((property) => {
        if (!compiler.isPropertyAssignment(property) || !compiler.isIdentifier(property.name))
          return this.refuse(within);
        const { kind } = property.initializer;
        if (kind === compiler.SyntaxKind.TrueKeyword) return [property.name.text, true];
        if (kind === compiler.SyntaxKind.FalseKeyword) return [property.name.text, false];
        return [property.name.text, this.plainText(property.initializer, within)];
      }),
    );
  }

  private raw(node: ts.Expression | undefined, within: ts.Node): string {
    const { compiler } = this;
    if (node === undefined) return this.refuse(within, 'expected a text');
    if (compiler.isStringLiteralLike(node)) return node.text;
    const name = this.environmentOf(node);
    if (name !== undefined) return `\${${name}}`;
    if (!compiler.isTemplateExpression(node))
      return this.refuse(within, `expected a text, got ${node.getText(this.file)}`);
    const spans = node.templateSpans.map(({ expression, literal }) => {
      const variable = this.environmentOf(expression);
      if (variable === undefined) return this.refuse(within, 'a template takes values of process.env alone');
      return `\${${variable}}${literal.text}`;
    });
    return [node.head.text, ...spans].join('');
  }

  /** The variable of `process.env.TEST_SHOP` is `shop`. */
  private environmentOf(node: ts.Expression): string | undefined {
    const { compiler } = this;
    if (compiler.isNonNullExpression(node)) return this.environmentOf(node.expression);
    const access =
      compiler.isPropertyAccessExpression(node) || compiler.isElementAccessExpression(node) ? node : undefined;
    if (access?.expression.getText(this.file) !== 'process.env') return undefined;
    const name = compiler.isPropertyAccessExpression(access)
      ? access.name.text
      : compiler.isStringLiteralLike(access.argumentExpression)
        ? access.argumentExpression.text
        : undefined;
    return name?.replace(/^TEST_/, '').toLowerCase();
  }

  private isNamed(node: ts.Expression, name: string): boolean {
    return this.compiler.isIdentifier(node) && node.text === name;
  }

  private lineAt(position: number): number {
    return this.file.getLineAndCharacterOfPosition(position).line + 1;
  }
}
