import * as acts from './element-commands';
import type { Description } from '../grammar/description';
import { find } from './find';
import type { Intent } from '../grammar/intent';
import type { Page } from './page-index';
import { TO_CLICK, TO_TYPE } from './purpose';
import { absent, several, commandsOn, type Resolution } from './resolution';

const FIELD: Description = {
  said: 'search field',
  isQuoted: false,
  readings: [
    { role: { word: 'search field', roles: ['searchbox'] } },
    { name: 'search', role: { word: 'field', roles: ['textbox', 'searchbox', 'combobox'] } },
  ],
};
const BUTTON: Description = {
  said: 'Search button',
  isQuoted: false,
  readings: ['search', 'find', 'go'].map((name) => ({ name, role: { word: 'button', roles: ['button'] } })),
};

/** Resolves a search: type into the search field, then click its button, or press Enter where there is none. */
export function resolveSearch(page: Page, intent: Intent & { kind: 'search' }): Resolution {
  const boxes = page.items.filter((item) => item.role === 'searchbox' && item.node?.ref && !item.isHidden);
  const target = intent.target ?? FIELD;
  const found =
    boxes[0] && boxes.length === 1 && !intent.target
      ? { kind: 'one' as const, item: boxes[0] }
      : find(page, target, TO_TYPE);
  if (found.kind === 'none') return absent(target, TO_TYPE);
  if (found.kind === 'several') return several(target, found.items);
  const button = find(page, BUTTON, TO_CLICK);
  // Only an exact name: "Search history" does not start a search.
  const isSearch = button.kind === 'one' && /^(?:search|find|go)$/i.test(button.item.label.trim());
  const start = isSearch ? acts.click(button.item) : acts.press(found.item, 'Enter');
  return commandsOn(found.item, acts.type(found.item, intent.text), start);
}
