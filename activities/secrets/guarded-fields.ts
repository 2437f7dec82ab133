import type { ElementHandle, Page } from 'playwright';
import { withinMs } from '../../runtime/time-limit';
import type { SessionValues } from './session-values';

const ANSWER_LIMIT_MS = 2000;

type PageGlobal = typeof globalThis & { __surefootTyped?: WeakSet<Node> };

/** Runs in the page. The document remembers the field for later workers, too. */
function setTyped(field: Node, isTyped: boolean): void {
  const home = globalThis as PageGlobal;
  const typed = (home.__surefootTyped ??= new WeakSet());
  if (isTyped) typed.add(field);
  else typed.delete(field);
}

/** Marks a field before a secret is typed: a page may reformat it, and then the field's value is a secret as well. */
export async function guardField(field: ElementHandle<Node>): Promise<void> {
  await field.evaluate(setTyped, true);
}

/** Removes the mark before a public value is typed. */
export async function unguardField(field: ElementHandle<Node>): Promise<void> {
  await field.evaluate(setTyped, false);
}

/**
 * Adds the values of password fields, and of fields that got a secret, to the secrets: snapshots show them in clear
 * text. Resolves to true when there were any.
 */
export async function learnGuardedFields(page: Page, values: SessionValues): Promise<boolean> {
  const selector = values.hasSecrets ? 'input, textarea, [contenteditable]' : 'input[type=password]';
  const found = await Promise.all(
    page.frames().map((frame) => withinMs(ANSWER_LIMIT_MS, frame.evaluate(guardedValues, selector)).catch(() => [])),
  );
  const guarded = found.flat().filter((value) => value !== '');
  for (const value of guarded) values.addSecret(value);
  return guarded.length > 0;
}

/** Runs in the page, also in its open shadow trees. */
function guardedValues(selector: string): string[] {
  const typed = (globalThis as PageGlobal).__surefootTyped;
  const fieldsIn = (root: ParentNode): Element[] => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot === null ? [] : fieldsIn(shadowRoot))),
  ];
  return fieldsIn(document)
    .filter((field) => (field as HTMLInputElement).type === 'password' || typed?.has(field) === true)
    .map((field) => ('value' in field ? String(field.value) : (field.textContent ?? '')));
}
