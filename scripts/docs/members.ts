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

/** Returns the texts that so many sections have, most frequent first, so that a page explains them once. */
export function sharedTexts(sections: readonly (readonly string[])[], least = 3): Set<string> {
  const counts = new Map<string, number>();
  for (const text of sections.flat()) counts.set(text, (counts.get(text) ?? 0) + 1);
  return new Set(
    [...counts]
      .filter(([, count]) => count >= least)
      .sort(([, one], [, other]) => other - one)
      .map(([text]) => text),
  );
}

/** Keeps Markdown and HTML from reading what is plain text; what stands in backticks is kept as it is. */
export function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('*', '\\*')))
    .join('');
}

/** A page of members has this sentence before its lists. */
export const NOTATION = 'A member with `?` may be left out; one without a type is text.';

/** Writes a line for each member of an object. */
export function memberLines({ properties = {}, required = [] }: DocumentedSchema): string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name) && schema.default === undefined;
    const type = memberType(schema);
    return item(`\`${name}${isRequired ? '' : '?'}\``, [type === 'text' ? '' : type], meaningOf(schema));
  });
}

/** Lists members under a title, in one line where none of them has a meaning. */
export function listed(members: readonly string[], title = ''): string[] {
  if (members.length === 0) return [];
  if (!members.some(hasMeaning)) return [`${title}${members.map((member) => member.slice('- '.length)).join(', ')}`];
  return [...(title === '' ? [] : [title.trimEnd()]), members.join('\n')];
}

/** Takes the lines that so many lists have out of them; the lists keep the names. */
export function withoutShared(
  lists: readonly (readonly string[])[],
  least?: number,
): { shared: string[]; lists: string[][] } {
  const shared = sharedTexts(
    lists.map((lines) => lines.filter(hasMeaning).map(asRequired)),
    least,
  );
  const named = (line: string): string => (shared.has(asRequired(line)) ? /^- \S+`/.exec(line)![0] : line);
  return { shared: [...shared], lists: lists.map((lines) => lines.map(named)) };
}

const hasMeaning = (line: string): boolean => line.includes(': ');
const asRequired = (line: string): string => line.replace('?`', '`');

export function meaningOf({ description = '', default: value }: DocumentedSchema): string {
  const byDefault =
    value === undefined || typeof value === 'object'
      ? ''
      : `default \`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
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
  if (type === 'array') return `list${upTo(maxItems)} of ${items === undefined ? 'anything' : memberType(items)}`;
  if (type === 'integer' || type === 'number') return `${type}${rangeOf(minimum, maximum)}`;
  if (type === 'string') return `text${upTo(maxLength)}`;
  if (Array.isArray(type)) return type.map((each) => memberType({ type: each })).join(' or ');
  return type === undefined ? 'anything' : type;
}

const upTo = (count: number | undefined): string => (count === undefined ? '' : ` ≤${count}`);

/** ` 1–5`, ` ≥1`, or nothing. */
export function rangeOf(minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER): string {
  if (minimum === Number.MIN_SAFE_INTEGER) return maximum === Number.MAX_SAFE_INTEGER ? '' : ` ≤${maximum}`;
  return maximum === Number.MAX_SAFE_INTEGER ? ` ≥${minimum}` : ` ${minimum}…${maximum}`;
}
