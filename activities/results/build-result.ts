import { isDeepStrictEqual } from 'node:util';
import { isObject, ownMember } from '../../contracts/json';
import type { ResultGap, ResultPage, ResultSource, SessionResult } from '../../contracts/results/result';
import type { ResultPart } from '../../contracts/results/result-part';
import type { JsonSchema, ResultRequest } from '../../contracts/results/result-request';
import { CheckRefused, SchemaUnusable, checkValue } from '../../runtime/schemas/checks';
import type { SchemaProblem } from '../../runtime/schemas/schema-problem';
import { setAt } from './members';
import { memberName, membersOf, pointer, type ListMember } from '../../runtime/schemas/schema-leaves';

/** More gaps are counted. */
const MOST_GAPS = 20;

/** The rows of a list that one page gave, with their sources relative to the first of them. */
interface Segment {
  part: ResultPart;
  rows: unknown[];
  sources: Map<number, ResultSource[]>;
}

/**
 * Puts the parts of a step together: lists in the order in which their pages were read, each row once; single values by the
 * newest page that has them. A result is complete when it fits its schema, no page failed, no row gave nothing, and the
 * list does not go on.
 */
export async function buildResult(
  { schema, pages: mostPages }: ResultRequest,
  parts: readonly ResultPart[],
  stepIndex: number,
): Promise<SessionResult> {
  const good = parts.filter(isGood);
  const found: { value: unknown; sources: ResultSource[] } = {
    value: schema['type'] === 'array' ? [] : {},
    sources: [],
  };
  const { lists } = membersOf(schema);
  const listPaths = lists.map(({ path }) => pointer(path));
  for (const part of good) addSingles(found, part, listPaths);
  let main: Segment[] = [];
  for (const { path } of lists) {
    const segments = segmentsOf(good, path);
    if (segments.length >= main.length) main = segments;
    const most = maxItemsOf(schema, path);
    addRows(found, path, segments, most);
  }
  const rows = { seen: main.reduce((sum, { part }) => sum + seenIn(part), 0), returned: countRows(main) };
  const missing = [
    ...failedPages(parts),
    ...emptyLists(schema, lists, good),
    ...skippedRows(main),
    ...openEnd(main, rows.returned, { schema, mostPages }),
    ...(await unfitValues(schema, found)),
  ];
  const isUnread = good.length === 0 && missing.length === 0;
  const all = isUnread ? [{ message: 'No page was read for it.' }] : missing;
  return {
    stepIndex,
    isComplete: all.length === 0,
    value: found.value,
    schema,
    rows,
    pages: toPages(parts),
    sources: found.sources,
    missing:
      all.length <= MOST_GAPS ? all : [...all.slice(0, MOST_GAPS), { message: `${all.length - MOST_GAPS} more.` }],
  };
}

/** What is missing, as one sentence for people and models. */
export function describeMissing({ missing, rows, pages }: SessionResult): string {
  const read = pages.length === 0 ? '' : ` ${rows.returned} rows of ${pages.length} pages were read.`;
  return `The result is incomplete: ${missing.map(({ message }) => message).join(' ')}${read}`;
}

function isGood({ status = 200 }: ResultPart): boolean {
  return status < 400;
}

/** Values outside of lists; a later page that has one replaces it. */
function addSingles(
  found: { value: unknown; sources: ResultSource[] },
  { value, sources }: ResultPart,
  listPaths: readonly string[],
): void {
  const isSingle = ({ path }: ResultSource): boolean => !listPaths.some((list) => path.startsWith(`${list}/`));
  for (const source of sources.filter(isSingle)) {
    setAt(found, keysOf(source.path), valueAt(value, source.path));
    found.sources = [...found.sources.filter(({ path }) => path !== source.path), source];
  }
  if (isObject(value))
    for (const [name, member] of Object.entries(value))
      if (member === null && isObject(found.value) && !Object.hasOwn(found.value, name)) setAt(found, [name], null);
}

/**
 * The pages of a list. A page that was read again replaces its first reading, and one whose list has grown too; of a page
 * that shows other rows under the same address, those that were there before are left out.
 */
