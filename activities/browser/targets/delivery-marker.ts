import type { Frame, Page } from 'playwright';
import { COMMANDS } from '../../../contracts/commands/commands';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { withinMs } from '../../../runtime/time-limit';

/**
 * What the documents know of a commit. `undelivered`: the one that it was meant for is there, and no frame of its page got
 * one of its events; `unproven`: it is there, and some frame may have. `gone`: it is not there, or does not answer.
 */
type Delivery = 'undelivered' | 'delivered' | 'unproven' | 'gone';

export interface Arming {
  commandId: string;
  /** Any of these events shows that the command was delivered. */
  events: string[];
  /**
   * Arm only where exactly so many elements match. A missing frame is searched as its parent, which must not be
   * armed.
   */
  wanted: number | null;
  /** False for the other frames of the page, which get no event of the command unless the page moves. */
  isTarget: boolean;
}

/** How many of its events the document had got when the marker was armed. */
interface Mark {
  isTarget: boolean;
  counts: Record<string, number>;
}

type MarkedWindow = typeof globalThis & { __surefootMarks?: Record<string, Mark> };

/**
 * Runs in the page: counts the matches and arms the delivery marker in one round trip. The browser itself counts the
 * trusted events of a document, also those that a listener of the page keeps from all others, so no page hides one by
 * accident. A page without that count never proves that the event did not arrive.
 */
export function countAndArm(elements: Element[], { commandId, events, wanted, isTarget }: Arming): number {
  const home = globalThis as MarkedWindow;
  const marks = (home.__surefootMarks ??= {});
  const isPlace = wanted === null || wanted === elements.length;
  const count = (event: string): number => home.performance?.eventCounts?.get(event) ?? Number.NaN;
  const counts = events.map((event): [string, number] => [event, count(event)]);
  // The element is searched repeatedly; the first count is the one before the command.
  const isArmed = marks[commandId] !== undefined && (marks[commandId].isTarget || !isTarget);
  if (isPlace && events.length > 0 && !isArmed) marks[commandId] = { isTarget, counts: Object.fromEntries(counts) };
  return elements.length;
}

/** Runs in the page. `untouched`: a frame that was not the command's got none of its events. */
function readMark({ commandId, events }: Arming): 'armed' | 'untouched' | 'delivered' | 'unproven' {
  const home = globalThis as MarkedWindow;
  const mark = home.__surefootMarks?.[commandId];
  const count = (event: string): number => home.performance?.eventCounts?.get(event) ?? Number.NaN;
  const counts = events.map((event): [string, number] => [event, count(event)]);
  if (mark === undefined) return counts.length > 0 && counts.every(([, now]) => now === 0) ? 'untouched' : 'unproven';
  if (counts.some(([event, now]) => now > mark.counts[event]!)) return 'delivered';
  if (!counts.every(([event, now]) => now === mark.counts[event])) return 'unproven';
  return mark.isTarget ? 'armed' : 'untouched';
}

/** A page that waits for a response, or whose script never ends, does not answer. */
const MARK_LIMIT_MS = 2000;
/** No commit waits long for a frame that is not its own; one that is late proves nothing once it had events. */
const OTHER_FRAME_LIMIT_MS = 500;

export function armingOf({ commandId, action }: PlannedCommand, wanted: number | null): Arming {
  return { commandId, events: [...COMMANDS[action].events], wanted, isTarget: true };
}

/**
 * Notes the counts anew, once what came before is known to be harmless: the opening of a menu, before its item is chosen.
 * Frames without a mark stay without one.
 */
export async function rearm(page: Page, command: Pick<PlannedCommand, 'commandId' | 'action'>): Promise<void> {
  const arming = armingOf({ ...command, parameters: {} }, null);
  const rearmed = page
    .frames()
    .map((frame) => withinMs(MARK_LIMIT_MS, frame.evaluate(countAnew, arming)).catch(() => {}));
  await Promise.all(rearmed);
}

/** Runs in the page. */
function countAnew({ commandId, events }: Arming): void {
  const home = globalThis as MarkedWindow;
  const mark = home.__surefootMarks?.[commandId];
  if (mark === undefined) return;
  for (const event of events) mark.counts[event] = home.performance?.eventCounts?.get(event) ?? Number.NaN;
}

/** Arms the marker of a key press in the frame that has the focus. */
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

/** Arms the marker of a press in the frame at that point of the view. */
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

/** Arms the other frames of the page, for a page that moves one of them to where the event arrives. */
export async function armOtherFrames(page: Page, command: PlannedCommand): Promise<void> {
  const arming = { ...armingOf(command, null), isTarget: false };
  if (arming.events.length === 0 || page.frames().length === 1) return;
  const armed = page.frames().map(async (frame) => {
    await withinMs(OTHER_FRAME_LIMIT_MS, frame.locator(':root').evaluateAll(countAndArm, arming)).catch(() => {});
  });
  await Promise.all(armed);
}

/** Whether the page shows a document that the command was not meant for, and that got its event all the same. */
export async function gotEventsUnarmed(page: Page, command: PlannedCommand): Promise<boolean> {
  const read = page.evaluate(isUnarmed, armingOf(command, null));
  return await withinMs(MARK_LIMIT_MS, read).catch(() => false);
}

/** Runs in the page. */
function isUnarmed({ commandId, events }: Arming): boolean {
  const home = globalThis as MarkedWindow;
  return (
    home.__surefootMarks?.[commandId] === undefined &&
    events.some((event) => (home.performance?.eventCounts?.get(event) ?? 0) > 0)
  );
}

/** Reads from the open documents whether a command was delivered. */
export async function readDelivery(pages: readonly Page[], command: PlannedCommand): Promise<Delivery> {
  const arming = armingOf(command, null);
  const read = (frame: Frame) => withinMs(MARK_LIMIT_MS, frame.evaluate(readMark, arming)).catch(() => 'unproven');
  const marks = await Promise.all(pages.map((page) => Promise.all(page.frames().map(read))));
  if (marks.flat().includes('delivered')) return 'delivered';
  const target = marks.find((ofPage) => ofPage.includes('armed'));
  if (target === undefined) return 'gone';
  return target.includes('unproven') ? 'unproven' : 'undelivered';
}
