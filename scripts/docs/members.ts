/** The part of JSON Schema that our definitions use. */
export interface DocumentedSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: DocumentedSchema[];
  oneOf?: DocumentedSchema[];
  items?: DocumentedSchema;
  properties?: Record<string, DocumentedSchema>;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

/** Writes a line of a list: `- name (notes): meaning`, of which notes and meaning may be missing. */
export function item(name: string, notes: readonly string[], meaning: string): string {
  const said = notes.filter((note) => note !== '').join(', ');
  return `- ${name}${said === '' ? '' : ` (${said})`}${meaning === '' ? '' : `: ${meaning.replaceAll('\n', ' ')}`}`;
}

/** Returns the texts that three or more sections have, so that a page explains them once. */
export function sharedTexts(sections: readonly (readonly string[])[]): Set<string> {
  const counts = new Map<string, number>();
  for (const text of sections.flat()) counts.set(text, (counts.get(text) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= 3).map(([text]) => text));
}

/** Keeps Markdown and HTML from reading what is plain text; what stands in backticks is kept as it is. */
export function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('*', '\\*')))
    .join('');
}

/** Writes a line for each member of an object. */
export function memberLines({ properties = {}, required = [] }: DocumentedSchema): string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name) && schema.default === undefined;
    return item(`\`${name}\``, [memberType(schema), isRequired ? '' : 'optional'], meaningOf(schema));
  });
}

export function meaningOf({ description = '', default: value }: DocumentedSchema): string {
  const byDefault = value === undefined || typeof value === 'object' ? '' : `default \`${JSON.stringify(value)}\``;
  return [plain(description), byDefault].filter((part) => part !== '').join('; ');
}

/** Names the values that a schema takes, in a few words. */
export function memberType(schema: DocumentedSchema): string {
  const { $ref, const: only, enum: values, anyOf, oneOf, items, type, minimum, maximum, maxLength, maxItems } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1)!;
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(memberType))].join(' or ');
  if (type === 'array') return `list of ${items === undefined ? 'anything' : memberType(items)}${upTo(maxItems)}`;
  if (type === 'integer' || type === 'number') {
    const least = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`;
    return `${type === 'integer' ? 'whole number' : 'number'}${least}${maximum === Number.MAX_SAFE_INTEGER ? '' : to(maximum)}`;
  }
  if (type === 'string') return `text${maxLength === undefined ? '' : `, at most ${maxLength} characters`}`;
  if (Array.isArray(type)) return type.map((each) => memberType({ type: each })).join(' or ');
  return type === undefined ? 'anything' : type;
}

const upTo = (count: number | undefined): string => (count === undefined ? '' : `, at most ${count}`);
const to = (most: number | undefined): string => (most === undefined ? '' : ` to ${most}`);