function segmentsOf(parts: readonly ResultPart[], path: readonly string[]): Segment[] {
  const segments: Segment[] = [];
  const at = pointer(path);
  for (const part of parts) {
    const rows = valueAt(part.value, at);
    if (!Array.isArray(rows) || rows.length === 0) continue;
    const sources = new Map<number, ResultSource[]>();
    for (const source of part.sources) {
      if (!source.path.startsWith(`${at}/`)) continue;
      const row = Number(source.path.slice(at.length + 1).split('/')[0]);
      sources.set(row, [...(sources.get(row) ?? []), source]);
    }
    const segment = { part, rows, sources };
    const twin = segments.findIndex((each) => each.part.url === part.url && isPrefix(each.rows, rows));
    if (twin !== -1) segments[twin] = segment;
    else segments.push(withoutOverlap(segment, segments.at(-1)));
  }
  return segments;
}

function isPrefix(some: readonly unknown[], all: readonly unknown[]): boolean {
  return some.length <= all.length && some.every((row, at) => isDeepStrictEqual(row, all[at]));
}

/** Without the first rows that the page before ended with, where both have the same address. */
function withoutOverlap(segment: Segment, before: Segment | undefined): Segment {
  if (before === undefined || before.part.url !== segment.part.url) return segment;
  const longest = Math.min(before.rows.length, segment.rows.length);
  for (let count = longest; count > 0; count -= 1) {
    if (!isPrefix(before.rows.slice(-count), segment.rows)) continue;
    const sources = new Map([...segment.sources].map(([row, own]) => [row - count, own] as const));
    return { ...segment, rows: segment.rows.slice(count), sources };
  }
  return segment;
}

function addRows(
  found: { value: unknown; sources: ResultSource[] },
  path: readonly string[],
  segments: readonly Segment[],
  most: number,
): void {
  const all: unknown[] = [];
  for (const { rows, sources } of segments) {
    const first = all.length;
    for (const [row, value] of rows.entries()) {
      if (all.length >= most) break;
      all.push(value);
      for (const source of sources.get(row) ?? []) {
        const [, ...rest] = keysOf(source.path).slice(path.length);
        found.sources.push({ ...source, path: pointer([...path, first + row, ...rest]) });
      }
    }
  }
  if (path.length === 0) found.value = all;
  else setAt(found, path, all);
}

function maxItemsOf(schema: JsonSchema, path: readonly string[]): number {
  const member = path.reduce<unknown>(
    (at, key) => (isObject(at) && isObject(at['properties']) ? at['properties'][key] : undefined),
    schema,
  );
  const most = isObject(member) ? member['maxItems'] : undefined;
  return typeof most === 'number' ? most : Infinity;
}

/** The most rows that a list of the schema takes; Infinity where there is no limit. */
export function mostRows(schema: JsonSchema): number {
  return Math.max(...membersOf(schema).lists.map(({ path }) => maxItemsOf(schema, path)), 0) || Infinity;
}

function failedPages(parts: readonly ResultPart[]): ResultGap[] {
  const failed = parts.filter((part) => !isGood(part) && !parts.some((each) => isGood(each) && each.url === part.url));
  const byUrl = Map.groupBy(failed, ({ url }) => url);
  return [...byUrl].map(([url, readings]) => {
    const again = readings.length > 1 ? ', also when it was loaded again' : '';
    return { message: `The page ${url} was answered with status ${readings.at(-1)!.status}${again}.`, url };
  });
}

/** A page that has rows under other words looks like one without any: it is empty where it says so. */
function emptyLists(schema: JsonSchema, lists: readonly ListMember[], good: readonly ResultPart[]): ResultGap[] {
  const last = good.at(-1);
  if (last === undefined || good.some(({ saysNone }) => saysNone === true)) return [];
  const { required } = schema;
  return lists
    .filter(({ path: [first] }) => first === undefined || (Array.isArray(required) && required.includes(first)))
    .filter(({ path }) => segmentsOf(good, path).length === 0)
    .map(({ path }) => ({
      message: `${path.length === 0 ? 'No row' : `No row of ${memberName(path)}`} was found on ${last.url}, and the page does not say that there is none.`,
      path: pointer(path),
      url: last.url,
    }));
}

