import type { ElementHandle, JSHandle } from 'playwright';
import { EngineError } from '../../../activity/failures';
import { isTimeout } from '../../attach/playwright-errors';
import { obstacleOf } from '../pointer/obstacle';
import type { ChoosingContext } from './choosing-context';

const CLICK_LIMIT_MS = 2000;

/** Clicks one of the options: what is drawn for it, where the option itself is invisible. */
export async function clickOption(
  options: JSHandle<Element[]>,
  place: number,
  { timeoutMs, signal }: ChoosingContext,
  modifiers: ('Control' | 'Shift')[],
): Promise<void> {
  const option = (
    await options.evaluateHandle((list, index) => list[index]!, place)
  ).asElement() as ElementHandle<Element>;
  const drawn = (await option.evaluateHandle(drawnFor)).asElement() as ElementHandle<Element>;
  try {
    await drawn.click({ timeout: Math.min(CLICK_LIMIT_MS, timeoutMs), signal, modifiers });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const obstacle = await drawn.evaluate(obstacleOf).catch(() => null);
    throw new EngineError('EX003', `The option ${obstacle?.text ?? 'could not be clicked'}.`, { cause: error });
  }
}

/** Runs in the page: the label of a box that is drawn over it, or has no size of its own. */
export function drawnFor(node: Element): Element {
  const labels = (node as HTMLInputElement).labels;
  const label =
    labels === null || labels === undefined ? undefined : [...labels].find((each) => each.checkVisibility());
  const { width, height, left, top } = node.getBoundingClientRect();
  const isBox = node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width > 2 && height > 2;
  if (label === undefined) return node;
  if (!isBox) return label;
  const hit = (node.getRootNode() as Document | ShadowRoot).elementFromPoint(left + width / 2, top + height / 2);
  return hit === null || hit === node || node.contains(hit) ? node : label;
}
