import type { PageSnapshot, PageNode } from '../../contracts/browsers/page-snapshot';
import { walkNodes } from '../../contracts/browsers/page-snapshot';
import type { Target } from '../../contracts/commands/planned-command';
import { inSelector, roleSelector, WITHOUT_ROLE_SELECTOR } from '../../contracts/commands/role-selector';

/** Playwright's notation for entering the iframe that the selector before it matches. */
const ENTER_FRAME = ' >> internal:control=enter-frame >> ';

/** The selector of an element within its frame, without its position; undefined where nothing identifies the element. */
function ownSelector(node: PageNode): string | undefined {
  if (WITHOUT_ROLE_SELECTOR.has(node.role)) {
    const text = node.text ?? node.children?.find((child) => typeof child === 'string');
    return text === undefined || text.trim() === '' ? undefined : `text=${inSelector(text.trim())}`;
  }
  if (node.name !== undefined && node.name !== '') return roleSelector(node.role, node.name);
  if (node.placeholder !== undefined) return `[placeholder=${inSelector(node.placeholder)}]`;
  return `role=${node.role}`;
}

/** Whether a ref of this node becomes a target: a group without text and locator is nothing that could be found again. */
export function canBeTarget(node: PageNode): boolean {
  return node.ref !== undefined && [node.locator, node.anchor, ownSelector(node)].some((way) => way !== undefined);
}

/** Whether a selector that was made for `wanted` also matches this node. */
function isMatchedBy(node: PageNode, selector: string, wanted: PageNode): boolean {
  if (node !== wanted && node.locator !== undefined) return false;
  if (node.ariaHidden === true && !WITHOUT_ROLE_SELECTOR.has(wanted.role)) return false;
  if (selector.startsWith('role=') && (wanted.name === undefined || wanted.name === ''))
    return node.role === wanted.role;
  return node.role === wanted.role && ownSelector(node) === selector;
}

function framesOf(ancestors: readonly PageNode[]): PageNode[] {
  return ancestors.filter((ancestor) => ancestor.role === 'iframe');
}

/** A frame by what its element is in its document; without a survey by its number, as the page text has it. */
function frameSelector(snapshot: PageSnapshot, frame: PageNode): string {
  return frame.locator === undefined ? `iframe >> nth=${frameIndex(snapshot, frame)}` : selectorText(frame.locator);
}

/** Index of an iframe among those that its document shows. */
function frameIndex(snapshot: PageSnapshot, frame: PageNode): number {
  const all = [...walkNodes(snapshot.nodes)].filter(({ node }) => node.role === 'iframe');
  const outer = framesOf(all.find(({ node }) => node === frame)?.ancestors ?? []).at(-1);
  return all.filter(({ ancestors }) => framesOf(ancestors).at(-1) === outer).findIndex(({ node }) => node === frame);
}

/** A node with its ancestors. */
interface Place {
  node: PageNode;
  ancestors: readonly PageNode[];
}

/** The innermost row of a pruned run that contains the node or is the node. */
function rowOf({ node, ancestors }: Place): PageNode | undefined {
  return [...ancestors, node].findLast(({ anchor }) => anchor !== undefined);
}

/** Selects an element within a row: the row by its text, and the element among the matches in that row. */
function inRow(row: PageNode, node: PageNode, own: string): Pick<Target, 'selector' | 'nth' | 'of'> {
  const { selector, nth, of } = row.anchor!;
  if (row === node) return { selector, nth, of };
  const equals = [...walkNodes(row.children ?? [])].filter((other) => isMatchedBy(other.node, own, node));
  return {
    selector: `${selector} >> ${own}`,
    // Rows with equal text are assumed to have equal content; otherwise their number differs from `of`.
    nth: nth * equals.length + equals.findIndex((other) => other.node === node),
    of: of * equals.length,
  };
}

/** Selects an element outside of pruned runs. Their omitted rows are unknown, so rows are excluded where they may match. */
function outsideRuns(places: readonly Place[], node: PageNode, own: string): Pick<Target, 'selector' | 'nth' | 'of'> {
  const equals = places.filter((place) => isMatchedBy(place.node, own, node));
  const outside = equals.filter((place) => rowOf(place) === undefined).map((place) => place.node);
  const runs = places.flatMap((place) => place.node.omitted?.selector.replace(/^css=/, '') ?? []);
  const isAlsoInRow = outside.length < equals.length && !runs.some((run) => run.includes(' >> '));
  const except = [...new Set(runs)].map((run) => `:not(${run} *)`).join('');
  return {
    selector: isAlsoInRow ? `${own} >> internal:and=${JSON.stringify(`css=${except}`)}` : own,
    nth: outside.indexOf(node),
    of: outside.length,
  };
}

/**
 * Resolves a ref of a snapshot to a target that outlives the snapshot: the chain of frames, role and name (or text, or
 * placeholder), and the position among equal elements; in a pruned run the row by its text first. Refs are never stored:
 * after a reattach they are numbered anew, and an old e3 may be "Delete everything". Returns undefined where the snapshot
 * does not contain the ref, or nothing identifies the element.
 */
export function durableTarget(snapshot: PageSnapshot, ref: string): Target | undefined {
  const all = [...walkNodes(snapshot.nodes)];
  const found = all.find(({ node }) => node.ref === ref);
  if (found === undefined) return undefined;
  const { node, ancestors } = found;
  const frames = framesOf(ancestors);
  const frame = frames.at(-1);
  // A row outside of the frame does not identify an element in it.
  const row = rowOf({
    node,
    ancestors: frame === undefined ? ancestors : ancestors.slice(ancestors.indexOf(frame) + 1),
  });
  const own = row === node ? '' : ownSelector(node);
  if (own === undefined && node.locator === undefined) return undefined;
  const places = all.filter((place) => framesOf(place.ancestors).at(-1) === frame);
  const { selector, ...place } =
    row !== node && node.locator !== undefined
      ? node.locator
      : row === undefined
        ? outsideRuns(places, node, own!)
        : inRow(row, node, own!);
  const path = frames.map((each) => `${frameSelector(snapshot, each)}${ENTER_FRAME}`).join('');
  return {
    selector: path + selector,
    role: node.role,
    name: node.name ?? node.text ?? node.placeholder ?? '',
    ...place,
  };
}

/** The selector text in commands, events and the journal. */
export function selectorText({ selector, nth, of }: Pick<Target, 'selector' | 'nth' | 'of'>): string {
  return of > 1 ? `${selector} >> nth=${nth}` : selector;
}

/** Reads the ref of a selector such as `ref=e12` or `e12`; undefined for another selector. */
export function refIn(selector: string): string | undefined {
  return /^(?:ref=|aria-ref=)?((?:f\d+)?e\d+)$/.exec(selector.trim())?.[1];
}