function skippedRows(segments: readonly Segment[]): ResultGap[] {
  return segments.flatMap(({ part }) =>
    part.lists.flatMap(({ skipped }) =>
      skipped.map(({ row, text }) => ({
        message: `Row ${row} of ${part.url} (“${text.slice(0, 60)}”) has nothing of what the schema asks for.`,
        url: part.url,
      })),
    ),
  );
}

/** What shows that the list goes on. With a limit of pages, or of rows, that is reached, nothing more was asked for. */
function openEnd(
  segments: readonly Segment[],
  returned: number,
  { schema, mostPages }: { schema: JsonSchema; mostPages: number | undefined },
): ResultGap[] {
  const last = segments.at(-1)?.part;
  if (last === undefined || returned >= mostRows(schema) || (mostPages !== undefined && segments.length >= mostPages))
    return [];
  const { next, url } = last;
  if (next !== undefined) {
    const where = next.href === undefined ? `“${next.text}” on ${url} leads to it` : `it is ${next.href}`;
    return [{ message: `The page after ${url} was not read: ${where}.`, url: next.href ?? url }];
  }
  const announced = Math.max(...segments.map(({ part }) => part.announced ?? 0));
  return announced > returned
    ? [{ message: `The page says that there are ${announced} rows, and ${returned} were read.`, url }]
    : [];
}

/** What of the value does not fit the schema, or why that can't be said. */
async function unfitValues(
  schema: JsonSchema,
  found: { value: unknown; sources: readonly ResultSource[] },
): Promise<ResultGap[]> {
  try {
    return describeProblems(await checkValue(schema, found.value, '2020-12'), found);
  } catch (error) {
    if (error instanceof CheckRefused || error instanceof SchemaUnusable) return [{ message: error.message }];
    throw error;
  }
}

function describeProblems(
  problems: readonly SchemaProblem[],
  { value, sources }: { value: unknown; sources: readonly ResultSource[] },
): ResultGap[] {
  return problems.map(({ path, message }) => {
    const at = pointer(path);
    const row = path.findIndex((key) => typeof key === 'number');
    const rowAt = row === -1 ? undefined : pointer(path.slice(0, row + 1));
    const source =
      sources.find((each) => each.path === at) ??
      (rowAt === undefined ? undefined : sources.find((each) => each.path.startsWith(`${rowAt}/`)));
    const what = path.filter((key) => typeof key === 'string').join('.') || 'the result';
    const where =
      row === -1
        ? ''
        : ` of row ${Number(path[row]) + 1}${source === undefined ? '' : ` (“${source.text.slice(0, 60)}”, ${source.url})`}`;
    const got = valueAt(value, at);
    const shown = got === undefined || typeof got === 'object' ? '' : `, got ${JSON.stringify(got).slice(0, 60)}`;
    return {
      message: `${what}${where} ${message}${shown}.`,
      path: at,
      ...(source === undefined ? {} : { url: source.url }),
    };
  });
}

function toPages(parts: readonly ResultPart[]): ResultPage[] {
  const byUrl = new Map<string, ResultPage>();
  for (const part of parts) {
    const { url, status } = part;
    const page = { url, ...(status === undefined ? {} : { status }), seen: 0, returned: 0 };
    const isAgain = byUrl.has(url);
    const returned = isGood(part) ? part.lists.reduce((sum, list) => sum + list.returned, 0) : 0;
    if (isAgain && byUrl.get(url)!.returned >= returned) continue;
    byUrl.set(url, { ...page, seen: isGood(part) ? seenIn(part) : 0, returned });
  }
  return [...byUrl.values()];
}

function seenIn({ lists }: ResultPart): number {
  return lists.reduce((sum, { seen }) => sum + seen, 0);
}

function countRows(segments: readonly Segment[]): number {
  return segments.reduce((sum, { rows }) => sum + rows.length, 0);
}

function keysOf(at: string): string[] {
  return at
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: unknown, at: string): unknown {
  return keysOf(at).reduce<unknown>(
    (found, key) => (isObject(found) || Array.isArray(found) ? ownMember(found, key) : undefined),
    value,
  );
}
