import type { Locator, Page } from 'playwright';
import { EngineError } from '../../../activity/failures';
import { containsText } from '../../../../rules/page-text/contains-text';
import { pollUntil } from '../poll-until';

const MOST_SCROLLS = 100;
/** A list that loads more of itself gets this long after each scroll to its end. */
const MORE_LIMIT_MS = 2000;

/** Scrolls down by most of a view at a time until the text is in it, or until nothing more comes. */
export async function scrollUntil(
  page: Page,
  element: Locator | undefined,
  text: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  const place = element ?? page.locator('body');
  const options = { timeout: timeoutMs, signal };
  const end = performance.now() + timeoutMs;
  const shows = async (): Promise<boolean> =>
    (await place.evaluate(textInView, undefined, options)).some((each) => containsText(each, text));
  for (let scrolls = 0; scrolls < MOST_SCROLLS && performance.now() < end; scrolls += 1) {
    if (await shows()) return;
    signal.throwIfAborted();
    let isMoved = false;
    const scroll = async (): Promise<boolean> =>
      (isMoved = await place.evaluate(scrollOn, undefined, options)) || (await shows());
    if (!(await pollUntil(scroll, Math.min(MORE_LIMIT_MS, end - performance.now()), signal))) break;
    // What is shown after a scroll is drawn in the next frame.
    if (isMoved) await place.evaluate(nextFrame, undefined, options);
  }
  if (await shows()) return;
  if (performance.now() >= end)
    throw new EngineError('EX003', `“${text}” did not show within ${timeoutMs / 1000} s of scrolling.`);
  throw new EngineError('EX002', `“${text}” did not show by scrolling to the end.`);
}

/** Runs in the page. */
async function nextFrame(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** Runs in the page: the texts of the innermost elements that lie in the view of their scroll container. */
function textInView(node: Element): string[] {
  const isPage = node === document.body;
  const view = isPage ? { top: 0, bottom: innerHeight } : node.getBoundingClientRect();
  const isInView = ({ top, bottom, height }: DOMRect): boolean =>
    height > 0 && top < view.bottom - 1 && bottom > view.top + 1;
  const parts = [...node.querySelectorAll<HTMLElement>('*')].filter(
    (part) => part.innerText !== undefined && part.children.length < 8 && isInView(part.getBoundingClientRect()),
  );
  return parts.map((part) => part.innerText).filter((text) => text !== '' && text.length < 2000);
}

/** Runs in the page: scrolls what scrolls at this element, within it or around it; false at its end. */
function scrollOn(node: Element): boolean {
  const scrolls = (each: Element): boolean =>
    each.scrollHeight > each.clientHeight + 1 && /auto|scroll|overlay/.test(getComputedStyle(each).overflowY);
  const page = document.scrollingElement ?? document.documentElement;
  const around = (each: Element): Element =>
    each === document.body || scrolls(each) ? each : each.parentElement === null ? page : around(each.parentElement);
  const found = node === document.body ? page : ([node, ...node.querySelectorAll('*')].find(scrolls) ?? around(node));
  const place = found === document.body && !scrolls(found) ? page : found;
  const before = place.scrollTop;
  place.scrollBy({ top: Math.max(place.clientHeight * 0.8, 40), behavior: 'instant' });
  return place.scrollTop > before;
}
