import type { PageData } from './page-data';

type Schema = Record<string, unknown>;

interface Extraction {
  value: unknown;
  /** Names of the properties that the page lacks. */
  missing: string[];
  rows?: number | undefined;
}

/**
 * Extracts data in the shape of a JSON schema. An array of objects is read from the table or list whose columns or
 * parts are named like its properties; an object from labels, fields and headings.
 */
export function extractBySchema(schema: Schema, pages: readonly PageData[]): Extraction {
  if (schema['type'] === 'array') return extractList(schema, pages);
  const missing: string[] = [];
  const value: Record<string, unknown> = {};
  for (const [name, member] of propertiesOf(schema)) {
    if (member['type'] === 'array' && isSchema(member['items'])) {
      const list = extractList(member, pages);
      value[name] = list.value;
      missing.push(...list.missing);
      continue;
    }
    const found = findPairValue(name, member, pages);
    value[name] = found === undefined ? null : cast(found, member);
    if (found === undefined) missing.push(name);
  }
  return { value, missing };
}

function extractList(schema: Schema, pages: readonly PageData[]): Extraction {
  const items = isSchema(schema['items']) ? schema['items'] : {};
  const properties = propertiesOf(items);
  const tables = pages
    .flatMap((page) => page.tables)
    .map((table) => {
      const columns = properties.map(([name, member]) =>
        bestMatch(
          name,
          member,
          table.headers.map((header) => [header]),
        ),
      );
      return { table, columns, score: columns.filter((column) => column !== undefined).length };
    });
  const best = tables.toSorted(
    (one, other) => other.score - one.score || other.table.rows.length - one.table.rows.length,
  )[0];
  const lists = pages
    .flatMap((page) => page.lists)
    .map((list) => {
      const rows = list.map(({ parts }) =>
        properties.map(([name, member]) => {
          const at = bestMatch(
            name,
            member,
            parts.map((part) => part.names),
          );
          return at === undefined ? undefined : parts[at]!.value;
        }),
      );
      const score = properties.filter(
        (_, at) => rows.filter((row) => row[at] !== undefined).length * 2 > rows.length,
      ).length;
      return { rows, score };
    });
  const run = lists.toSorted((one, other) => other.score - one.score || other.rows.length - one.rows.length)[0];
  if (best !== undefined && best.score > 0 && best.score >= (run?.score ?? 0)) {
    const { table, columns } = best;
    const missing = properties.flatMap(([name], at) => (columns[at] === undefined ? [name] : []));
    const value = table.rows.map((row) =>
      toRow(properties, (at) => (columns[at] === undefined ? undefined : row[columns[at]])),
    );
    return { value, missing, rows: value.length };
  }
  if (run === undefined || run.score === 0) return { value: [], missing: properties.map(([name]) => name), rows: 0 };
  const value = run.rows
    .filter((row) => row.some((cell) => cell !== undefined))
    .map((row) => toRow(properties, (at) => row[at]));
  const missing = properties.flatMap(([name], at) => (run.rows.every((row) => row[at] === undefined) ? [name] : []));
  return { value, missing, rows: value.length };
}

function toRow(properties: [string, Schema][], cell: (at: number) => string | undefined): Record<string, unknown> {
  return Object.fromEntries(
    properties.map(([name, member], at) => {
      const text = cell(at);
      return [name, text === undefined ? null : cast(text, member)];
    }),
  );
}

function findPairValue(name: string, member: Schema, pages: readonly PageData[]): string | undefined {
  const pairs = pages.flatMap((page) => page.pairs);
  const at = bestMatch(
    name,
    member,
    pairs.map(({ label }) => [label]),
  );
  if (at !== undefined) return pairs[at]!.value;
  return /title|heading/i.test(name) ? pages[0]?.title : undefined;
}

/** Index of the most similar candidate; undefined when none is similar enough. */
function bestMatch(name: string, member: Schema, candidates: readonly (readonly string[])[]): number | undefined {
  const wanted = wordsOf(name);
  const described = wordsOf(typeof member['description'] === 'string' ? member['description'] : '');
  const scores = candidates.map((names) =>
    Math.max(0, ...names.map((each) => similarity(wanted, described, wordsOf(each)))),
  );
  const best = Math.max(0, ...scores);
  return best < MIN_SIMILARITY ? undefined : scores.indexOf(best);
}

const MIN_SIMILARITY = 0.5;

function similarity(wanted: readonly string[], described: readonly string[], found: readonly string[]): number {
  if (found.length === 0) return 0;
  if (wanted.join(' ') === found.join(' ')) return 2;
  const shared = wanted.filter((word) => found.includes(word)).length;
  const byName = shared / Math.max(wanted.length, Math.min(found.length, 3));
  const byDescription = found.length > 0 && found.every((word) => described.includes(word)) ? 0.6 : 0;
  return Math.max(byName, byDescription);
}

/**
 * Splits a name into comparable words: `unitPrice`, `unit_price` and “Unit price” are equal, a plural equals its
 * singular.
 */
function wordsOf(text: string): string[] {
  const words = text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '').map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
}

function cast(text: string, { type }: Schema): unknown {
  if (type === 'number' || type === 'integer') return toNumber(text) ?? text;
  if (type === 'boolean')
    return (
      /^(?:true|yes|on|✓|✔|x)$/i.test(text.trim()) || (/^(?:false|no|off|—|-|)$/i.test(text.trim()) ? false : text)
    );
  return text;
}

/**
 * Parses 1,234.56 and 1.234,56: the last separator that is not followed by exactly three digits is the decimal one.
 */
function toNumber(text: string): number | undefined {
  const found = /-?\d[\d.,\s']*/.exec(text)?.[0].replaceAll(/[\s']/g, '').replace(/[.,]$/, '');
  if (found === undefined) return undefined;
  const last = Math.max(found.lastIndexOf('.'), found.lastIndexOf(','));
  const isDecimal = last !== -1 && !(found.length - last - 1 === 3 && /^-?\d{1,3}(?:[.,]\d{3})+$/.test(found));
  const whole = isDecimal ? found.slice(0, last) : found;
  const plain = whole.replaceAll(/[.,]/g, '') + (isDecimal ? `.${found.slice(last + 1)}` : '');
  const value = Number(plain);
  return Number.isNaN(value) ? undefined : value;
}

function propertiesOf(schema: Schema): [string, Schema][] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  return Object.entries(properties).map(([name, member]) => [name, isSchema(member) ? member : {}]);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
