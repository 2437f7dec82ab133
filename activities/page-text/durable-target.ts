import type { PageSnapshot, PageNode } from '../../contracts/browsers/page-snapshot';
import { walkNodes } from '../../contracts/browsers/page-snapshot';
import type { Target } from '../../contracts/commands/planned-command';

/** Enters the nth iframe of the document the selector stands in; Playwright's own notation. */
const ENTER_FRAME = ' >> internal:control=enter-frame >> ';
/** Roles that the snapshot gives but no selector can ask for. */
const UNASKABLE = new Set(['generic', 'iframe', 'text']);

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Same thing to a selector: what the element is asked for by, within one frame. */
function ownSelector(node: PageNode): string | undefined {
  if (UNASKABLE.has(node.role)) {
    const text = node.text ?? node.children?.find((child) => typeof child === 'string');
    return text === undefined || text.trim() === '' ? undefined : `text=${quoted(text.trim())}`;
  }
  if (node.name !== undefined && node.name !== '') return `role=${node.role}[name=${quoted(node.name)}s]`;
  if (node.placeholder !== undefined) return `[placeholder=${quoted(node.placeholder)}]`;
  return `role=${node.role}`;
}

/** Does this selector, which was made for another node, also match this one? */
function isMatchedBy(node: PageNode, selector: string, wanted: PageNode): boolean {
  if (node.ariaHidden === true && !UNASKABLE.has(wanted.role)) return false;
  if (selector.startsWith('role=') && (wanted.name === undefined || wanted.name === ''))
    return node.role === wanted.role;
  return node.role === wanted.role && ownSelector(node) === selector;
}

function framesOf(ancestors: readonly PageNode[]): PageNode[] {
  return ancestors.filter((ancestor) => ancestor.role === 'iframe');
}

/** Number of an iframe among those of its own document. */
function frameIndex(snapshot: PageSnapshot, frame: PageNode): number {
  const all = [...walkNodes(snapshot.nodes)].filter(({ node }) => node.role === 'iframe');
  const outer = framesOf(all.find(({ node }) => node === frame)?.ancestors ?? []).at(-1);
  return all.filter(({ ancestors }) => framesOf(ancestors).at(-1) === outer).findIndex(({ node }) => node === frame);
}

/** A node with its ancestors, as `walk` gives it. */
interface Place {
  node: PageNode;
  ancestors: readonly PageNode[];
}

/** The innermost row of a long run that a node is in, or is. */
function rowOf({ node, ancestors }: Place): PageNode | undefined {
  return [...ancestors, node].findLast(({ anchor }) => anchor !== undefined);
}

/** Of an element in a row: the row by its text, and the element among the equal ones of that row. */
function inRow(row: PageNode, node: PageNode, own: string): Pick<Target, 'selector' | 'nth' | 'of'> {
  const { selector, nth, of } = row.anchor!;
  if (row === node) return { selector, nth, of };
  const equals = [...walkNodes(row.children ?? [])].filter((other) => isMatchedBy(other.node, own, node));
  return {
    selector: `${selector} >> ${own}`,
    // Rows that read the same have the same in them; should they not, their number is not what it was.
    nth: nth * equals.length + equals.findIndex((other) => other.node === node),
    of: of * equals.length,
  };
}

/** Of an element outside: which of a run was left out is not known, so nothing in it counts where it may be the same. */
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
 * Resolves a ref of one look to a target that outlives it: frame chain, role and name (or text, or placeholder), and
 * its place among equal ones; in a long run of which the look has a part, the row by its text first. A ref itself is
 * never kept: after a reattach the numbers start again, and an old e3 may be "Delete everything". Undefined when the look
 * has no such ref, or the node nothing to be asked for by.
 */
export function durableTarget(snapshot: PageSnapshot, ref: string): Target | undefined {
  const all = [...walkNodes(snapshot.nodes)];
  const found = all.find(({ node }) => node.ref === ref);
  if (found === undefined) return undefined;
  const { node, ancestors } = found;
  const frames = framesOf(ancestors);
  const frame = frames.at(-1);
  // A row outside this frame says nothing of what is in it.
  const row = rowOf({
    node,
    ancestors: frame === undefined ? ancestors : ancestors.slice(ancestors.indexOf(frame) + 1),
  });
  const own = row === node ? '' : ownSelector(node);
  if (own === undefined) return undefined;
  const places = all.filter((place) => framesOf(place.ancestors).at(-1) === frame);
  const { selector, ...place } = row === undefined ? outsideRuns(places, node, own) : inRow(row, node, own);
  const path = frames.map((each) => `iframe >> nth=${frameIndex(snapshot, each)}${ENTER_FRAME}`).join('');
  return {
    selector: path + selector,
    role: node.role,
    name: node.name ?? node.text ?? node.placeholder ?? '',
    ...place,
  };
}

/** The one selector that stands in commands, events and the journal. */
export function selectorText({ selector, nth, of }: Target): string {
  return of > 1 ? `${selector} >> nth=${nth}` : selector;
}

/** `ref=e12` or `e12`, as a model writes it. */
export function refIn(selector: string): string | undefined {
  return /^(?:ref=|aria-ref=)?((?:f\d+)?e\d+)$/.exec(selector.trim())?.[1];
}
