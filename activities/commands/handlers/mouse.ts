import type { Locator } from 'playwright';
import type { ParametersOf } from '../../../contracts/commands/commands';
import type { mouseCommands } from '../../../contracts/commands/definitions/mouse';
import { isTargetClosed } from '../../browsers/playwright-errors';
import { EngineError } from '../../failures';
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
    if (element !== undefined) await element.hover({ timeout: timeoutMs, signal });
    else await page.mouse.move(x, y);
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
    await waitUntilUsable(element, { timeoutMs });
    await element.click({ timeout: timeoutMs, ...options });
  } catch (error) {
    // A click on a “Close” button may close its own tab before Playwright can confirm it.
    if (!isTargetClosed(error) || !page.isClosed() || (await attachment.isLost())) throw error;
  }
}

function clickOptions({
  button,
  clicks,
  modifiers,
}: Pick<ParametersOf<'CLICK_ELEMENT'>, 'button' | 'clicks' | 'modifiers'>): ClickOptions {
  return {
    ...(button === undefined ? {} : { button }),
    ...(clicks === undefined ? {} : { clickCount: clicks }),
    ...(modifiers === undefined ? {} : { modifiers }),
  };
}
