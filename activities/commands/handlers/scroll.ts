import { EngineError } from '../../failures';
import type { CommandHandler } from './command-handler';

/** One tick of a wheel. */
const TICK = 100;

export const scroll: CommandHandler = async ({ page, element, parameters, timeoutMs, signal }) => {
  if (element !== undefined) {
    await element.scrollIntoViewIfNeeded({ timeout: timeoutMs, signal });
    return;
  }
  const { to = 'down', amount, x, y } = parameters;
  if (to === 'element') throw new EngineError('SM002', 'SCROLL to an element needs its selector.');
  if (amount !== undefined || to === 'left' || to === 'right') {
    // What lies under the pointer is scrolled: a list in the page, or the page itself.
    const view = page.viewportSize() ?? { width: 0, height: 0 };
    await page.mouse.move(x ?? view.width / 2, y ?? view.height / 2);
    const far = (amount ?? 3) * TICK;
    const [right, down] = {
      up: [0, -far],
      down: [0, far],
      left: [-far, 0],
      right: [far, 0],
      top: [0, 0],
      bottom: [0, 0],
    }[to];
    await page.mouse.wheel(right!, down!);
    return;
  }
  await page.evaluate((where) => {
    const screen = globalThis.innerHeight * 0.9;
    const end = document.documentElement.scrollHeight;
    const top = { up: globalThis.scrollY - screen, down: globalThis.scrollY + screen, top: 0, bottom: end }[where];
    globalThis.scrollTo({ top, behavior: 'instant' });
  }, to);
};
