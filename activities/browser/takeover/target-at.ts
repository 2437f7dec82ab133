import type { Locator, Page } from 'playwright';
import { walkNodes } from '../../../contracts/browsers/page-snapshot';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { Target } from '../../../contracts/commands/planned-command';
import { durableTarget, selectorText } from '../../../rules/page-text/durable-target';
import type { SessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';
import { readAriaTree } from '../pages/snapshots/aria-tree';
import { redactNodes } from '../pages/snapshots/redact-nodes';

interface Point {
  x: number;
  y: number;
}

const TREE_LIMIT_MS = 5000;
const ASK_LIMIT_MS = 4000;
/** A hit test for each box around a point would take long in a deep page. */
const MOST_CANDIDATES = 8;

/** A page as it was read for an act: without secrets, and with the place of each element in the view. */
export interface ReadPage {
  snapshot: PageSnapshot;
  placed: PageSnapshot['nodes'];
}

/** Undefined for a page that does not answer. */
export async function readPage(attachment: Attachment, values: SessionValues): Promise<ReadPage | undefined> {
  try {
    const { nodes: placed, passwords = [] } = await readAriaTree(attachment, [], true, TREE_LIMIT_MS);
    for (const password of passwords) values.addSecret(password);
    const url = values.redact(attachment.page.url());
    return { placed, snapshot: { snapshotId: '', url, title: '', tabs: [], nodes: redactNodes(placed, values) } };
  } catch {
    return undefined;
  }
}

/**
 * Finds the element at a point of the view as a durable target, as a snapshot of the page names it. Undefined where nothing
 * at that point could be found again, and in a page that does not answer.
 */
export async function targetAt(
  page: Page,
  read: ReadPage | undefined,
  point: Point,
): Promise<{ target: Target; ref: string } | undefined> {
  if (read === undefined) return undefined;
  try {
    for (const ref of refsAround(read.placed, point).slice(0, MOST_CANDIDATES)) {
      const target = durableTarget(read.snapshot, ref);
      if (target !== undefined && (await isHit(page.locator(selectorText(target)), point))) return { target, ref };
    }
  } catch {
    // Its place on the page says what was meant all the same.
  }
  return undefined;
}

/** The smallest box first, of equal ones the innermost. Boxes in a frame are relative to the frame. */
function refsAround(nodes: PageSnapshot['nodes'], { x, y }: Point): string[] {
  const around = [...walkNodes(nodes)].flatMap(({ node, ancestors }) => {
    const frames = ancestors.filter(({ role }) => role === 'iframe');
    const left = frames.reduce((sum, { box }) => sum + (box?.x ?? 0), node.box?.x ?? Infinity);
    const top = frames.reduce((sum, { box }) => sum + (box?.y ?? 0), node.box?.y ?? Infinity);
    const { width = 0, height = 0 }: Partial<NonNullable<PageNode['box']>> = node.box ?? {};
    const isAround = x >= left && x <= left + width && y >= top && y <= top + height;
    return isAround && node.ref !== undefined && node.role !== 'iframe'
      ? [{ ref: node.ref, size: width * height, depth: ancestors.length }]
      : [];
  });
  return around.sort((one, other) => one.size - other.size || other.depth - one.depth).map(({ ref }) => ref);
}

/** Whether a click at the point reaches the element, or something in it. */
async function isHit(element: Locator, { x, y }: Point): Promise<boolean> {
  const box = await element.boundingBox({ timeout: ASK_LIMIT_MS });
  if (box === null) return false;
  const inside = { x: x - box.x, y: y - box.y };
  return await element.evaluate(
    (node, at) => {
      const own = node.getBoundingClientRect();
      const root = node.getRootNode() as Document | ShadowRoot;
      const hit = root.elementFromPoint(own.x + at.x, own.y + at.y);
      return hit !== null && (node.contains(hit) || hit.contains(node));
    },
    inside,
    { timeout: ASK_LIMIT_MS },
  );
}

/** The element that has the focus, in whichever frame. */
export interface Focused {
  element: Locator;
  isPassword: boolean;
  /** Its middle in the view; undefined where it is not drawn. */
  middle: Point | undefined;
}

export async function focusedIn(page: Page): Promise<Focused | undefined> {
  for (const frame of page.frames().toReversed()) {
    const element = frame.locator(':focus').first();
    if ((await element.count().catch(() => 0)) === 0) continue;
    const isPassword = await element.evaluate((node) => (node as HTMLInputElement).type === 'password');
    const box = await element.boundingBox({ timeout: ASK_LIMIT_MS }).catch(() => null);
    const middle = box === null ? undefined : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    return { element, isPassword, middle };
  }
  return undefined;
}
