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
  children?: (PageNode | string)[];
}

/** What was seen of the browser at one moment: the page in front, its tree, and the other tabs. Secrets are masked. */
export interface PageLook {
  lookId: string;
  url: string;
  title: string;
  tabs: { title: string; url: string; isActive: boolean }[];
  nodes: (PageNode | string)[];
}

/** Every node of a look in document order, with its ancestors from the root down. */
export function* walk(
  nodes: readonly (PageNode | string)[],
  ancestors: readonly PageNode[] = [],
): Generator<{ node: PageNode; ancestors: readonly PageNode[] }> {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    yield { node, ancestors };
    yield* walk(node.children ?? [], [...ancestors, node]);
  }
}
