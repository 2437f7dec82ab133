import type { Locator } from 'playwright';

export interface Point {
  x: number;
  y: number;
}

/**
 * The middle of an element that a person could click there this moment; null where that is not certain at one look, and
 * waitUntilUsable has to look closer. Costs one question to the page.
 */
export async function freePointOf(element: Locator): Promise<Point | null> {
  return await element.evaluateAll(findFreePoint).catch(() => null);
}

/** Runs in the page. */
function findFreePoint(found: Element[]): Point | null {
  const [node, second] = found;
  // Points in a frame are not those of the view.
  if (node === undefined || second !== undefined || globalThis.self !== globalThis.top) return null;
  if (node.closest(':disabled, [aria-disabled="true"], [inert]') !== null) return null;
  const { visibility, content } = getComputedStyle(node);
  // A picture that a style sheet draws may be another one under the pointer.
  if (visibility !== 'visible' || content.includes('url(')) return null;
  const middle = (): Point => {
    const { left, top, width, height } = node.getClientRects()[0] ?? new DOMRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  const hitAt = ({ x, y }: Point): Element | null => document.elementFromPoint(x, y);
  if (hitAt(middle()) === null) node.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const point = middle();
  const hit = hitAt(point);
  if (hit === null || !node.contains(hit)) return null;
  const isAnimated = document.getAnimations().some(({ effect }) => {
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    return target !== null && target.contains(node);
  });
  return isAnimated ? null : point;
}
