import * as acts from './element-commands';
import type { Description } from '../language/description';
import { find } from './find';
import type { Intent } from '../language/intent';
import { stemsIn } from '../language/words';
import { levelOf } from './name-match';
import { ancestors, isInside, type Item, type Page } from './page-index';
import { TO_CLICK, TO_TYPE } from './purpose';
import { absent, several, commandsOn, type TargetSearch } from './resolution';

const FIELD: Description = {
  said: 'search field',
  isQuoted: false,
  readings: [
    { role: { word: 'search field', roles: ['searchbox'] } },
    ...['search', 'find'].map((name) => ({
      name,
      role: { word: 'field', roles: ['textbox', 'searchbox', 'combobox'] },
    })),
  ],
};
const BUTTON: Description = {
  said: 'Search button',
  isQuoted: false,
  readings: ['search', 'find', 'go'].map((name) => ({ name, role: { word: 'button', roles: ['button'] } })),
};

/** Resolves a search: type into the search field, then click its button, or press Enter where there is none. */
export function resolveSearch(page: Page, intent: Intent & { kind: 'search' }): TargetSearch {
  const named = intent.whole && find(page, intent.whole, TO_CLICK);
  if (named?.kind === 'one' && levelOf(named.item, intent.whole?.said ?? '') === 1)
    return commandsOn(named.item, acts.click(named.item));
  const boxes = page.items.filter((item) => item.role === 'searchbox' && item.node?.ref && !item.isHidden);
  const onlyBox = boxes[0] && boxes.length === 1 ? { kind: 'one' as const, item: boxes[0] } : undefined;
  const target = intent.target ?? FIELD;
  const asked = intent.target && find(page, intent.target, TO_TYPE);
  const found =
    asked === undefined ? (onlyBox ?? find(page, FIELD, TO_TYPE)) : asked.kind === 'none' ? (onlyBox ?? asked) : asked;
  if (found.kind === 'none') return absent(target, TO_TYPE);
  if (found.kind === 'several') return several(target, found.items);
  const button = find(page, BUTTON, TO_CLICK);
  // Only an exact name: "Search history" does not start a search.
  const isSearch =
    button.kind === 'one' &&
    /^(?:search|find|go)$/i.test(button.item.label.trim()) &&
    isOfField(page, button.item, found.item);
  const start = isSearch ? acts.click(button.item) : acts.press(found.item, 'Enter');
  return commandsOn(found.item, acts.type(found.item, soughtIn(found.item, intent.text)), start);
}

/** “search guests hal” in “Search guests”: what the field is called is not sought. */
function soughtIn({ label, hints }: Item, text: string): string {
  const names = [label, ...hints].flatMap((name) => [...stemsIn(name)]).filter((stem) => !SEEKS.test(stem));
  const words = text.split(/\s+/);
  const from = words.findIndex((word) => !stemsIn(word).every((stem) => names.includes(stem)));
  return from > 0 ? words.slice(from).join(' ') : text;
}

const SEEKS = /^(?:search|find|filter|for|by|a|an|the|or|and|in|of)$/;

/** Whether no other field is nearer to the button. */
function isOfField(page: Page, button: Item, field: Item): boolean {
  const shared = [...ancestors(button)].find((above) => isInside(field, above));
  const nearer = shared?.children.filter((part) => isInside(button, part) || isInside(field, part)) ?? [];
  const others = page.items.filter((item) => item !== field && TO_TYPE.rank(item) === 0);
  if (shared === undefined || !others.some((other) => isInside(other, shared))) return true;
  return (
    nearer.every((part) => !others.some((other) => isInside(other, part))) &&
    field.index < button.index &&
    !others.some((other) => other.index > field.index && other.index < button.index)
  );
}
