import type { ElementHandle, Locator } from 'playwright';
import { errorMessage } from '../../../../contracts/errors/error-message';
import { withinMs } from '../../../../runtime/time-limit';
import { isTimeout } from '../../attach/playwright-errors';
import { EngineError } from '../../../activity/failures';
import { obstacleOf, pauseEndlessAnimations, type Obstacle } from './obstacle';

/** A control gets this long to become enabled, still and uncovered. */
const USABLE_LIMIT_MS = 2000;
const DESCRIBE_LIMIT_MS = 1000;
const POLL_MS = 50;

interface Waiting {
  timeoutMs: number;
  /** Also what is disabled can have the pointer on it. */
  isOnlyPointedAt?: boolean;
  signal?: AbortSignal;
}

/**
 * Waits until a person could click the element: enabled, still, and on top at the point of the click. Rejects within two
 * seconds where the page says what is in the way. The page is only asked: a trial click of Playwright sends real events,
 * which a page that listens first would take for a click.
 */
export async function waitUntilUsable(
  element: Locator,
  { timeoutMs, signal, isOnlyPointedAt = false }: Waiting,
): Promise<void> {
  // A long page takes its time to find the element, and it is looked at often.
  const find = async () => (await element.elementHandle({ timeout: timeoutMs })) as ElementHandle<Element>;
  let handle = await find();
  try {
    const limitMs = Math.min(USABLE_LIMIT_MS, timeoutMs);
    const endAt = performance.now() + limitMs;
    const isInView = await bringIntoView(handle, limitMs / 2);
    for (;;) {
      const obstacle = await obstacleIn(handle);
      // A page that is too slow to scroll is left to the click, which waits longer.
      if (isOnlyPointedAt && obstacle?.kind === 'disabled') return;
      if (obstacle === undefined || (!isInView && obstacle.kind === 'outside')) return;
      signal?.throwIfAborted();
      if (performance.now() >= endAt) throw notUsable(obstacle.text);
      // The page has put another in its place.
      if (obstacle.kind === 'gone') handle = await find();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    // The page would keep the element for as long as the document lives.
    void handle.dispose().catch(() => {});
  }
}

/** Scrolls to the element once it is still; false where it was not in time. */
async function bringIntoView(element: ElementHandle<Element>, limitMs: number): Promise<boolean> {
  const scrolled = (): Promise<boolean> =>
    element.scrollIntoViewIfNeeded({ timeout: limitMs }).then(
      () => true,
      (error: unknown) => {
        if (!isTimeout(error) && !/not attached/.test(errorMessage(error))) throw error;
        return false;
      },
    );
  if (await scrolled()) return true;
  // What never stops moving would never be still.
  const paused = await withinMs(limitMs, element.evaluate(pauseEndlessAnimations)).catch(() => 0);
  return paused > 0 && (await scrolled());
}

/** Clicks an element; one that is not usable in time is an error that says what is in the way. */
export async function clickHandle(
  handle: ElementHandle<Element>,
  limit: { timeout: number; signal?: AbortSignal },
): Promise<void> {
  try {
    await handle.click(limit);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw notUsable((await obstacleIn(handle))?.text ?? 'is not usable: the page did not say why', error);
  }
}

/** What keeps a person from clicking the element; undefined where nothing does, or the page does not say. */
async function obstacleIn(element: ElementHandle<Element>): Promise<Obstacle | undefined> {
  const reading = element.evaluate(obstacleOf);
  return (await withinMs(DESCRIBE_LIMIT_MS, reading).catch(() => undefined)) ?? undefined;
}

function notUsable(why: string, cause?: unknown): EngineError {
  return new EngineError('EX003', `It ${why}; nothing was clicked.`, {
    cause,
    suggestedAction: 'Do first what frees it, such as closing what covers it or filling in what it waits for.',
  });
}
