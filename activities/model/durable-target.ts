import type { PageLook, PageNode } from '../../contracts/page';
import { walk } from '../../contracts/page';
import type { Target } from '../../contracts/planned-command';

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
function frameIndex(look: PageLook, frame: PageNode): number {
  const all = [...walk(look.nodes)].filter(({ node }) => node.role === 'iframe');
  const outer = framesOf(all.find(({ node }) => node === frame)?.ancestors ?? []).at(-1);
  return all.filter(({ ancestors }) => framesOf(ancestors).at(-1) === outer).findIndex(({ node }) => node === frame);
}

/**
 * Resolves a ref of one look to a target that outlives it: frame chain, role and name (or text, or placeholder), and
 * its place among equal ones. A ref itself is never kept: after a reattach the numbers start again, and an old e3 may be
 * "Delete everything". Undefined when the look has no such ref, or the node nothing to be asked for by.
 */
export function durableTarget(look: PageLook, ref: string): Target | undefined {
  const found = [...walk(look.nodes)].find(({ node }) => node.ref === ref);
  if (found === undefined) return undefined;
  const { node, ancestors } = found;
  const own = ownSelector(node);
  if (own === undefined) return undefined;
  const frames = framesOf(ancestors);
  const frame = frames.at(-1);
  const equals = [...walk(look.nodes)]
    .filter((other) => framesOf(other.ancestors).at(-1) === frame && isMatchedBy(other.node, own, node))
    .map((other) => other.node);
  const path = frames.map((each) => `iframe >> nth=${frameIndex(look, each)}${ENTER_FRAME}`).join('');
  return {
    selector: path + own,
    role: node.role,
    name: node.name ?? node.text ?? node.placeholder ?? '',
    nth: equals.indexOf(node),
    of: equals.length,
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
