import type { PageNode } from '../../contracts/browsers/page-snapshot';
import { oneLine } from '../../contracts/text';
import { nodeText } from './node-text';

/** One line of a page's text, with its relevance. */
export interface PageLine {
  text: string;
  /** What a note calls omitted lines of this kind. */
  kind: string;
  depth: number;
  /** Index of the parent line; -1 at the top. */
  parent: number;
  /** Lines with higher relevance are kept first. */
  relevance: number;
  /** Whether it is an element that can be used. */
  isControl: boolean;
}

/** Roles of groups. A group without a name or interaction is left out to save tokens. */
const GROUPING = new Set(['generic', 'group', 'presentation', 'none']);
const LEAF_OF_ROW = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
const URGENT = new Set(['dialog', 'alertdialog', 'alert', 'status']);
const INTERACTIVE = new Set(
  [
    'button link textbox searchbox checkbox radio combobox listbox option switch slider spinbutton tab menuitem treeitem',
  ].flatMap((roles) => roles.split(' ')),
);
const OUTLINE = new Set(['heading', 'main', 'navigation', 'form', 'table', 'list', 'iframe', 'region', 'banner']);
/** The most characters of the cell that names a row. */
const MAX_KEY = 40;
/** The first siblings of a run, which keep their full relevance. */
const HEAD_OF_RUN = 3;

/** How a reader gets at an element that is left out: steps take selectors, tools take refs alone and have `find`. */
export type Reach = 'selector' | 'find';

/** Renders a tree as lines with relevance: by focus, goal, urgency, change and interactivity. */
export function toPageLines(
  nodes: readonly (PageNode | string)[],
  words: readonly string[],
  reach: Reach = 'selector',
): PageLine[] {
  const lines: PageLine[] = [];
  const lower = words.map((word) => word.toLowerCase());
  const frequency = countWords(nodes, lower);

  function visit(children: readonly (PageNode | string)[], parent: number, depth: number, inherited: number): void {
    const places = placesInRuns(children);
    children.forEach((node, index) => {
      if (typeof node === 'string') {
        if (node.trim() !== '')
          add(`- text: ${nodeText({ role: '', text: node })}`, 'text', depth, parent, 20 + goal(node) + inherited);
        return;
      }
      if (node.omitted !== undefined) {
        const { count, selector } = node.omitted;
        const tag = /([\w-]+)$/.exec(selector)?.[1] ?? '*';
        const how = reach === 'find' ? 'find shows those with your words' : `${tag}:has-text("…") finds one`;
        add(`- (${count} more not shown; ${how})`, 'note', depth, parent, 72);
        return;
      }
      const inner = node.children ?? [];
      if (isEmptyGroup(node)) {
        visit(inner, parent, depth, inherited);
        return;
      }
      const late = penalty(node, places[index]!);
      const cells = node.role === 'row' ? cellsOf(inner) : undefined;
      const said = cells === undefined ? saidBy(node) : deepText(node);
      const most = Math.max(relevanceOf(node), ...(cells === undefined ? [] : inner.map(cellWorth)));
      const own = add(
        cells === undefined ? `- ${nodeText(withKey(node))}` : `- ${nodeText(node)}: ${cells.join(' | ')}`,
        node.role,
        depth,
        parent,
        most + goal(said) + inherited - late,
        isControl(node),
      );
      // Children of urgent, focused or changed parts gain relevance.
      const passedOn = URGENT.has(node.role) || node.active === true ? 25 : node.since === undefined ? 0 : 10;
      if (cells === undefined) visit(inner, own, depth + 1, Math.min(40, inherited + passedOn) - late / 2);
    });
  }

  function cellWorth(cell: PageNode | string): number {
    return typeof cell === 'string' ? 0 : Math.max(relevanceOf(cell), ...(cell.children ?? []).map(cellWorth)) - 15;
  }

  function add(text: string, what: string, depth: number, parent: number, worth: number, isControl = false): number {
    lines.push({ text: '  '.repeat(depth) + text, kind: what, depth, parent, relevance: worth, isControl });
    return lines.length - 1;
  }

  /** A word of the goal adds the more relevance the rarer it is on the page. */
  function goal(text: string): number {
    const said = text.toLowerCase();
    return lower.reduce((most, word, index) => {
      if (!said.includes(word)) return most;
      return Math.max(most, 20 + 200 / Math.max(1, frequency[index]!));
    }, 0);
  }

  visit(nodes, -1, 0, 0);
  return lines;
}

