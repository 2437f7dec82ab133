import type { Locator, Page } from 'playwright';
import type { PlannedCommand } from '../browser-activities';
import { EngineError } from '../failures';

/** What a page remembers of a commit command: armed before it acts, fired when its event was delivered. */
export type Mark = 'armed' | 'fired';

/**
 * Runs in the page: counts the matches and leaves a mark there, in one round trip. As long as the document lives, the
 * mark tells whether the event of this command was delivered, also to a worker that attaches after the first one died.
 */
function countAndArm(elements: Element[], { commandId, event }: { commandId: string; event: string | null }): number {
  if (event !== null) {
    const home = globalThis as typeof globalThis & { __surefootMarks?: Record<string, string> };
    const marks = (home.__surefootMarks ??= {});
    marks[commandId] = 'armed';
    const fire = (happening: Event): void => {
      if (happening.isTrusted) marks[commandId] = 'fired';
    };
    globalThis.addEventListener(event, fire, { capture: true, once: true });
  }
  return elements.length;
}

function readMark(commandId: string): string | null {
  const home = globalThis as typeof globalThis & { __surefootMarks?: Record<string, string> };
  return home.__surefootMarks?.[commandId] ?? null;
}

const EVENT_OF: Partial<Record<PlannedCommand['action'], string>> = { CLICK_ELEMENT: 'click', PRESS_KEY: 'keydown' };
const POLL_MS = 50;

/**
 * Finds the element of a command, waiting for it up to `limitMs`, and arms the mark of a commit. Exactly one match is
 * required; for one of several equal elements their number must be what it was when the page was looked at. Otherwise
 * something else may stand there now, and nothing is done.
 */
export async function findTarget(
  page: Page,
  command: PlannedCommand,
  selector: string,
  limitMs: number,
  signal: AbortSignal,
): Promise<Locator> {
  const { target, commandId, action } = command;
  const base = page.locator(target?.selector ?? selector);
  const wanted = target?.of ?? 1;
  const argument = { commandId, event: EVENT_OF[action] ?? null };
  const end = Date.now() + limitMs;
  for (;;) {
    const count = await base.evaluateAll(countAndArm, argument);
    if (count === wanted) return wanted > 1 ? base.nth(target!.nth) : base;
    if (Date.now() >= end || signal.aborted || (count > 0 && target === undefined))
      throw notFound(command, selector, count, wanted, page.url());
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Arms the mark of a key press that goes to whatever has the focus. */
export async function armPage(page: Page, command: PlannedCommand): Promise<void> {
  await page
    .locator(':root')
    .evaluateAll(countAndArm, { commandId: command.commandId, event: EVENT_OF[command.action] ?? null });
}

/** What the open documents remember of a command; undefined when the document that was armed is gone. */
export async function markOf(pages: readonly Page[], commandId: string): Promise<Mark | undefined> {
  for (const frame of pages.flatMap((page) => page.frames())) {
    const mark = await frame.evaluate(readMark, commandId).catch(() => null);
    if (mark !== null) return mark as Mark;
  }
  return undefined;
}

function notFound(command: PlannedCommand, selector: string, count: number, wanted: number, url: string): EngineError {
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
