import type { Locator, Page } from 'playwright';
import type { ParametersOf } from '../../../../contracts/commands/commands';
import type { mouseCommands } from '../../../../contracts/commands/definitions/mouse';
import { withinMs } from '../../../../runtime/time-limit';
import { isTargetClosed } from '../../attach/playwright-errors';
import { EngineError } from '../../../activity/failures';
import { freePointOf, type Point } from '../pointer/free-point';
import { dragElement, dragTo } from '../pointer/drag';
import { chooseMenuItem } from '../pointer/menu';
import { scrollUntil } from '../pointer/scroll-until';
import { waitUntilUsable } from '../pointer/usable';
import type { CommandContext, CommandHandlers } from './command-handler';

const WHEEL_TICK = 100;

export const mouseHandlers: CommandHandlers<typeof mouseCommands> = {
  async CLICK_ELEMENT(context) {
    await click(context, clickOptions(context.parameters));
  },

  async DOUBLE_CLICK(context) {
    await click(context, { clickCount: 2 });
  },

  async RIGHT_CLICK(context) {
    await click(context, { button: 'right' });
  },

  async PRESS_AND_HOLD({ element, parameters: { seconds = 1 }, timeoutMs }) {
    await waitUntilUsable(element, { timeoutMs });
    await element.click({ timeout: timeoutMs + seconds * 1000, delay: seconds * 1000 });
  },

  async CHOOSE_MENU_ITEM(context) {
    await chooseMenuItem(context);
  },

  async DRAG_ELEMENT({ page, element, toElement, parameters: { byX = 0, byY = 0 }, timeoutMs }) {
    await dragElement(page, element, toElement === undefined ? { byX, byY } : { onto: toElement }, timeoutMs);
  },

  async SCROLL_UNTIL({ page, element, parameters: { text }, timeoutMs, signal }) {
    await scrollUntil(page, element, text, { timeoutMs, signal });
  },

  async SCROLL({ page, element, parameters: { to, amount, x, y }, timeoutMs, signal }) {
    if (element !== undefined) {
      await element.scrollIntoViewIfNeeded({ timeout: timeoutMs, signal });
      if (to !== 'element') await element.evaluate(scrollWithin, to, { timeout: timeoutMs, signal });
      return;
    }
    if (to === 'element') throw new EngineError('SM002', 'SCROLL to an element needs its selector.');
    if (amount !== undefined || to === 'left' || to === 'right') {
      // The wheel scrolls what lies under the pointer: a list in the page, or the page itself.
      const view = page.viewportSize() ?? { width: 0, height: 0 };
      await page.mouse.move(x ?? view.width / 2, y ?? view.height / 2);
      const distance = (amount ?? 3) * WHEEL_TICK;
      const right = { left: -distance, right: distance }[to as string] ?? 0;
      const down = { up: -distance, down: distance }[to as string] ?? 0;
      await page.mouse.wheel(right, down);
      return;
    }
    await page.evaluate((where) => {
      const screen = globalThis.innerHeight * 0.9;
      const end = document.documentElement.scrollHeight;
      const top = { up: globalThis.scrollY - screen, down: globalThis.scrollY + screen, top: 0, bottom: end }[where];
      globalThis.scrollTo({ top, behavior: 'instant' });
    }, to);
  },

  async HOVER({ page, element, parameters: { x = 0, y = 0 }, timeoutMs, signal }) {
    if (element === undefined) {
      await page.mouse.move(x, y);
      return;
    }
    await waitUntilUsable(element, { timeoutMs, signal, isOnlyPointedAt: true });
    // What shows under the pointer may cover the element, or take its place.
    await element.hover({ timeout: timeoutMs, signal, force: true });
  },

  /** Clicks what no ref can point at, such as a place on a map. */
  async CLICK_POINT({ page, parameters }) {
    const { x, y, modifiers = [] } = parameters;
    for (const key of modifiers) await page.keyboard.down(key);
    try {
      await page.mouse.click(x, y, clickOptions({ ...parameters, modifiers: undefined }));
    } finally {
      for (const key of modifiers) await page.keyboard.up(key);
    }
  },

  async DRAG({ page, parameters: { x, y, toX, toY } }) {
    await dragTo(page, { x, y }, { x: toX, y: toY });
  },
};

