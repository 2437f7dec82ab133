import { EngineError } from '../../failures';
import type { Command } from './command';

export const scroll: Command = async ({ page, element, parameters, timeoutMs, signal }) => {
  if (element !== undefined) {
    await element.scrollIntoViewIfNeeded({ timeout: timeoutMs, signal });
    return;
  }
  if (parameters.to === 'element') throw new EngineError('SM002', 'SCROLL to an element needs its selector.');
  await page.evaluate(
    (to) => {
      const screen = globalThis.innerHeight * 0.9;
      const end = document.documentElement.scrollHeight;
      const top = { up: globalThis.scrollY - screen, down: globalThis.scrollY + screen, top: 0, bottom: end }[to];
      globalThis.scrollTo({ top, behavior: 'instant' });
    },
    parameters.to ?? ('down' as const),
  );
};
