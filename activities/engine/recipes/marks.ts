import { walkNodes, type PageNode, type PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { Target } from '../../../contracts/commands/planned-command';
import { toPagePattern, toTextPattern } from '../../../contracts/recipes/page-pattern';
import type { RecipeTarget } from '../../../contracts/recipes/recipe';
import { oneLine } from '../../../contracts/text';
import { durableTarget } from '../../../rules/page-text/durable-target';

/** What repeats on a page, and differs by what it says. */
const ITEMS: ReadonlySet<string> = new Set(['row', 'listitem', 'article', 'treeitem', 'option', 'gridcell']);
export const GROUPS: ReadonlySet<string> = new Set(
  'form dialog alertdialog navigation main banner contentinfo complementary search region group tabpanel table grid toolbar menu radiogroup'.split(
    ' ',
  ),
);
const LONGEST_ITEM = 400;
const LONGEST_NAME = 80;

/** A node of a snapshot with its ancestors. */
export interface MarkedPlace {
  node: PageNode;
  ancestors: readonly PageNode[];
}

export function markPlaces({ nodes }: Pick<PageSnapshot, 'nodes'>): MarkedPlace[] {
  return [...walkNodes(nodes)];
}

/** The marks of an element beside its durable target. */
export function marksOf(snapshot: PageSnapshot, { node, ancestors }: MarkedPlace, target: Target): RecipeTarget {
  const { selector, role, name, nth, of } = target;
  const item = itemTextOf(node, ancestors);
  const label = labelBefore(node, ancestors);
  return {
    selector,
    role,
    name,
    nth,
    of,
    ...(item === undefined ? {} : { item }),
    ...(label === undefined ? {} : { label }),
    around: aroundOf(ancestors),
    attributes: attributesOf(node),
  };
}

/** The element with this ref as recipes find it again; undefined where nothing identifies it. */
export function targetOfRef(
  snapshot: PageSnapshot,
  ref: string,
): { place: MarkedPlace; target: RecipeTarget } | undefined {
  const target = durableTarget(snapshot, ref);
  const place = markPlaces(snapshot).find(({ node }) => node.ref === ref);
  return target === undefined || place === undefined ? undefined : { place, target: marksOf(snapshot, place, target) };
}

/** What else the row, card or entry of an element says, word for word: another price is another row. */
export function itemTextOf(node: PageNode, ancestors: readonly PageNode[]): string | undefined {
  const item = ancestors.findLast(({ role }) => ITEMS.has(role));
  return item === undefined ? undefined : oneLine(textsIn(item, node).join(' '), LONGEST_ITEM);
}

/** All that a node says, without one node in it. */
export function textsIn(node: PageNode | string, except?: PageNode): string[] {
  if (typeof node === 'string') return [node];
  if (node === except) return [];
  const inner = (node.children ?? []).flatMap((child) => textsIn(child, except));
  return inner.length > 0 ? inner : [node.name, node.text].filter((text) => text !== undefined);
}

/** The text right before an element, in what it stands in. */
function labelBefore(node: PageNode, ancestors: readonly PageNode[]): string | undefined {
  const siblings = ancestors.at(-1)?.children ?? [];
  const before = siblings.slice(0, Math.max(0, siblings.indexOf(node))).flatMap((each) => textsIn(each));
  const label = toTextPattern(oneLine(before.at(-1) ?? '', LONGEST_NAME));
  return label === '' ? undefined : label;
}

function aroundOf(ancestors: readonly PageNode[]): string[] {
  return ancestors
    .filter(({ role, name }) => GROUPS.has(role) && (role !== 'group' || name))
    .map(({ role, name = '' }) => `${role} ${toTextPattern(oneLine(name, LONGEST_NAME))}`.trim());
}

/** Attributes that outlive words and places. */
function attributesOf({ placeholder, url, attributes = {} }: PageNode): Record<string, string> {
  const { submits, ...own } = attributes;
  const [method, action = ''] = submits?.split(' ') ?? [];
  return {
    ...own,
    ...(method === undefined ? {} : { submits: `${method} ${pathOf(action)}` }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(url === undefined ? {} : { href: pathOf(url) }),
  };
}

function pathOf(url: string): string {
  return URL.canParse(url) ? toPagePattern(url) : url.replace(/[?#].*$/, '');
}
