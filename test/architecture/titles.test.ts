import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const FOLDER = join(__dirname, '..');
const LONGEST = 99;
const DECLARERS = new Set(['describe', 'it', 'test']);

/** The title that a call of `test`, `test.each(…)` and the like declares; undefined for other calls and computed titles. */
function titleOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !DECLARERS.has(declarer(node.expression))) return undefined;
  const [title] = node.arguments;
  if (title === undefined) return undefined;
  if (ts.isStringLiteralLike(title)) return title.text;
  return ts.isTemplateExpression(title) ? title.getText().slice(1, -1) : undefined;
}

/** The name in front of all members and calls: `test` of `test.each([…])`. */
function declarer(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isTaggedTemplateExpression(expression)) return declarer(expression.tag);
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return declarer(expression.expression);
  return '';
}

function titlesIn(name: string, text: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const title = titleOf(node);
    if (title !== undefined) titles.push(title);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return titles;
}

test('titles are found however a test is declared', () => {
  const text = `
    describe('one', () => { it("two", () => {}); });
    test.each([['x']])(\`three %s\`, () => {}); test.each\`a\`('four', () => {}); test(\`five \${six}\`, () => {});
    other('seven'); test(name, () => {});`;
  expect(titlesIn('x.ts', text)).toEqual(['one', 'two', 'three %s', 'four', 'five ${six}']);
});

test(`no title of a test is longer than ${LONGEST} characters`, () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const titles = files.flatMap((file) =>
    titlesIn(file, readFileSync(join(FOLDER, file), 'utf8')).map((title) => ({ file, title })),
  );
  expect(titles.length).toBeGreaterThan(files.length);
  expect(titles.filter(({ title }) => title.length > LONGEST)).toEqual([]);
});
