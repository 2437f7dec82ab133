import type { ElementHandle, Page } from 'playwright';
import { EngineError } from '../../../activity/failures';

const MOST_ROUNDS = 40;
const MOST_PRESSES = 500;

/** What shows where a slider stands: its own `aria-valuenow`, otherwise the number near it that changes with it. */
interface Meter {
  node: Element;
  numbers: { at: Text | Element; before: string }[];
  moving: Text | Element | undefined;
}

/** Moves a slider or a spinbutton without a field by its arrow keys; resolves to where it stands. */
export async function moveByArrows(page: Page, field: ElementHandle<Element>, text: string): Promise<string> {
  const wanted = Number(text.replaceAll(/[^\d.+-]/g, ''));
  if (text.trim() === '' || Number.isNaN(wanted)) throw new EngineError('SM002', `This takes a number, got “${text}”.`);
  const meter = await field.evaluateHandle(meterOf);
  const now = (): Promise<number | null> => meter.evaluate(readMeter);
  await field.focus();
  let value = await now();
  for (const key of ['ArrowRight', 'ArrowLeft']) {
    if (value !== null) break;
    // At its end it moves in one direction alone.
    await page.keyboard.press(key);
    value = await now();
  }
  if (value === null)
    throw new EngineError('EX003', 'Nothing near this slider shows where it stands, so no value can be set.', {
      suggestedAction: 'Drag it by a number of pixels instead.',
    });
  let step = 0;
  const arrows = { up: 'ArrowUp', down: 'ArrowDown' };
  for (let round = 0; round < MOST_ROUNDS && value !== wanted; round += 1) {
    const count = step === 0 ? 1 : Math.max(1, Math.floor(Math.abs(wanted - value) / step + 1e-6));
    for (let press = 0; press < Math.min(count, MOST_PRESSES); press += 1)
      await page.keyboard.press(wanted > value ? arrows.up : arrows.down);
    const next: number = (await now()) ?? value;
    if (next === value) {
      if (arrows.up === 'ArrowRight') break;
      [arrows.up, arrows.down] = ['ArrowRight', 'ArrowLeft'];
      continue;
    }
    step = Math.abs(next - value) / count;
    // It stands on both sides of what is wanted, and nowhere between.
    if (next > wanted !== value > wanted && next !== wanted && count === 1) break;
    value = next;
  }
  return String(await now());
}

/** Runs in the page, before the slider moves: all numbers near it. */
function meterOf(node: Element): Meter {
  const numeric = /^\s*-?\d+(?:[.,]\d+)?\s*%?\s*$/;
  const numbers: Meter['numbers'] = [];
  let around = node.parentElement;
  for (let levels = 0; levels < 4 && around?.parentElement && around.parentElement !== document.body; levels += 1)
    around = around.parentElement;
  if (around !== null) {
    const walker = document.createTreeWalker(around, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode() as Text | null; text !== null; text = walker.nextNode() as Text | null)
      if (numeric.test(text.data) && !node.contains(text.parentElement)) {
        // A page may replace the text in an element that has no other content.
        const isAlone = text.parentNode?.childNodes.length === 1;
        numbers.push({ at: isAlone ? text.parentElement! : text, before: text.data });
      }
    for (const input of around.querySelectorAll('input')) numbers.push({ at: input, before: input.value });
  }
  return { node, numbers: numbers.slice(0, 300), moving: undefined };
}

/** Runs in the page; null where nothing shows it yet. */
async function readMeter(meter: Meter): Promise<number | null> {
  const { node, numbers } = meter;
  const own = node.getAttribute('aria-valuenow');
  if (own !== null) return Number(own);
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 50);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
  const valueOf = (at: Text | Element): string => (at instanceof HTMLInputElement ? at.value : (at.textContent ?? ''));
  meter.moving ??= numbers.find(({ at, before }) => at.isConnected && valueOf(at) !== before)?.at;
  if (meter.moving === undefined) return null;
  const value = Number.parseFloat(valueOf(meter.moving).replace(',', '.'));
  return Number.isNaN(value) ? null : value;
}
