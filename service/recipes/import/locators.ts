import type { CallExpression } from 'acorn';
import { inSelector, roleSelector } from '../../../contracts/commands/role-selector';
import type { RecipeTarget } from '../../../contracts/recipes/recipe';
import type { Argument, ExpressionReader } from './expressions';

export interface RecordedElement {
  selector: string;
  /** Where role and name identify it: then its other marks may find it again. */
  target?: RecipeTarget | undefined;
}

type Part = (reader: ExpressionReader, call: CallExpression) => string;

const ENTER_FRAME = 'internal:control=enter-frame';

/** Each method of a chain as a part of a selector. */
const PARTS: Record<string, Part> = {
  getByRole: (reader, call) => {
    const role = reader.plainText(call.arguments[0], call);
    const { name, exact, ...others } = reader.options(call.arguments[1], call);
    if (Object.keys(others).length > 0) reader.refuse(call, 'getByRole takes no options but name and exact');
    if (name === undefined) return `role=${role}`;
    return exact === true
      ? roleSelector(role, String(name))
      : `internal:role=${role}[name=${inSelector(String(name))}i]`;
  },
  getByLabel: (reader, call) => `internal:label=${textOf(reader, call)}`,
  getByText: (reader, call) => `internal:text=${textOf(reader, call)}`,
  getByPlaceholder: (reader, call) => `internal:attr=[placeholder=${textOf(reader, call)}]`,
  getByTitle: (reader, call) => `internal:attr=[title=${textOf(reader, call)}]`,
  getByAltText: (reader, call) => `internal:attr=[alt=${textOf(reader, call)}]`,
  getByTestId: (reader, call) =>
    `internal:testid=[data-testid=${inSelector(reader.plainText(call.arguments[0], call))}s]`,
  locator: (reader, call) => css(reader, call),
  frameLocator: (reader, call) => `${css(reader, call)} >> ${ENTER_FRAME}`,
  contentFrame: (reader, call) => (reader.expectArguments(call, 0), ENTER_FRAME),
  first: (reader, call) => (reader.expectArguments(call, 0), 'nth=0'),
  nth: (reader, call) => `nth=${reader.number(call.arguments[0], call)}`,
  filter: (reader, call) => {
    const { hasText, ...others } = reader.members(call.arguments[0], call);
    if (hasText === undefined || Object.keys(others).length > 0) reader.refuse(call, 'filter takes hasText alone');
    const text = reader.textOrPattern(hasText, call);
    return `internal:has-text=${typeof text === 'string' ? `${inSelector(text)}i` : String(text)}`;
  },
};

/** Reads a chain that begins with a page. */
export function readLocator(
  reader: ExpressionReader,
  node: Argument,
  isPage: (node: Argument) => boolean,
): RecordedElement {
  const links = [];
  for (let rest = node; !isPage(rest);) {
    const link = reader.linkOf(rest);
    links.unshift(link);
    rest = link.object;
  }
  const parts = links.map(({ method, call }) => PARTS[method]?.(reader, call) ?? reader.refuse(call));
  const [only] = links;
  const selector = parts.join(' >> ');
  if (only === undefined) return reader.refuse(node);
  if (links.length > 1 || only.method !== 'getByRole') return { selector };
  const role = reader.plainText(only.call.arguments[0], only.call);
  const { name } = reader.options(only.call.arguments[1], only.call);
  if (typeof name !== 'string') return { selector };
  const durable = roleSelector(role, name);
  return { selector: durable, target: { selector: durable, role, name, nth: 0, of: 1, around: [], attributes: {} } };
}

function textOf(reader: ExpressionReader, call: CallExpression): string {
  const { exact } = reader.options(call.arguments[1], call);
  return `${inSelector(reader.plainText(call.arguments[0], call))}${exact === true ? 's' : 'i'}`;
}

function css(reader: ExpressionReader, call: CallExpression): string {
  reader.expectArguments(call, 1);
  return reader.plainText(call.arguments[0], call);
}
