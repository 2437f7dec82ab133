import type { PageSnapshot, PageNode } from '../../contracts/browsers/page-snapshot';
import { canBeTarget } from '../page-text/durable-target';
import { EDITABLE } from '../language/role-words';

/** One node or text of a snapshot, with the names that people would call it. */
export interface Item {
  index: number;
  /** Index of the last item inside this one. */
  last: number;
  role: string;
  /** The accessible name, otherwise the text inside. */
  label: string;
  /** All text inside; the value of a field. */
  text: string;
  /** For a field without a name: its placeholder and the text beside it; for an editor the name of its frame. */
  hints: string[];
  node: PageNode | undefined;
  parent: Item | undefined;
  children: Item[];
  isHidden: boolean;
}

export interface Page {
  url: string;
  title: string;
  items: Item[];
}

/** Longer text is no name, so it is cut for matching. */
export const LONGEST_LABEL = 400;

const known = new WeakMap<PageSnapshot, Page>();

/** A snapshot never changes, so that it is indexed once, with all that is found out about it. */
export function indexPage(snapshot: PageSnapshot): Page {
  const page = known.get(snapshot) ?? index(snapshot);
  known.set(snapshot, page);
  return page;
}

function index(snapshot: PageSnapshot): Page {
  const items: Item[] = [];
  for (const node of snapshot.nodes) add(node, undefined, items);
  for (const item of items) if (isUnnamedField(item)) item.hints.push(...besides(item));
  return { url: snapshot.url, title: snapshot.title, items };
}

function add(source: PageNode | string, parent: Item | undefined, items: Item[]): void {
  const node = typeof source === 'string' ? undefined : source;
  const item: Item = {
    index: items.length,
    last: items.length,
    role: node === undefined ? 'text' : roleOf(node),
    label: '',
    text: '',
    hints: node?.placeholder ? [node.placeholder] : [],
    node,
    parent,
    children: [],
    isHidden: (parent?.isHidden ?? false) || node?.ariaHidden === true || isUnseenFrame(node),
  };
  items.push(item);
  parent?.children.push(item);
  for (const child of node?.children ?? []) add(child, item, items);
  item.last = items.length - 1;
  const inside = item.children.map((child) => child.text).join(' ');
  item.text = (typeof source === 'string' ? source : textOf(source, inside.trim())).slice(0, LONGEST_LABEL);
  item.label = node?.name ?? (isField(item) ? '' : item.text);
  // An editor in a frame of its own is called by the name of that frame.
  if (node?.states?.includes('editable') === true)
    for (const above of ancestors(item))
      if (above.role === 'iframe' && above.node?.name) item.hints.push(above.node.name);
  // A sign says less than its tooltip.
  if (node?.description !== undefined && !/[\p{L}\p{N}]/u.test(item.label)) item.hints.push(node.description);
}

/** What a frame shows that nobody sees is not seen either. */
function isUnseenFrame(node: PageNode | undefined): boolean {
  return node?.role === 'iframe' && /^(?:without size|transparent|off-screen)$/.test(node.unreachable ?? '');
}

/** The text of a node with controls in it that only a survey found stands at the node itself. A picture says its name. */
function textOf({ role, text = '', name = '' }: PageNode, inside: string): string {
  if (role === 'img' && name !== '') return name;
  return text.includes(inside) ? text || inside || name : inside || name;
}

/** A handle that works like a slider and says nothing of it is one. */
function roleOf({ role, states }: PageNode): string {
  return role === 'generic' && states?.includes('slider') === true ? 'slider' : role;
}

/** Whether the item has a value, so that its text is not its name. */
export function isField(item: Item): boolean {
  return (EDITABLE as readonly string[]).includes(item.role) || item.role === 'listbox' || item.role === 'slider';
}

function isUnnamedField(item: Item): boolean {
  const { name = '', placeholder } = item.node ?? {};
  // An example of what is to be typed names nothing.
  const isExample =
    isField(item) && (name === placeholder || !/\p{Ll}{2}/u.test(name) || /…$|\.\.\.$|^e\.?g\b/i.test(name));
  return (name === '' || isExample) && (isField(item) || item.role === 'checkbox' || item.role === 'radio');
}

/** The text beside an unnamed field: before it; of a checkbox on the side on which its group has texts. */
function besides(item: Item): string[] {
  const around = item.parent && item.parent.children.length === 1 ? item.parent : item;
  const siblings = around.parent?.children ?? [];
  const at = siblings.indexOf(around);
  const [before, behind] = [siblings[at - 1], isField(item) ? undefined : siblings[at + 1]].map((sibling) =>
    sibling && !isField(sibling) && !isCheckable(sibling) && sibling.text ? [sibling.text] : [],
  ) as [string[], string[]];
  if (before.length === 0 || behind.length === 0) return [...before, ...behind];
  const first = siblings.find((sibling) => isCheckable(sibling) || sibling.role === 'text' || sibling.text !== '');
  return first !== undefined && isCheckable(first) ? behind : before;
}

function isCheckable({ role, children }: Item): boolean {
  return (
    role === 'checkbox' ||
    role === 'radio' ||
    (children.length === 1 && /^(?:checkbox|radio)$/.test(children[0]?.role ?? ''))
  );
}

export function* ancestors(item: Item): Generator<Item> {
  for (let above = item.parent; above; above = above.parent) yield above;
}

export function isInside(item: Item, container: Item): boolean {
  return item.index >= container.index && item.index <= container.last;
}

export function itemsInside(page: Page, container: Item): Item[] {
  return page.items.slice(container.index, container.last + 1);
}

/** The item, or the nearest ancestor with a ref that a command can use. */
export function nearestNamed(item: Item): Item | undefined {
  return [item, ...ancestors(item)].find(({ node }) => node !== undefined && canBeTarget(node));
}
