import type { Frame, Locator, Page } from 'playwright';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { EngineError } from '../failures';
import type { Attachment } from '../browsers/attachment';
import { withinMs } from '../../runtime/time-limit';
import { exposeClosedShadowRoots } from '../pages/snapshots/aria-tree';

/** What a page remembers of a commit command: armed before it acts, fired when its event was delivered. */
export type DeliveryMarker = 'armed' | 'fired';

interface Arming {
  commandId: string;
  /** Those that would show that the command was delivered. */
  events: string[];
  /** Arm only where so many elements are found. A missing frame is searched as its parent, which must not be armed. */
  wanted: number | null;
}

/**
 * Runs in the page: counts the matches and leaves a mark there, in one round trip. As long as the document lives, the
 * mark tells whether an event of this command was delivered, also to a worker that attaches after the first one died.
 */
function countAndArm(elements: Element[], { commandId, events, wanted }: Arming): number {
  const home = globalThis as typeof globalThis & { __surefootMarks?: Record<string, string> };
  const marks = (home.__surefootMarks ??= {});
  const isPlace = wanted === null || wanted === elements.length;
  // Searched again and again while the element is waited for: one listener is enough.
  if (isPlace && events.length > 0 && marks[commandId] === undefined) {
    marks[commandId] = 'armed';
    const fire = (happening: Event): void => {
      // A script of the page may send events of its own; those say nothing about ours.
      if (!happening.isTrusted) return;
      marks[commandId] = 'fired';
      for (const event of events) globalThis.removeEventListener(event, fire, { capture: true });
    };
    for (const event of events) globalThis.addEventListener(event, fire, { capture: true });
  }
  return elements.length;
}

function readMark(commandId: string): string | null {
  const home = globalThis as typeof globalThis & { __surefootMarks?: Record<string, string> };
  return home.__surefootMarks?.[commandId] ?? null;
}

/** The first event counts: a page may act on the press already, before there is a click. */
const EVENTS_OF: Partial<Record<PlannedCommand['action'], string[]>> = {
  CLICK_ELEMENT: ['pointerdown', 'mousedown', 'click'],
  PRESS_KEY: ['keydown'],
  CLICK_POINT: ['pointerdown', 'mousedown', 'click'],
  DRAG: ['pointerdown', 'mousedown'],
  TYPE_TEXT: ['keydown', 'input'],
  DOWNLOAD_FILE: ['pointerdown', 'mousedown', 'click'],
};
/** As a selector enters a frame. */
const ENTER_FRAME = ' >> internal:control=enter-frame >> ';
const POLL_MS = 50;
/** A page that waits for an answer, or whose script never ends, tells nothing. */
const MARK_LIMIT_MS = 2000;

function armingOf({ commandId, action }: PlannedCommand, wanted: number | null): Arming {
  return { commandId, events: EVENTS_OF[action] ?? [], wanted };
}

/**
 * Finds the element of a command, waiting for it up to `limitMs`, and arms the mark of a commit. Exactly one match is
 * required; for one of several equal elements their number must be what it was when the page was looked at. Otherwise
 * something else may stand there now, and nothing is done.
 */
