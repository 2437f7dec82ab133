import type { RecipeTarget } from '../../../contracts/recipes/recipe';
import { code, joined, type Code } from './code';
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
export function locatorCode(writer: TestWriter, selector: string): Code {
  return joined([code`page`, ...locatorParts(selector).map((part) => partCode(writer, part))]);
}

/** All elements that a target is one of. */
export function equalsCode(writer: TestWriter, target: RecipeTarget): Code {
  return locatorCode(writer, target.selector);
}

/** The element itself: the place counts only where there are several. */
export function targetCode(writer: TestWriter, target: RecipeTarget): Code {
  const equals = equalsCode(writer, target);
  return target.of > 1 ? code`${equals}.nth(${target.nth})` : equals;
}

function partCode(writer: TestWriter, part: string): Code {
  const [, role, name] = ROLE.exec(part) ?? [];
  if (role !== undefined)
    return name === undefined
      ? code`.getByRole(${role})`
      : code`.getByRole(${role}, { name: ${writer.text(unquoted(name))}, exact: true })`;
  const [, text] = TEXT.exec(part) ?? [];
  if (text !== undefined) return code`.getByText(${writer.text(unquoted(text))}, { exact: true })`;
  const [, placeholder] = PLACEHOLDER.exec(part) ?? [];
  if (placeholder !== undefined) return code`.getByPlaceholder(${writer.text(unquoted(placeholder))}, { exact: true })`;
  const [, testId] = TEST_ID.exec(part) ?? [];
  if (testId !== undefined) return code`.getByTestId(${writer.text(unquoted(testId))})`;
  const imported = importedCode(writer, part);
  if (imported !== undefined) return imported;
  const [, place] = PLACE.exec(part) ?? [];
  if (place !== undefined) return code`.nth(${Number(place)})`;
  const [, both] = AND.exec(part) ?? [];
  if (both !== undefined) return code`.and(page.locator(${writer.text(JSON.parse(both) as string)}))`;
  if (part === 'internal:control=enter-frame') return code`.contentFrame()`;
  return code`.locator(${writer.text(part)})`;
}

/** Forms that a recording has in place of role and name. */
function importedCode(writer: TestWriter, part: string): Code | undefined {
  const [, role, name] = ANY_ROLE.exec(part) ?? [];
  if (role !== undefined) return code`.getByRole(${role}, { name: ${writer.text(unquoted(name!))} })`;
  const [, kind, text, match] = BY_TEXT.exec(part) ?? [];
  const exact = (isExact: boolean) => (isExact ? code`, { exact: true }` : code``);
  if (kind !== undefined)
    return code`.${kind === 'label' ? code`getByLabel` : code`getByText`}(${writer.text(unquoted(text!))}${exact(match === 's')})`;
  const [, placeholder, how] = ANY_PLACEHOLDER.exec(part) ?? [];
  if (placeholder !== undefined)
    return code`.getByPlaceholder(${writer.text(unquoted(placeholder))}${exact(how === 's')})`;
  const [, held] = HAS_TEXT.exec(part) ?? [];
  return held === undefined ? undefined : code`.filter({ hasText: ${writer.text(unquoted(held))} })`;
}

/** The parts of a selector; `>>` within quotes is text. */
export function locatorParts(selector: string): string[] {
  const found = selector.match(/(?:"(?:[^"\\]|\\.)*"|(?! >> )[^"]|")+/gs) ?? [];
  return found.map((part) => part.replace(/^>> /, '').trim());
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, '$1');
}
