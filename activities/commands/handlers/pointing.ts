import type { CommandHandler } from './command-handler';

/** By coordinates of the view: what no ref can point at, such as a place on a map. */
export const clickPoint: CommandHandler = async ({ page, parameters }) => {
  const { x = 0, y = 0, button, clicks, modifiers = [] } = parameters;
  for (const key of modifiers) await page.keyboard.down(key);
  try {
    await page.mouse.click(x, y, {
      ...(button === undefined ? {} : { button }),
      ...(clicks === undefined ? {} : { clickCount: clicks }),
    });
  } finally {
    for (const key of modifiers) await page.keyboard.up(key);
  }
};

export const hover: CommandHandler = async ({ page, element, parameters, timeoutMs, signal }) => {
  if (element !== undefined) await element.hover({ timeout: timeoutMs, signal });
  else await page.mouse.move(parameters.x ?? 0, parameters.y ?? 0);
};

const STEPS = 12;

export const drag: CommandHandler = async ({ page, parameters }) => {
  const { x = 0, y = 0, toX = 0, toY = 0 } = parameters;
  await page.mouse.move(x, y);
  await page.mouse.down();
  // Pages follow the pointer: one jump would be no drag to them.
  await page.mouse.move(toX, toY, { steps: STEPS });
  await page.mouse.up();
};

/** Where the focus is; what stands there stays. */
export const typeText: CommandHandler = async ({ page, parameters }) => {
  await page.keyboard.type(parameters.text ?? '');
};
