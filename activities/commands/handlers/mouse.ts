import type { ParametersOf } from '../../../contracts/commands/commands';
import type { mouseCommands } from '../../../contracts/commands/definitions/mouse';
import { isTargetClosed } from '../../browsers/playwright-errors';
import { EngineError } from '../../failures';
import type { CommandHandlers } from './command-handler';

const WHEEL_TICK = 100;
const DRAG_STEPS = 12;

export const mouseHandlers: CommandHandlers<typeof mouseCommands> = {
  async CLICK_ELEMENT({ attachment, page, element, parameters, timeoutMs }) {
    const { modifiers } = parameters;
    try {
      await element.click({
        timeout: timeoutMs,
        ...clickOptions(parameters),
        ...(modifiers === undefined ? {} : { modifiers }),
      });
    } catch (error) {
      // A click on a “Close” button may close its own tab before Playwright can confirm it.
      if (!isTargetClosed(error) || !page.isClosed() || (await attachment.isLost())) throw error;
    }
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
      await page.mouse.click(x, y, clickOptions(parameters));
    } finally {
      for (const key of modifiers) await page.keyboard.up(key);
    }
  },

  async DRAG({ page, parameters: { x, y, toX, toY } }) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    // Pages follow the pointer: they do not take one jump for a drag.
    await page.mouse.move(toX, toY, { steps: DRAG_STEPS });
    await page.mouse.up();
  },
};

function clickOptions({ button, clicks }: Pick<ParametersOf<'CLICK_POINT'>, 'button' | 'clicks'>) {
  return {
    ...(button === undefined ? {} : { button }),
    ...(clicks === undefined ? {} : { clickCount: clicks }),
  };
}