function isControl({ role, cursor, states }: Pick<PageNode, 'role' | 'cursor' | 'states'>): boolean {
  return INTERACTIVE.has(role) || cursor === 'pointer' || states !== undefined;
}

function relevanceOf(node: PageNode): number {
  const { role, active, since } = node;
  const kind = URGENT.has(role) ? 75 : isControl(node) ? 45 : OUTLINE.has(role) ? 38 : 20;
  return kind + (active === true ? 60 : 0) + (since === undefined ? 0 : 25);
}

/** Lowers the relevance of later siblings in a run, except for the last, which shows where the run ends. */
function penalty({ since, active }: PageNode, { index, length }: { index: number; length: number }): number {
  if (index < HEAD_OF_RUN || since !== undefined || active === true) return 0;
  return index === length - 1 ? 5 : Math.min(35, 5 + index / 4);
}

function placesInRuns(nodes: readonly (PageNode | string)[]): { index: number; length: number }[] {
  const places: { index: number; length: number }[] = [];
  for (let start = 0; start < nodes.length;) {
    const role = roleOf(nodes[start]!);
    let end = start + 1;
    while (end < nodes.length && roleOf(nodes[end]!) === role) end += 1;
    for (let index = start; index < end; index += 1) places.push({ index: index - start, length: end - start });
    start = end;
  }
  return places;
}

function roleOf(node: PageNode | string): string {
  return typeof node === 'string' ? '' : node.role;
}

function isEmptyGroup({ role, name, text, cursor, active, since, states }: PageNode): boolean {
  const isUsed = cursor === 'pointer' || active === true || states !== undefined;
  return GROUPING.has(role) && !name && !text && !isUsed && since === undefined;
}

/** The texts of a row's cells, for a row on one line; undefined where a cell has nested content. */
function cellsOf(cells: readonly (PageNode | string)[]): string[] | undefined {
  const texts: string[] = [];
  for (const cell of cells) {
    if (typeof cell === 'string') texts.push(nodeText({ role: '', text: cell }));
    else if (!LEAF_OF_ROW.has(cell.role)) return undefined;
    else if ((cell.children ?? []).length === 0) texts.push(nodeText({ ...cell, role: '' }));
    else {
      const inner = cell.children!.flatMap((each) => (typeof each === 'string' ? [{ role: '', text: each }] : [each]));
      if (inner.some(({ children, omitted: leftOut }) => children !== undefined || leftOut !== undefined))
        return undefined;
      texts.push(inner.map((each) => nodeText(each)).join(' '));
    }
  }
  return texts.length === 0 ? undefined : texts;
}

/** Names a row whose cells have lines of their own by its first cell: what is left of it may be a button. */
function withKey(node: PageNode): PageNode {
  if (node.role !== 'row' || node.name || node.text) return node;
  const texts = (node.children ?? []).map((cell) => oneLine(typeof cell === 'string' ? cell : deepText(cell), MAX_KEY));
  const key = texts.find((text) => text !== '');
  return key === undefined ? node : { ...node, name: key };
}

function saidBy({ name, text, placeholder }: PageNode): string {
  return [name, text, placeholder].filter((part) => part !== undefined).join(' ');
}

function deepText(node: PageNode): string {
  const inner = (node.children ?? []).map((child) => (typeof child === 'string' ? child : deepText(child)));
  return [saidBy(node), ...inner].join(' ');
}

function countWords(nodes: readonly (PageNode | string)[], words: readonly string[]): number[] {
  const counts = words.map(() => 0);
  const count = (text: string): void => {
    const said = text.toLowerCase();
    words.forEach((word, index) => (counts[index]! += said.includes(word) ? 1 : 0));
  };
  const visit = (node: PageNode | string): void => {
    count(typeof node === 'string' ? node : saidBy(node));
    if (typeof node !== 'string') node.children?.forEach(visit);
  };
  nodes.forEach(visit);
  return counts;
}
