import type { ElementHandle, Locator, Page } from 'playwright';
import { EngineError } from '../../../activity/failures';
import { isTimeout } from '../../attach/playwright-errors';
import { drawnFor } from '../choosing/click-option';
import { pollUntil } from '../poll-until';
import { listensToKeysAlone } from './keys-alone';
import { obstacleOf } from './obstacle';

/** A page has this long to show what a click has changed before the click is looked into. */
const SHOWN_LIMIT_MS = 1500;
/** A page that got the click has so long in all: it may ask its server first. */
const SLOW_LIMIT_MS = 5000;
const CLICK_LIMIT_MS = 2000;

type Box = ElementHandle<Element>;

/**
 * Checks or unchecks a box, a switch, a radio button or a button that stays pressed, and reads the state back. A box that
 * is hidden under its label is clicked there. What got a click is not used again, by this command or the next, because a
 * slow page would take that for the way back; only a box that the click can't have reached, or that listens to keys
 * alone, gets the space key.
 */
export async function setChecked(
  page: Page,
  element: Locator,
  checked: boolean,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  const box = (await element.evaluateHandle(boxOf, undefined, { timeout: timeoutMs })).asElement() as Box | null;
  if (box === null)
    throw new EngineError('EX003', 'It does not say whether it is checked, so nobody could see whether that worked.', {
      suggestedAction: 'Click it instead.',
    });
  const isSo = async (): Promise<boolean> => {
    const state = await stateOf(element, box, checked);
    // The page went on with it, and took the box away.
    return state === undefined || state === checked;
  };
  if (await isSo()) return;
  if (!checked && (await box.evaluate((node) => node.matches('[type=radio], [role=radio]'))))
    throw new EngineError('EX003', 'A radio button can not be unchecked: choose another one of its group.');
  const obstacle = (await wasPressed(box)) ? undefined : await clickBox(box);
  if (await pollUntil(isSo, SHOWN_LIMIT_MS, signal)) return;
  const hasClick = await wasPressed(box);
  if (!hasClick || (await listensToKeysAlone(page, box))) {
    await box.focus();
    await page.keyboard.press('Space');
    if (await pollUntil(isSo, SHOWN_LIMIT_MS, signal)) return;
  } else if (await pollUntil(isSo, SLOW_LIMIT_MS - SHOWN_LIMIT_MS, signal)) return;
  const why = obstacle === undefined ? '' : ` It ${obstacle.text}.`;
  const once = hasClick ? ' It is not clicked a second time: that could undo the first.' : '';
  throw new EngineError('EX003', `It is ${checked ? 'not checked' : 'still checked'} after it was used.${why}${once}`);
}

/** Whether the box got a press that has not been seen to change it; a page that does not answer may have got it. */
async function wasPressed(box: Box): Promise<boolean> {
  return await box.evaluate(hasPress).catch(() => true);
}

/** Clicks what is drawn for the box; resolves to what is in the way of that. */
async function clickBox(box: Box) {
  const drawn = (await box.evaluateHandle(drawnFor)).asElement() as Box;
  try {
    await drawn.click({ timeout: CLICK_LIMIT_MS });
    return undefined;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return (await drawn.evaluate(obstacleOf).catch(() => null)) ?? undefined;
  }
}

/** The state of the box, or of the one that the page has drawn anew in its place; undefined where there is none any more. */
async function stateOf(element: Locator, box: Box, checked: boolean): Promise<boolean | undefined> {
  const own = await box.evaluate(isChecked, checked).catch(() => undefined);
  if (own !== undefined) return own;
  const now = element.evaluateHandle(boxOf, undefined, { timeout: 300 });
  const found = (await now.catch(() => undefined))?.asElement() as Box | null | undefined;
  return (await found?.evaluate(isChecked, checked)) ?? undefined;
}

/** The last press, until the state was seen to be another one. */
type WatchedElement = Element & { __surefootPress?: { at: number } | undefined };

/**
 * Runs in the page: the element that has the state: itself, the control of a label, or the only box in it or around it.
 * From now on it remembers the last press on it or its label.
 */
function boxOf(node: Element): Element | null {
  const boxes =
    'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch], [role=menuitemcheckbox], [role=menuitemradio], [aria-checked], [aria-pressed]';
  const find = (): Element | null => {
    if (node.matches(boxes)) return node;
    if (node instanceof HTMLLabelElement && node.control?.matches(boxes)) return node.control;
    const inner = node.querySelectorAll(boxes);
    if (inner.length === 1) return inner[0]!;
    return node.closest(boxes) ?? (node.matches('[aria-selected]') ? node : null);
  };
  const box = find() as WatchedElement | null;
  if (box === null || '__surefootPress' in box) return box;
  box.__surefootPress = undefined;
  const labels = (): Element[] => [...((box as Partial<HTMLInputElement>).labels ?? [])];
  window.addEventListener(
    'pointerdown',
    (event) => {
      const path = event.composedPath();
      if (path.includes(box) || labels().some((label) => path.includes(label)))
        box.__surefootPress = { at: performance.now() };
    },
    true,
  );
  return box;
}

/** Runs in the page. After half a minute no page is still busy with it. */
function hasPress(node: Element): boolean {
  const { __surefootPress: press } = node as WatchedElement;
  return press !== undefined && performance.now() - press.at < 30_000;
}

/** Runs in the page; undefined for an element that is gone. A press that has led to the wanted state is no longer awaited. */
function isChecked(node: Element, wanted: boolean): boolean | undefined {
  if (!node.isConnected) return undefined;
  const own = ['aria-checked', 'aria-pressed', 'aria-selected']
    .map((name) => node.getAttribute(name))
    .find((value) => value !== null);
  const isNative = node instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(node.type);
  const state = isNative ? node.checked && !node.indeterminate : own === 'true';
  if (state === wanted) (node as WatchedElement).__surefootPress = undefined;
  return state;
}
