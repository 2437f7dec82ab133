/** The part of JSON Schema that our definitions use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

/** Writes a table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(toCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function toCell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll('|', '\\|');
}

/** Keeps Markdown and HTML from reading what is plain text; what stands in backticks is kept as it is. */
export function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('*', '\\*')))
    .join('');
}

/** Writes the members of an object as a table; undefined where it has none. */
export function membersTable({ properties = {}, required = [] }: JsonSchema): string | undefined {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\`${required.includes(name) && schema.default === undefined ? '' : ' (optional)'}`,
    typeOf(schema),
    meaningOf(schema),
  ]);
  if (rows.length === 0) return undefined;
  const isExplained = rows.some(([, , meaning]) => meaning !== '');
  return isExplained
    ? table(['member', 'type', 'meaning'], rows)
    : table(
        ['member', 'type'],
        rows.map((row) => row.slice(0, 2)),
      );
}

export function meaningOf({ description = '', default: value }: JsonSchema): string {
  const byDefault = value === undefined || typeof value === 'object' ? '' : `default \`${JSON.stringify(value)}\``;
  return [plain(description), byDefault].filter((part) => part !== '').join('; ');
}

/** Names the values that a schema takes, in a few words. */
export function typeOf(schema: JsonSchema): string {
  const { $ref, const: only, enum: values, anyOf, oneOf, items, type, minimum, maximum, maxLength, maxItems } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1)!;
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ');
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeOf(items)}${upTo(maxItems)}`;
  if (type === 'integer' || type === 'number') {
    const least = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`;
    return `${type === 'integer' ? 'whole number' : 'number'}${least}${maximum === Number.MAX_SAFE_INTEGER ? '' : to(maximum)}`;
  }
  if (type === 'string') return `text${maxLength === undefined ? '' : `, at most ${maxLength} characters`}`;
  if (Array.isArray(type)) return type.map((each) => typeOf({ type: each })).join(' or ');
  return type === undefined ? 'anything' : type;
}

const upTo = (count: number | undefined): string => (count === undefined ? '' : `, at most ${count}`);
const to = (most: number | undefined): string => (most === undefined ? '' : ` to ${most}`);
