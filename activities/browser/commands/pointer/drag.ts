import type { Locator, Page } from 'playwright';
import { EngineError } from '../../../activity/failures';
import type { Point } from './free-point';
import { waitUntilUsable } from './usable';

const DRAG_STEPS = 12;

/** Pages follow the pointer: they do not take one jump for a drag. */
export async function dragTo(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: DRAG_STEPS });
  // Where an HTML5 drag entered its target a moment ago, only the next move is one over it.
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
}

/** The middle of an element that a person could press. */
export async function middleOf(element: Locator, timeoutMs: number): Promise<Point> {
  const box = await element.boundingBox({ timeout: timeoutMs });
  if (box === null) throw new EngineError('EX003', 'It is not visible, so it can not be dragged, nor dropped onto.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags an element onto another, or by an offset; both ends have to be in the view. */
export async function dragElement(
  page: Page,
  element: Locator,
  to: { onto: Locator } | { byX: number; byY: number },
  timeoutMs: number,
): Promise<void> {
  await waitUntilUsable(element, { timeoutMs });
  if ('onto' in to) {
    await to.onto.scrollIntoViewIfNeeded({ timeout: timeoutMs });
    // Both fit, unless they lie further apart than the view is high.
    await element.scrollIntoViewIfNeeded({ timeout: timeoutMs });
  }
  const from = await middleOf(element, timeoutMs);
  const end = 'onto' in to ? await middleOf(to.onto, timeoutMs) : { x: from.x + to.byX, y: from.y + to.byY };
  await dragTo(page, from, end);
}