type ClickOptions = NonNullable<Parameters<Locator['click']>[0]>;

/** Clicks when the control can be used, and only then: a click that waits could be taken for one that was sent. */
async function click(
  {
    attachment,
    page,
    element,
    timeoutMs,
  }: Pick<CommandContext<'CLICK_ELEMENT'>, 'attachment' | 'page' | 'element' | 'timeoutMs'>,
  options: ClickOptions,
): Promise<void> {
  try {
    // A page may change when the pointer arrives, as where two controls swap their names: the click finds its control anew.
    const free = await freePointOf(element);
    const pointed = free !== null && (await movedTo(page, free));
    if (!pointed) await pointAt(element, timeoutMs);
    await element.click({ timeout: timeoutMs, ...options });
  } catch (error) {
    // A click on a “Close” button may close its own tab before Playwright can confirm it.
    if (!isTargetClosed(error) || !page.isClosed() || (await attachment.isLost())) throw error;
  }
}

const MOVE_LIMIT_MS = 1000;

/** False where the page is too busy to take the move in time. */
async function movedTo(page: Page, { x, y }: Point): Promise<boolean> {
  const moved = page.mouse.move(x, y).then(() => true);
  return await withinMs(MOVE_LIMIT_MS, moved).catch(() => false);
}

async function pointAt(element: Locator, timeoutMs: number): Promise<void> {
  await waitUntilUsable(element, { timeoutMs });
  const isPicture = await element.evaluate(isPictureOfStyle, undefined, { timeout: timeoutMs });
  await element.hover({ timeout: timeoutMs, force: true });
  // A picture that changes under the pointer takes no room until the other one is loaded.
  if (isPicture) await waitUntilUsable(element, { timeoutMs });
}

function clickOptions({
  button,
  clicks,
  modifiers,
  atX,
  atY,
}: Pick<ParametersOf<'CLICK_ELEMENT'>, 'button' | 'clicks' | 'modifiers' | 'atX' | 'atY'>): ClickOptions {
  return {
    ...(button === undefined ? {} : { button }),
    ...(clicks === undefined ? {} : { clickCount: clicks }),
    ...(modifiers === undefined ? {} : { modifiers }),
    ...(atX === undefined || atY === undefined ? {} : { position: { x: atX, y: atY } }),
  };
}

/** Runs in the page: whether the style sheet draws a picture in place of the element. */
function isPictureOfStyle(node: Element): boolean {
  return getComputedStyle(node).content.includes('url(');
}

/** Runs in the page: scrolls the element, or where it has nothing to scroll the nearest part around it that has. */
function scrollWithin(node: Element, to: string): void {
  const isAcross = to === 'left' || to === 'right';
  const hasMore = (each: Element): boolean =>
    isAcross ? each.scrollWidth > each.clientWidth : each.scrollHeight > each.clientHeight;
  const scrolls = (each: Element): boolean =>
    hasMore(each) && /auto|scroll/.test(getComputedStyle(each)[isAcross ? 'overflowX' : 'overflowY']);
  let place: Element = node;
  while (!scrolls(place) && place.parentElement !== null) place = place.parentElement;
  const [down, across] = [place.clientHeight * 0.9, place.clientWidth * 0.9];
  const behavior = 'instant';
  if (to === 'top') place.scrollTo({ top: 0, behavior });
  else if (to === 'bottom') place.scrollTo({ top: place.scrollHeight, behavior });
  else
    place.scrollBy({
      top: { up: -down, down }[to] ?? 0,
      left: { left: -across, right: across }[to] ?? 0,
      behavior,
    });
}
