import type { ControlActs } from './control-acts';
import type { ApprovalView } from './approval-view';

/** One node of the accessibility tree of a page, as Playwright's AI snapshot gives it; strings are plain text. */
export interface PageNode {
  role: string;
  name?: string;
  /** Number of this node in this snapshot, such as e12, or f1e3 inside an iframe. It is invalid in any other snapshot. */
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
  /** True, or the message of an invalid field. */
  invalid?: boolean | string;
  /** The value of a slider, a spin button, a file field. Never that of a password. */
  value?: string;
  description?: string;
  /** States without a value, such as readonly, and kinds of use, such as draggable. */
  states?: string[];
  /** Why a click would not reach it: transparent, off-screen, inert, covered. */
  unreachable?: string;
  cursor?: string;
  /** Attributes that identify a control in its source, such as `data-testid`; `submits` is where it sends a form. No prompt has them. */
  attributes?: Record<string, string>;
  /** What using it does. No prompt has it. */
  acts?: ControlActs;
  /** Digest of the pictures and moved parts around a control: an effect that can't be read. No prompt has it. */
  drawing?: string;
  /** Its own text is drawn as a message is: in red, or in a small layer above the page. No prompt has it. */
  isNotice?: true;
  /** The last click changed it within its own events, and it still is as the click left it. No prompt has it. */
  changedByClick?: true;
  /** How it is found in its frame, where its role, name and place among equals in the tree do not find it. */
  locator?: Omit<Anchor, 'isTransient'>;
  /** How it differs from the snapshot before. */
  since?: 'new' | 'changed';
  /** Its place in its run, where the snapshot does not have all elements of the run. */
  anchor?: Anchor;
  /** Replaces elements of a long run that were pruned from the snapshot. */
  omitted?: OmittedNodes;
  /** Its place in the grid of its table, where cells of that take up several rows or columns. No prompt has it. */
  cell?: GridCell;
  /** Its place in the viewport, in CSS pixels; only while a picture is taken. */
  box?: { x: number; y: number; width: number; height: number };
  children?: (PageNode | string)[];
}

/** The first row and column of a cell, counted from 0, and how many of them it takes up. */
export interface GridCell {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** A row of a long run, found by its own text: the nth (from 0) of the `of` elements that the selector matches in its frame. */
export interface Anchor {
  selector: string;
  nth: number;
  of: number;
  /** Only focus or novelty keeps it in the snapshot: another snapshot may prune it. */
  isTransient?: boolean;
}

export interface OmittedNodes {
  count: number;
  /** Matches each element of the run in its frame, pruned ones as well. */
  selector: string;
}

/** A picture of the page, taken with the snapshot and stored as an artifact. */
export interface PagePicture {
  artifactId: string;
  /** True when elements have boxes with their refs in it. */
  hasBoxes: boolean;
}

/** The browser at one moment: the page in front, its accessibility tree, and the tabs. Secrets are redacted. */
export interface PageSnapshot {
  snapshotId: string;
  url: string;
  title: string;
  tabs: { title: string; url: string; isActive: boolean }[];
  nodes: (PageNode | string)[];
  /** The page reads as in the snapshot before: the same address, tabs and content. */
  isUnchanged?: true;
  /** Something is drawn that takes the pointer, in any frame: no node says what its parts do. */
  hasCanvas?: true;
  picture?: PagePicture;
  /** What a person is shown for one command, where the snapshot was taken to ask about it. */
  view?: SnapshotView;
}

export interface SnapshotView {
  /** Identifies the command: action and place (see toViewKey). */
  of: string;
  /** Absent where its element is not on the page. */
  found?: ApprovalView | undefined;
}

/** Yields every node of a snapshot in document order, with its ancestors from the root down. */
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

/** The snapshot before a page was opened. */
export const BLANK_SNAPSHOT: PageSnapshot = { snapshotId: '', url: 'about:blank', title: '', tabs: [], nodes: [] };
