import type { Locator } from 'playwright';
import type { PictureBox } from '../../../contracts/files/picture-box';
import { withinMs } from '../../../runtime/time-limit';

const ANSWER_LIMIT_MS = 1000;

/** Where an element is in the view; undefined where it is gone, out of sight, or in a frame of another site. Never waits for it. */
export async function boxInView(element: Locator): Promise<PictureBox | undefined> {
  const box = await withinMs(ANSWER_LIMIT_MS, element.evaluateAll(readBox)).catch(() => undefined);
  // A page may have its own idea of a box.
  if (box === undefined || !box.every((each) => Number.isFinite(each))) return undefined;
  const [x, y, width, height] = box.map(Math.round) as [number, number, number, number];
  return { x, y, width, height };
}

/** Runs in the page. */
function readBox([element, ...others]: Element[]): [number, number, number, number] | undefined {
  if (element === undefined || others.length > 0) return undefined;
  const { left, top, width, height } = element.getBoundingClientRect();
  let [x, y] = [left, top];
  let view: Window = globalThis.window;
  for (; view.parent !== view; view = view.parent) {
    const { frameElement } = view;
    if (frameElement === null) return undefined;
    const around = frameElement.getBoundingClientRect();
    x += around.left + frameElement.clientLeft;
    y += around.top + frameElement.clientTop;
  }
  const isSeen =
    width > 0 && height > 0 && x < view.innerWidth && y < view.innerHeight && x + width > 0 && y + height > 0;
  return isSeen ? [x, y, width, height] : undefined;
}