export async function findTarget(
  attachment: Attachment,
  command: PlannedCommand,
  selector: string,
  limitMs: number,
  signal: AbortSignal,
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
    // Without a mark to leave, counting is one round trip less.
    const counted = arming.events.length === 0 ? base.count() : base.evaluateAll(countAndArm, arming);
    let count = await counted.catch(noMatchYet);
    if (count === 0) {
      await exposeClosedShadowRoots(attachment);
      count = await base.count().catch(noMatchYet);
      if (count === wanted) count = await armFrame(page, whole, arming).then(() => wanted, noMatchYet);
    }
    if (count === wanted) return locateTarget(page, command, selector);
    if (performance.now() >= end || signal.aborted || (count > 0 && target === undefined))
      throw targetNotFoundError(command, selector, count, wanted, page.url());
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * What is in a closed shadow tree is found by Playwright's own world only, which is not where marks are kept: the mark is
 * left with the frame, whose window hears of the event all the same.
 */
async function armFrame(page: Page, selector: string, arming: Arming): Promise<void> {
  if (arming.events.length === 0) return;
  const inFrame = selector.lastIndexOf(ENTER_FRAME);
  const frame = inFrame === -1 ? '' : selector.slice(0, inFrame + ENTER_FRAME.length);
  await page.locator(`${frame}:root`).evaluateAll(countAndArm, { ...arming, wanted: null });
}

/** The element of a command, whether it is there or not. */
export function locateTarget(page: Page, { target }: PlannedCommand, selector: string): Locator {
  const base = page.locator(target?.selector ?? selector);
  return target !== undefined && target.of > 1 ? base.nth(target.nth) : base;
}

/** The frame that the selector enters is not there, or its document is just being replaced: no match for now. */
function noMatchYet(error: unknown): 0 {
  const isPassing = /Execution context was destroyed|Frame was detached/i;
  if (error instanceof Error && isPassing.test(error.message)) return 0;
  throw error;
}

/** Arms the mark of a key press that goes to whatever has the focus: in the one frame that will get its events. */
export async function armFocus(page: Page, command: PlannedCommand): Promise<void> {
  let frame: Frame = page.mainFrame();
  for (;;) {
    const focused = await frame.evaluateHandle(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element;
    });
    const inner = await focused.asElement()?.contentFrame();
    if (inner === null || inner === undefined) break;
    frame = inner;
  }
  await frame.locator(':root').evaluateAll(countAndArm, armingOf(command, null));
}

/** Arms the mark of a press on a point of the view: in the one frame that lies there. */
export async function armPoint(page: Page, command: PlannedCommand, x: number, y: number): Promise<void> {
  let frame: Frame = page.mainFrame();
  let at = { x, y };
  for (;;) {
    const hit = await frame.evaluateHandle((point) => {
      let element = document.elementFromPoint(point.x, point.y);
      while (element?.shadowRoot) {
        const inner = element.shadowRoot.elementFromPoint(point.x, point.y);
        if (inner === null || inner === element) break;
        element = inner;
      }
      return element;
    }, at);
    const element = hit.asElement();
    const inner = await element?.contentFrame();
    if (element === null || inner === null || inner === undefined) break;
    at = await element.evaluate((node, point) => {
      const box = node.getBoundingClientRect();
      return { x: point.x - box.left - node.clientLeft, y: point.y - box.top - node.clientTop };
    }, at);
    frame = inner;
  }
  await frame.locator(':root').evaluateAll(countAndArm, armingOf(command, null));
}

/** What the open documents remember of a command; undefined when the document that was armed is gone, or is silent. */
export async function readDeliveryMarker(
  pages: readonly Page[],
  commandId: string,
): Promise<DeliveryMarker | undefined> {
  const frames = pages.flatMap((page) => page.frames());
  const marks = await Promise.all(
    frames.map((frame) => withinMs(MARK_LIMIT_MS, frame.evaluate(readMark, commandId)).catch(() => null)),
  );
  return marks.includes('fired') ? 'fired' : marks.includes('armed') ? 'armed' : undefined;
}

function targetNotFoundError(
  command: PlannedCommand,
  selector: string,
  count: number,
  wanted: number,
  url: string,
): EngineError {
  const { target } = command;
  const what = target === undefined ? `selector ${selector}` : `${target.role} “${target.name}”`;
  if (count === 0) {
    return new EngineError('EX002', `There is no ${what} on ${url} (any more).`, {
      suggestedAction: 'Look at the page again.',
    });
  }
  const message =
    wanted === 1
      ? `The ${what} matches ${count} elements on ${url}; it must match exactly one.`
      : `When the page was looked at there were ${wanted} of ${what}, now there are ${count}: which one is meant can't be told any more.`;
  return new EngineError('EX002', message, {
    suggestedAction: 'Look at the page again and name the element more closely.',
  });
}
