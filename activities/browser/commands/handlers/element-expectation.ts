import type { Locator } from 'playwright';
import type { ElementState } from '../../../../contracts/commands/definitions/waiting';
import { containsText } from '../../../../rules/page-text/contains-text';
import { readField } from '../typing/field-facts';

const READ_LIMIT_MS = 1000;

interface ExpectedOfElement {
  text: string | undefined;
  state: ElementState | undefined;
  matchCase: boolean | undefined;
}

/** Whether the named element itself, and nothing beside it, is as expected. */
export async function isElementMet(element: Locator, { text, state, matchCase }: ExpectedOfElement): Promise<boolean> {
  if (state !== undefined && !(await hasState(element, state))) return false;
  // The native box of a styled checkbox is often invisible.
  if (state === undefined && !(await element.isVisible())) return false;
  if (text === undefined) return true;
  return (await textsOf(element)).some((each) => containsText(each, text, matchCase));
}

/** What the element shows, for a message; nothing of a field for passwords. */
export async function shownValue(element: Locator): Promise<string | undefined> {
  if (await element.evaluate((node) => node.matches('[type=password]'), undefined, { timeout: READ_LIMIT_MS }))
    return undefined;
  const texts = await textsOf(element);
  return texts.find((text) => text.trim() !== '')?.trim();
}

/** The texts that a reader takes the element to have: its value, its text with the values inside, its name. */
async function textsOf(element: Locator): Promise<string[]> {
  const texts = await element.evaluate(readableTexts, undefined, { timeout: READ_LIMIT_MS });
  return texts ?? [await element.evaluate(readField, undefined, { timeout: READ_LIMIT_MS })];
}

async function hasState(element: Locator, state: ElementState): Promise<boolean> {
  return await element.evaluate(isInState, state, { timeout: READ_LIMIT_MS });
}

/** Runs in the page. Null for a code editor, whose own field does not hold its text. */
function readableTexts(node: Element): string[] | null {
  if (node.closest('.monaco-editor, .CodeMirror') !== null) return null;
  if (node instanceof HTMLSelectElement)
    return [
      node.value,
      ...[...node.selectedOptions].map(({ label }) => label),
      [...node.selectedOptions].map(({ label }) => label).join(', '),
    ];
  const isTyped =
    node instanceof HTMLTextAreaElement ||
    (node instanceof HTMLInputElement && !/^(?:checkbox|radio)$/.test(node.type));
  if (isTyped) return [node.value];
  const text = (node as HTMLElement).innerText ?? node.textContent ?? '';
  const values = [...node.querySelectorAll('input:not([type=password]), textarea, select')].map((field) =>
    field instanceof HTMLSelectElement
      ? [...field.selectedOptions].map(({ label }) => label).join(', ')
      : field instanceof HTMLInputElement && /^(?:checkbox|radio|hidden)$/.test(field.type)
        ? ''
        : (field as HTMLInputElement | HTMLTextAreaElement).value,
  );
  const pictures = [...node.querySelectorAll('img[alt]')].map((image) => image.getAttribute('alt') ?? '');
  const labels = [...((node as Partial<HTMLInputElement>).labels ?? [])].map(({ innerText }) => innerText);
  const aria = node as Partial<ARIAMixin>;
  const named = [aria.ariaLabel, aria.ariaValueText, aria.ariaValueNow, node.getAttribute('alt')].map(
    (name) => name ?? '',
  );
  return [text, [text, ...values].join(' '), ...values, ...pictures, ...labels, ...named].filter((each) => each !== '');
}

/** Runs in the page. */
function isInState(node: Element, state: ElementState): boolean {
  const says = (name: string): string | null => node.getAttribute(`aria-${name}`);
  const isChecked = (): boolean =>
    node instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(node.type)
      ? node.checked
      : node instanceof HTMLOptionElement
        ? node.selected
        : [says('checked'), says('selected'), says('pressed'), says('current')].some(
            (value) => value !== null && value !== 'false' && value !== 'mixed',
          );
  const isDisabled = (): boolean => node.matches(':disabled') || node.closest('[aria-disabled="true"]') !== null;
  const isExpanded = (): boolean =>
    node instanceof HTMLDetailsElement
      ? node.open
      : node.localName === 'summary' && node.parentElement instanceof HTMLDetailsElement
        ? node.parentElement.open
        : says('expanded') === 'true';
  const value = (): string =>
    'value' in node && typeof node.value === 'string' ? node.value : ((node as HTMLElement).innerText ?? '').trim();
  const isInvalid = (): boolean =>
    (says('invalid') !== null && says('invalid') !== 'false') ||
    node.matches('input:invalid, select:invalid, textarea:invalid');
  switch (state) {
    case 'checked':
      return isChecked();
    case 'unchecked':
      return !isChecked();
    case 'disabled':
      return isDisabled();
    case 'enabled':
      return !isDisabled();
    case 'expanded':
      return isExpanded();
    case 'collapsed':
      return !isExpanded();
    case 'focused':
      return node.matches(':focus, :focus-within');
    case 'empty':
      return value() === '';
    case 'filled':
      return value() !== '';
    case 'required':
      return node.matches(':required') || says('required') === 'true';
    case 'invalid':
      return isInvalid();
    case 'valid':
      return !isInvalid();
  }
}
