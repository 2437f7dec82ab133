import type { ElementHandle, Page } from 'playwright';
import { withinMs } from '../../runtime/time-limit';
import type { SessionValues } from './session-values';

const ANSWER_LIMIT_MS = 2000;

type PageGlobal = typeof globalThis & { __surefootTyped?: WeakSet<Node> };

/** Runs in the page. Its document remembers the field, also for the worker that comes after this one. */
function setTyped(field: Node, isTyped: boolean): void {
  const home = globalThis as PageGlobal;
  const typed = (home.__surefootTyped ??= new WeakSet());
  if (isTyped) typed.add(field);
  else typed.delete(field);
}

/** Before a secret is typed: a page may write it in its own way, and what this field holds then is a secret too. */
export async function guardField(field: ElementHandle<Node>): Promise<void> {
  await field.evaluate(setTyped, true);
}

/** It is about to hold something that everybody may know. */
export async function unguardField(field: ElementHandle<Node>): Promise<void> {
  await field.evaluate(setTyped, false);
}

/**
 * A snapshot shows password fields in clear text, so whatever stands in one is a secret; so is what stands in a field
 * that a secret was typed into. True when there was any.
 */
export async function learnGuardedFields(page: Page, values: SessionValues): Promise<boolean> {
  const found = await Promise.all(
    page
      .frames()
      .map((frame) =>
        withinMs(
          ANSWER_LIMIT_MS,
          frame
            .locator(values.hasSecrets ? 'input, textarea, [contenteditable]' : 'input[type=password]')
            .evaluateAll(guardedValues),
        ).catch(() => []),
      ),
  );
  const guarded = found.flat().filter((value) => value !== '');
  for (const value of guarded) values.addSecret(value);
  return guarded.length > 0;
}

function guardedValues(fields: Element[]): string[] {
  const typed = (globalThis as PageGlobal).__surefootTyped;
  return fields
    .filter((field) => (field as HTMLInputElement).type === 'password' || typed?.has(field) === true)
    .map((field) => ('value' in field ? String(field.value) : (field.textContent ?? '')));
}
