import type { Frame, Page } from 'playwright';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { withinMs } from '../../runtime/time-limit';

/** What a page knows of a commit: armed before it acts, fired once its event was delivered. */
export type DeliveryMarker = 'armed' | 'fired';

export interface Arming {
  commandId: string;
  /** Any of these events shows that the command was delivered. */
  events: string[];
  /**
   * Arm only where exactly so many elements match. A missing frame is searched as its parent, which must not be
   * armed.
   */
  wanted: number | null;
}

/**
 * Runs in the page: counts the matches and arms the delivery marker in one round trip. While the document lives, the
 * marker says whether the command's event was delivered, also to a worker that attaches after the first one died.
 */
export function countAndArm(elements: Element[], { commandId, events, wanted }: Arming): number {
  const home = globalThis as typeof globalThis & { __surefootMarks?: Record<string, string> };
  const marks = (home.__surefootMarks ??= {});
  const isPlace = wanted === null || wanted === elements.length;
  // The element is searched repeatedly; one listener is enough.
  if (isPlace && events.length > 0 && marks[commandId] === undefined) {
    marks[commandId] = 'armed';
    const fire = (happening: Event): void => {
      // Events that the page's own scripts dispatch say nothing about this command.
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

/** The first event counts: a page may act on the press, before there is a click. */
const EVENTS_OF: Partial<Record<PlannedCommand['action'], string[]>> = {
  CLICK_ELEMENT: ['pointerdown', 'mousedown', 'click'],
  PRESS_KEY: ['keydown'],
  CLICK_POINT: ['pointerdown', 'mousedown', 'click'],
  DRAG: ['pointerdown', 'mousedown'],
  TYPE_TEXT: ['keydown', 'input'],
  DOWNLOAD_FILE: ['pointerdown', 'mousedown', 'click'],
};
/** A page that waits for a response, or whose script never ends, does not answer. */
const MARK_LIMIT_MS = 2000;

export function armingOf({ commandId, action }: PlannedCommand, wanted: number | null): Arming {
  return { commandId, events: EVENTS_OF[action] ?? [], wanted };
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

/** Reads a command's marker from the open documents; undefined when its document is gone or does not answer. */
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
