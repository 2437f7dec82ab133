import type { JSHandle, Locator, Page } from 'playwright';
import { LONGEST_LABEL, MOST_OPTIONS, type PageAsk, type PersonAct } from '../../../contracts/browsers/takeover';
import type { Target } from '../../../contracts/commands/planned-command';
import { selectorText } from '../../../rules/page-text/durable-target';
import { EngineError } from '../../activity/failures';
import type { SessionValues } from '../../secrets/session-values';
import { readList } from '../commands/choosing/native-list';

const ASK_LIMIT_MS = 2000;
const OPENING_KEY = /^(?:Alt\+Arrow(?:Down|Up)|F4)$/;

/** The closed list of a `<select>`, whose options the browser would draw outside of the page. */
export interface ClosedList {
  /** Lets the page's list open again; the element has the focus, as after a click. Resolves to what it offers. */
  read(): Promise<Omit<Extract<PageAsk, { kind: 'list' }>, 'ask'> | undefined>;
}

/** Keeps the list closed that an act would open. Undefined where the act opens none. */
export async function keepListClosed(
  page: Page,
  target: Target | undefined,
  values: SessionValues,
  act: PersonAct,
): Promise<ClosedList | undefined> {
  if (target === undefined || !mayOpenList(act)) return undefined;
  const element = page.locator(selectorText(target));
  const kept = await element
    .evaluateHandle(keepClosed, undefined, { timeout: ASK_LIMIT_MS })
    .catch((): undefined => undefined);
  if (kept === undefined || !(await isKept(kept))) return undefined;
  return {
    async read() {
      await element.focus({ timeout: ASK_LIMIT_MS }).catch(() => {});
      await kept.evaluate((end) => end?.abort()).catch(() => {});
      const options = await optionsOf(element, values).catch((): undefined => undefined);
      return options && { kind: 'list', name: target.name, options: options.slice(0, MOST_OPTIONS) };
    },
  };
}

/** Chooses the option that the person was shown at this place; throws where the list has another one there now. */
export async function chooseShown(
  page: Page,
  { selector, option: shown }: { selector: string; option: string },
  place: number,
  values: SessionValues,
): Promise<void> {
  const element = page.locator(selector);
  const option = (await optionsOf(element, values))[place];
  if (option?.label !== shown)
    throw new EngineError('EX002', `The list has no “${shown}” at this place any more. Open it again, then choose.`);
  if (option.isDisabled) throw new EngineError('EX002', `“${shown}” can not be chosen: the page has it disabled.`);
  await element.focus({ timeout: ASK_LIMIT_MS });
  await element.selectOption({ index: place }, { timeout: ASK_LIMIT_MS });
}

function mayOpenList(act: PersonAct): boolean {
  if (act.kind === 'click') return act.button === 'left';
  return act.kind === 'key' ? OPENING_KEY.test(act.key) : act.kind === 'text' && act.text === ' ';
}

async function isKept(kept: JSHandle<AbortController | null>): Promise<boolean> {
  return await kept.evaluate((end) => end !== null).catch(() => false);
}

async function optionsOf(element: Locator, values: SessionValues) {
  const { options } = await element.evaluate(readList, undefined, { timeout: ASK_LIMIT_MS });
  const shown = (text: string): string => values.redact(text).slice(0, LONGEST_LABEL);
  return options.map(({ label, value, isDisabled, isChosen }) => ({
    label: shown(label),
    value: shown(value),
    isDisabled,
    isChosen,
  }));
}

/** Runs in the page. */
function keepClosed(node: Node): AbortController | null {
  const isDropDown = node instanceof HTMLSelectElement && !node.multiple && node.size <= 1 && !node.disabled;
  if (!isDropDown) return null;
  const end = new AbortController();
  const onEvent = (event: Event): void => {
    if (event.composedPath().includes(node)) event.preventDefault();
  };
  for (const type of ['mousedown', 'keydown'])
    node.ownerDocument.defaultView?.addEventListener(type, onEvent, { capture: true, signal: end.signal });
  return end;
}
