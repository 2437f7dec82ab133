import type { Page } from 'playwright';
import type { Target } from '../../../contracts/commands/planned-command';
import { oneLine } from '../../../contracts/text';
import { withinMs } from '../../../runtime/time-limit';

const EXPLAIN_LIMIT_MS = 1000;
const MAX_TEXT = 80;
/** The parts of a selector that say what the element was, where another part says where it was. */
const IDENTITY = / >> internal:has-text="(?:[^"\\]|\\.)*"[si]$|:has\([^()]*\)$/;

/** Says what became of an element that its target finds no more; empty where nothing is known. */
export async function explainMissing(page: Page, target: Target): Promise<string> {
  return await withinMs(EXPLAIN_LIMIT_MS, explain(page, target)).catch(() => '');
}

async function explain(page: Page, { selector, role, name }: Target): Promise<string> {
  if (/role=[\w-]+(?:\[name=.*s\])?$/s.test(selector)) {
    const [hidden, others] = await Promise.all([
      page.locator(`${selector}[include-hidden]`).count(),
      page.locator(selector.replace(/\[name=.*s\]$/s, '')).count(),
    ]);
    if (hidden > 0) return ' It is still in the document, but hidden now.';
    if (name !== '' && others > 0)
      return ` Of the role ${role} there ${others === 1 ? 'is 1 other' : `are ${others} others`}.`;
    return '';
  }
  const place = selector.replace(IDENTITY, '');
  const inPlace = page.locator(place);
  if (place === selector || (await inPlace.count()) !== 1) return ' What it was part of has changed.';
  const text = oneLine((await inPlace.textContent()) ?? '', MAX_TEXT);
  return text === '' ? ' In its place is another element now.' : ` In its place stands “${text}” now.`;
}
