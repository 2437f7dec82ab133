import type { PageNode } from '../../contracts/browsers/page-snapshot';

/** When more than this share of a page is new, it is another page, and nothing is marked. */
const MOST_NEW = 0.6;

/**
 * Marks the nodes that are new or changed. Nodes are identified by their content, not by refs, which another worker
 * numbers anew. A new subtree is marked at its root, a change at the innermost node.
 */
export function markChanges(
  before: readonly (PageNode | string)[],
  now: readonly (PageNode | string)[],
): (PageNode | string)[] {
  return changesSince(before, now) ?? [...now];
}

/** The nodes with their marks; undefined where so much is new that it is another page. */
export function changesSince(
  before: readonly (PageNode | string)[],
  now: readonly (PageNode | string)[],
): (PageNode | string)[] | undefined {
  const known = { whole: new Map<string, number>(), named: new Map<string, number>() };
  for (const node of allNodes(before)) {
    add(known.whole, contentKey(node));
    add(known.named, identityKey(node));
  }
  const tally = { all: 0, fresh: 0 };
  const marked = now.map((node) => markNode(node, known, tally));
  return tally.fresh > tally.all * MOST_NEW ? undefined : marked;
}

/**
 * Whether two snapshots of a page have the same content, with the rows and entries in the same order. Where anything else
 * stands does not matter.
 */
export function hasSameContent(before: readonly (PageNode | string)[], now: readonly (PageNode | string)[]): boolean {
  const [one, other] = [before, now].map((nodes) => {
    const all = [...allNodes(nodes)];
    const content = [...nodes.filter((node) => typeof node === 'string'), ...all.map(contentKey)].sort();
    const entries = all.filter(({ role }) => ENTRIES.includes(role)).map((entry) => plainText(entry));
    return [...content, ...entries].join('\n');
  });
  return one === other;
}

const ENTRIES: readonly string[] = ['row', 'listitem', 'treeitem', 'article'];

/** The names and texts of a node and all within it. */
export function plainText(node: PageNode | string): string {
  if (typeof node === 'string') return node;
  return [node.name, node.text, ...(node.children ?? []).map(plainText)].filter((text) => text !== undefined).join(' ');
}

type Known = Record<'whole' | 'named', Map<string, number>>;

function markNode(node: PageNode | string, known: Known, tally: { all: number; fresh: number }): PageNode | string {
  if (typeof node === 'string' || node.omitted !== undefined) return node;
  // A row of a long run may have been pruned before; pruning has marked it if it is new.
  if (node.anchor !== undefined) return node;
  const children = node.children?.map((child) => markNode(child, known, tally));
  const since = ownChange(node, known);
  tally.all += 1;
  if (since === 'new') tally.fresh += 1;
  const inner = (children ?? []).filter((child): child is PageNode => typeof child !== 'string' && !child.omitted);
  const shown: PageNode = { ...node, ...(children === undefined ? {} : { children }) };
  if (since === undefined) return shown;
  if (since === 'new' && inner.every((child) => child.since === 'new'))
    return { ...shown, since, ...(children === undefined ? {} : { children: children.map(unmarked) }) };
  // The nodes around a change often take their name from it.
  return inner.some(hasMark) ? shown : { ...shown, since };
}

function ownChange(node: PageNode, { whole, named }: Known): PageNode['since'] {
  const isSame = take(whole, contentKey(node));
  const isNamed = take(named, identityKey(node));
  if (isSame || ownText(node) === '') return undefined;
  return isNamed ? 'changed' : 'new';
}

function ownText({ name, text, children }: PageNode): string {
  return [name, text, ...(children ?? []).filter((child) => typeof child === 'string')].join('').trim();
}

/** The identity of an element across changes: its role and name. */
function identityKey({ role, name }: PageNode): string {
  return JSON.stringify([role, name ?? '']);
}

function contentKey(node: PageNode): string {
  const { role, name, text, placeholder, url, checked, selected, expanded, disabled, pressed, invalid, value } = node;
  const strings = (node.children ?? []).filter((child) => typeof child === 'string');
  const states = [checked, selected, expanded, disabled, pressed, invalid, value];
  return JSON.stringify([role, name, text, placeholder, url, states, strings]);
}

function* allNodes(nodes: readonly (PageNode | string)[]): Generator<PageNode> {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    yield node;
    yield* allNodes(node.children ?? []);
  }
}

function hasMark({ since, children }: PageNode): boolean {
  return since !== undefined || (children ?? []).some((child) => typeof child !== 'string' && hasMark(child));
}

function unmarked(node: PageNode | string): PageNode | string {
  if (typeof node === 'string') return node;
  const { since: _since, ...rest } = node;
  return node.children === undefined ? rest : { ...rest, children: node.children.map(unmarked) };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function take(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0;
  if (left > 0) counts.set(key, left - 1);
  return left > 0;
}
