import type { JsonSchema } from '../../contracts/results/result-request';
import type { ResultSource } from '../../contracts/results/result';
import type { ResultList } from '../../contracts/results/result-part';
import { castText } from './cast-text';
import { bestPart } from './match-names';
import { setAt } from './members';
import type { PageData, PageGroup, PagePart, PageRow } from './page-data';
import type { ChosenData } from './read-chosen';
import { memberName, membersOf, pointer, type Leaf, type ListMember } from '../../runtime/schemas/schema-leaves';

/** What a page has of a schema. Members that it lacks are left out of `value` and named in `missing`. */
export interface Extraction {
  value: unknown;
  missing: string[];
  sources: ResultSource[];
  lists: ResultList[];
}

interface ExtractionOptions {
  /** Null stands for what the page lacks, as it does where the schema allows it. */
  hasNulls?: boolean;
  /** What a model has chosen; it goes before what is found by name. */
  chosen?: ChosenData | undefined;
}

/** A row with the part for each leaf, where it has one. */
interface PickedRow {
  row: PageRow;
  picks: (PagePart | undefined)[];
}

/**
 * Extracts data in the shape of a JSON schema. A list of objects is read from the table or list whose columns or parts are
 * named like its properties; an object from labels, fields and headings. Every value has its source.
 */
export function extractBySchema(
  schema: JsonSchema,
  frames: readonly PageData[],
  { hasNulls = false, chosen }: ExtractionOptions = {},
): Extraction {
  const { leaves, lists } = membersOf(schema);
  const found: Extraction = { value: schema['type'] === 'array' ? [] : {}, missing: [], sources: [], lists: [] };
  for (const list of lists) {
    const own = membersOf(list.items, schema).leaves;
    const group = chosenGroup(list, own, frames, chosen) ?? bestGroup(list, own, frames);
    addList(found, list, own, group, hasNulls);
  }
  for (const leaf of leaves) {
    const pair = chosen?.singles.get(memberName(leaf.path)) ?? bestPair(leaf, frames);
    if (pair === undefined) found.missing.push(memberName(leaf.path));
    addValue(found, leaf.path, leaf, pair, hasNulls);
  }
  return found;
}

function bestPair(leaf: Leaf, frames: readonly PageData[]): { part: PagePart; url: string } | undefined {
  for (const { url, pairs } of frames) {
    const part = bestPart(leaf, pairs);
    if (part !== undefined) return { part, url };
  }
  const [first] = frames;
  const isTitle = /title|heading/i.test(leaf.path.at(-1)!);
  if (!isTitle || first === undefined || first.title === '') return undefined;
  return { part: { names: [], value: first.title, selector: 'title' }, url: first.url };
}

function addList(
  found: Extraction,
  { path }: ListMember,
  leaves: readonly Leaf[],
  group: Group | undefined,
  hasNulls: boolean,
): void {
  if (path.length > 0) setAt(found, path, []);
  if (group === undefined) {
    found.missing.push(...leaves.map((leaf) => memberName(path, leaf.path)));
    found.lists.push({ path: pointer(path), seen: 0, returned: 0, skipped: [] });
    return;
  }
  const isEmpty = ({ picks }: PickedRow): boolean => picks.every((pick) => pick === undefined);
  const rows = group.rows.filter((row) => !isEmpty(row));
  const kinds = new Set(rows.map(({ row }) => row.kind));
  const skipped = group.rows.flatMap((each, at) =>
    isEmpty(each) && kinds.has(each.row.kind) ? [{ row: at + 1, text: each.row.text }] : [],
  );
  for (const [at, { picks }] of rows.entries()) {
    setAt(found, [...path, at], {});
    for (const [index, leaf] of leaves.entries()) {
      const part = picks[index];
      const pair = part === undefined ? undefined : { part, url: group.url };
      addValue(found, [...path, at, ...leaf.path], leaf, pair, hasNulls);
    }
  }
  found.lists.push({ path: pointer(path), seen: rows.length + skipped.length, returned: rows.length, skipped });
  for (const [index, leaf] of leaves.entries())
    if (rows.every(({ picks }) => picks[index] === undefined)) found.missing.push(memberName(path, leaf.path));
}

interface Group {
  url: string;
  rows: PickedRow[];
}

/** The rows like the one in which nodes were chosen; what was not chosen is found by name in them. */
function chosenGroup(
  { path }: ListMember,
  leaves: readonly Leaf[],
  frames: readonly PageData[],
  chosen: ChosenData | undefined,
): Group | undefined {
  const list = chosen?.lists.get(pointer(path));
  if (list === undefined) return undefined;
  const known = frames
    .filter(({ url }) => url === list.url)
    .flatMap(({ groups }) => groups.flatMap(({ rows }) => rows.map((row): [string, PageRow] => [row.selector, row])));
  const bySelector = new Map(known);
  return {
    url: list.url,
    rows: list.rows.map(({ row, parts }) => ({
      row,
      picks: leaves.map((leaf) => {
        const name = memberName(path, leaf.path);
        return parts.has(name) ? parts.get(name) : bestPart(leaf, bySelector.get(row.selector)?.parts ?? []);
      }),
    })),
  };
}

/** The group in which most properties are found; of equals a table, then the one with more rows. */
function bestGroup({ path }: ListMember, leaves: readonly Leaf[], frames: readonly PageData[]): Group | undefined {
  // A plain value goes by the name of its list.
  const named = leaves.map((leaf) => (leaf.path.length > 0 ? leaf : { ...leaf, path }));
  const scored = frames.flatMap(({ url, groups }) =>
    groups.map(({ kind, isAside, rows: own }) => {
      const rows = own.map((row) => ({ row, picks: named.map((leaf) => bestPart(leaf, row.parts)) }));
      return { kind, isAside, url, rows, score: scoreOf(leaves, rows) };
    }),
  );
  const [best] = scored.toSorted(
    (one, other) =>
      other.score - one.score ||
      Number(one.isAside) - Number(other.isAside) ||
      order(one.kind) - order(other.kind) ||
      other.rows.length - one.rows.length,
  );
  return best === undefined || best.score === 0 ? undefined : best;
}

/** How many properties more than half of the rows have. */
function scoreOf(leaves: readonly Leaf[], rows: readonly PickedRow[]): number {
  return leaves.filter((_, at) => rows.filter(({ picks }) => picks[at] !== undefined).length * 2 > rows.length).length;
}

function order(kind: PageGroup['kind']): number {
  return kind === 'table' ? 0 : 1;
}

function addValue(
  found: Extraction,
  path: (string | number)[],
  { member, isNullable }: Leaf,
  pair: { part: PagePart; url: string } | undefined,
  hasNulls: boolean,
): void {
  if (pair === undefined) {
    if (isNullable || hasNulls) setAt(found, path, null);
    return;
  }
  const { value: text, selector, attribute, ref } = pair.part;
  setAt(found, path, castText(text, member));
  found.sources.push({
    path: pointer(path),
    url: pair.url,
    selector,
    text,
    ...(attribute === undefined ? {} : { attribute }),
    ...(ref === undefined ? {} : { ref }),
  });
}
