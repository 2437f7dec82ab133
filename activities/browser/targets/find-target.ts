import type { Locator, Page } from 'playwright';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { EngineError } from '../../activity/failures';
import type { Attachment } from '../attach/attachment';
import { armingOf, countAndArm, type Arming } from './delivery-marker';
import { explainMissing } from './explain-missing';
import { exposeClosedShadowRoots } from '../pages/snapshots/aria-tree';

/** The part of a selector that enters a frame. */
const ENTER_FRAME = ' >> internal:control=enter-frame >> ';
const POLL_MS = 50;
/**
 * Finds the element of a command within `limitMs` and arms the delivery marker of a commit. Requires exactly one
 * match; of several equal elements their number must be the same as in the snapshot, because otherwise another
 * element may have taken the place.
 */
export async function findTarget(
  attachment: Attachment,
  command: PlannedCommand,
  selector: string,
  limitMs: number,
  signal: AbortSignal,
  countMatches: (matches: Locator) => Promise<number> = (matches) => matches.count(),
): Promise<Locator> {
  const { target } = command;
  const { page } = attachment;
  const whole = target?.selector ?? selector;
  const base = page.locator(whole);
  const wanted = target?.of ?? 1;
  const isInFrame = whole.includes(ENTER_FRAME);
  const arming = armingOf(command, isInFrame ? wanted : null);
  const end = performance.now() + limitMs;
  for (;;) {
    // Without a marker to arm, counting saves a round trip.
    const counted = arming.events.length === 0 ? countMatches(base) : base.evaluateAll(countAndArm, arming);
    let count = await counted.catch(noMatchYet);
    if (count === 0) {
      await exposeClosedShadowRoots(attachment);
      count = await base.count().catch(noMatchYet);
      if (count === wanted) count = await armFrame(page, whole, arming).then(() => wanted, noMatchYet);
    }
    if (count === wanted) return locateTarget(page, command, selector);
    if (performance.now() >= end || signal.aborted || (count > 0 && target === undefined)) {
      const change = count === 0 && target !== undefined ? await explainMissing(page, target) : '';
      throw targetNotFoundError(command, selector, count, wanted, page.url(), change);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Arms the marker for an element in a closed shadow tree. Only Playwright's own world finds it, and markers are kept
 * in the page's: the frame's window gets the event too.
 */
async function armFrame(page: Page, selector: string, arming: Arming): Promise<void> {
  if (arming.events.length === 0) return;
  const inFrame = selector.lastIndexOf(ENTER_FRAME);
  const frame = inFrame === -1 ? '' : selector.slice(0, inFrame + ENTER_FRAME.length);
  await page.locator(`${frame}:root`).evaluateAll(countAndArm, { ...arming, wanted: null });
}

/** Returns the locator of a command's element, whether it exists or not. */
export function locateTarget(page: Page, { target }: PlannedCommand, selector: string): Locator {
  const base = page.locator(target?.selector ?? selector);
  return target !== undefined && target.of > 1 ? base.nth(target.nth) : base;
}

/** The frame does not exist, or its document is just being replaced: no match for now. */
function noMatchYet(error: unknown): 0 {
  const isPassing = /Execution context was destroyed|Frame was detached/i;
  if (error instanceof Error && isPassing.test(error.message)) return 0;
  throw error;
}

function targetNotFoundError(
  command: PlannedCommand,
  selector: string,
  count: number,
  wanted: number,
  url: string,
  change: string,
): EngineError {
  const { target } = command;
  const what = target === undefined ? `selector ${selector}` : `${target.role} “${target.name}”`;
  if (count === 0) {
    return new EngineError('EX002', `There is no ${what} on ${url} any more.${change}`, {
      suggestedAction: 'Take a new snapshot of the page.',
    });
  }
  const message =
    wanted === 1
      ? `The ${what} matches ${count} elements on ${url}; it must match exactly one.`
      : `The snapshot had ${wanted} of ${what}, now there are ${count}: it is not clear which one is meant.`;
  return new EngineError('EX002', message, {
    suggestedAction: 'Take a new snapshot of the page and name the element more precisely.',
  });
}
