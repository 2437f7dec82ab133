/** One node of the accessibility tree of a page, as Playwright's AI snapshot gives it; strings are plain text. */
export interface PageNode {
  role: string;
  name?: string;
  /** Number of this node in this one look, e.g. e12 or f1e3 inside an iframe. It means nothing in any other look. */
  ref?: string;
  /** Text inside, or the value of a text field. */
  text?: string;
  placeholder?: string;
  url?: string;
  level?: number;
  checked?: boolean | 'mixed';
  selected?: boolean;
  expanded?: boolean;
  disabled?: boolean;
  pressed?: boolean | 'mixed';
  active?: boolean;
  ariaHidden?: boolean;
  cursor?: string;
  /** What became of it since the look before. */
  since?: 'new' | 'changed';
  /** How it is found among the others of its run, of which this look has not all. */
  anchor?: Anchor;
  /** Stands for elements of a long run that this look does not have. */
  omitted?: OmittedNodes;
  /** Where it stands in view, in CSS pixels; only while a picture is taken. */
  box?: { x: number; y: number; width: number; height: number };
  children?: (PageNode | string)[];
}

/** A row of a long run, told by its own text: this is the nth (from 0) of `of` that the selector matches in its frame. */
export interface Anchor {
  selector: string;
  nth: number;
  of: number;
  /** It is shown only because the focus is in it, or because it is new: another look may not have it. */
  isTransient?: boolean;
}

export interface OmittedNodes {
  count: number;
  /** Matches each element of the run, those that were left out as well, within their frame. */
  selector: string;
}

/** A picture of the page, taken with the look and kept as an artifact. */
export interface PagePicture {
  artifactId: string;
  /** True when elements have boxes with their refs in it. */
  hasBoxes: boolean;
}

/** What was seen of the browser at one moment: the page in front, its tree, and the other tabs. Secrets are masked. */
export interface PageSnapshot {
  snapshotId: string;
  url: string;
  title: string;
  tabs: { title: string; url: string; isActive: boolean }[];
  nodes: (PageNode | string)[];
  picture?: PagePicture;
}

/** Every node of a look in document order, with its ancestors from the root down. */
export function* walkNodes(
  nodes: readonly (PageNode | string)[],
  ancestors: readonly PageNode[] = [],
): Generator<{ node: PageNode; ancestors: readonly PageNode[] }> {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    yield { node, ancestors };
    yield* walkNodes(node.children ?? [], [...ancestors, node]);
  }
}
