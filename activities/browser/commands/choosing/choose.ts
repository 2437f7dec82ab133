import type { Locator } from 'playwright';
import { EngineError } from '../../../activity/failures';
import type { ChoosingContext } from './choosing-context';
import { chooseInGroup } from './group';
import { chooseInNativeList, chooseSuggestion } from './native-list';
import { chooseInPopup } from './choose-in-popup';
import type { Wanted } from './wanted';

/**
 * Chooses in whatever a page offers choices with. Each kind compares with what is chosen already and clicks only what
 * differs, so that a choice that was interrupted may be made again.
 */
export async function chooseOption(element: Locator, wanted: Wanted, context: ChoosingContext): Promise<void> {
  const { timeoutMs, signal } = context;
  const kind = await element.evaluate(kindOf, undefined, { timeout: timeoutMs, signal });
  switch (kind) {
    case 'native':
      return await chooseInNativeList(element, wanted, context);
    case 'native-within':
      return await chooseInNativeList(element.locator('select'), wanted, context);
    case 'suggested':
      return await chooseSuggestion(element, wanted, context);
    case 'group':
      return await chooseInGroup(element, wanted, context);
    case 'popup':
      return await chooseInPopup(element, wanted, context);
    case 'none':
      throw new EngineError('EX003', 'This is no list to select from.');
  }
}

/** Runs in the page: which kind of control it is. */
function kindOf(node: Element): 'native' | 'native-within' | 'suggested' | 'group' | 'popup' | 'none' {
  const control = node instanceof HTMLLabelElement && node.control !== null ? node.control : node;
  if (control instanceof HTMLSelectElement) return control === node ? 'native' : 'none';
  if (control instanceof HTMLInputElement && control.list !== null) return 'suggested';
  const role = control.getAttribute('role');
  const isOpener =
    role === 'combobox' || control.hasAttribute('aria-haspopup') || control.hasAttribute('aria-expanded');
  if (isOpener) return 'popup';
  const visible = (each: Element): boolean => each.checkVisibility({ visibilityProperty: true });
  const parts =
    '[role=option], [role=radio], [role=treeitem], [role=tab], [role=menuitemradio], [role=menuitemcheckbox], [aria-pressed], [role=checkbox], [role=switch]';
  const isGroup =
    [...control.querySelectorAll(parts)].some(visible) ||
    control.querySelector('input[type=radio], input[type=checkbox]') !== null;
  if (isGroup) return 'group';
  const selects = [...control.querySelectorAll('select')].filter(visible);
  if (selects.length === 1) return 'native-within';
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
    // A plain field has suggestions only where the page says so.
    const suggests = control.getAttribute('aria-autocomplete') ?? 'none';
    return suggests !== 'none' || control.readOnly ? 'popup' : 'none';
  }
  return control instanceof HTMLHeadingElement || control instanceof HTMLParagraphElement ? 'none' : 'popup';
}
