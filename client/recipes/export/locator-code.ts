import type { RecipeTarget } from '../../../contracts/recipes/recipe';
import { literal } from './code';
import type { TestWriter } from './test-writer';

const ROLE = /^role=([\w-]+)(?:\[name=("(?:[^"\\]|\\.)*")s\])?$/;
const TEXT = /^text=("(?:[^"\\]|\\.)*")$/;
const PLACEHOLDER = /^\[placeholder=("(?:[^"\\]|\\.)*")\]$/;
const TEST_ID = /^internal:testid=\[[\w-]+=("(?:[^"\\]|\\.)*")s\]$/;
const ANY_ROLE = /^internal:role=([\w-]+)\[name=("(?:[^"\\]|\\.)*")i\]$/;
const BY_TEXT = /^internal:(label|text)=("(?:[^"\\]|\\.)*")([si])$/;
const ANY_PLACEHOLDER = /^internal:attr=\[placeholder=("(?:[^"\\]|\\.)*")([si])\]$/;
const HAS_TEXT = /^internal:has-text=("(?:[^"\\]|\\.)*")i$/;
const AND = /^internal:and=("(?:[^"\\]|\\.)*")$/;
const PLACE = /^nth=(-?\d+)$/;

/** A selector of a recipe as a chain of locators: roles, labels and texts as Playwright's users write them. */
export function locatorCode(writer: TestWriter, selector: string): string {
  return partsOf(selector).reduce((chain, part) => `${chain}${partCode(writer, part)}`, 'page');
}

/** All elements that a target is one of. */
export function equalsCode(writer: TestWriter, target: RecipeTarget): string {
  return locatorCode(writer, target.selector);
}

/** The element itself: the place counts only where there are several. */
export function targetCode(writer: TestWriter, target: RecipeTarget): string {
  return `${equalsCode(writer, target)}${target.of > 1 ? `.nth(${target.nth})` : ''}`;
}

function partCode(writer: TestWriter, part: string): string {
  const [, role, name] = ROLE.exec(part) ?? [];
  if (role !== undefined)
    return `.getByRole(${literal(role)}${name === undefined ? '' : `, { name: ${writer.text(unquoted(name))}, exact: true }`})`;
  const [, text] = TEXT.exec(part) ?? [];
  if (text !== undefined) return `.getByText(${writer.text(unquoted(text))}, { exact: true })`;
  const [, placeholder] = PLACEHOLDER.exec(part) ?? [];
  if (placeholder !== undefined) return `.getByPlaceholder(${writer.text(unquoted(placeholder))}, { exact: true })`;
  const [, testId] = TEST_ID.exec(part) ?? [];
  if (testId !== undefined) return `.getByTestId(${writer.text(unquoted(testId))})`;
  const imported = importedCode(writer, part);
  if (imported !== undefined) return imported;
  const [, place] = PLACE.exec(part) ?? [];
  if (place !== undefined) return `.nth(${place})`;
  const [, both] = AND.exec(part) ?? [];
  if (both !== undefined) return `.and(page.locator(${writer.text(JSON.parse(both) as string)}))`;
  if (part === 'internal:control=enter-frame') return '.contentFrame()';
  return `.locator(${writer.text(part)})`;
}

/** Forms that a recording has in place of role and name. */
function importedCode(writer: TestWriter, part: string): string | undefined {
  const [, role, name] = ANY_ROLE.exec(part) ?? [];
  if (role !== undefined) return `.getByRole(${literal(role)}, { name: ${writer.text(unquoted(name!))} })`;
  const [, kind, text, match] = BY_TEXT.exec(part) ?? [];
  const exact = (isExact: boolean) => (isExact ? ', { exact: true }' : '');
  if (kind !== undefined)
    return `.getBy${kind === 'label' ? 'Label' : 'Text'}(${writer.text(unquoted(text!))}${exact(match === 's')})`;
  const [, placeholder, how] = ANY_PLACEHOLDER.exec(part) ?? [];
  if (placeholder !== undefined) return `.getByPlaceholder(${writer.text(unquoted(placeholder))}${exact(how === 's')})`;
  const [, held] = HAS_TEXT.exec(part) ?? [];
  return held === undefined ? undefined : `.filter({ hasText: ${writer.text(unquoted(held))} })`;
}

/** The parts of a selector; `>>` within quotes is text. */
export function partsOf(selector: string): string[] {
  const found = selector.match(/(?:"(?:[^"\\]|\\.)*"|(?! >> )[^"]|")+/gs) ?? [];
  return found.map((part) => part.replace(/^>> /, '').trim());
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, '$1');
}
