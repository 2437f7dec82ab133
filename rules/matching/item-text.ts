import { ancestors, nearestNamed, type Item, type Page } from './page-index';
import { normal } from './name-match';
import type { Purpose } from './purpose';
import { fitted, oneLine } from '../../contracts/text';

const KIND: Record<string, string> = {
  textbox: 'field',
  searchbox: 'search field',
  spinbutton: 'number field',
  combobox: 'list',
  listbox: 'list',
  generic: 'part',
  radio: 'radio button',
  listitem: 'list item',
  menuitem: 'menu item',
};
const LONGEST_NAME = 60;

/** The kind of a control as a sentence calls it. */
export function kindOf({ role }: { role: string }): string {
  return KIND[role] ?? role;
}

/** Describes a control for a sentence: the button “Save”. */
export function describeItem(item: Item): string {
  const name = item.label || item.hints[0] || item.text;
  return name ? `the ${kindOf(item)} “${truncate(name)}”` : `the ${kindOf(item)} without a name`;
}

export function truncate(text: string, longest = LONGEST_NAME): string {
  return fitted(oneLine(text), longest);
}

/** The selector of an item: its ref or that of the nearest ancestor, which callers have checked. */
export function selectorOf(item: Item): string {
  return `ref=${nearestNamed(item)?.node?.ref ?? 'none'}`;
}

/** Lists the names of some items, for the end of a sentence. */
export function listNames(items: readonly Item[], most = 8): string {
  const names = [...new Set(items.map((item) => truncate(item.label || item.hints[0] || '')).filter(Boolean))];
  if (names.length === 0) return 'none';
  return names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');
}

/** Describes where an item is, to distinguish it from others of its name. */
export function describeLocation(page: Page, item: Item): { place: string; landmark: string | undefined } {
  for (const above of ancestors(item)) {
    if (
      !/^(?:row|listitem|article|region|group|form|dialog|navigation|banner|contentinfo|complementary)$/.test(
        above.role,
      )
    )
      continue;
    const own =
      above.node?.name ??
      above.children.map(({ text }) => text).find((text) => text && normal(text) !== normal(item.label));
    if (own)
      return {
        place: `in the ${above.role === 'row' ? 'row' : kindOf(above)} “${truncate(own)}”`,
        landmark: truncate(own),
      };
  }
  const heading = page.items.slice(0, item.index).findLast(({ role, label }) => role === 'heading' && label);
  if (heading) return { place: `below the heading “${truncate(heading.label)}”`, landmark: truncate(heading.label) };
  return { place: 'on the page', landmark: undefined };
}

/** Lists the page's controls of the wanted kind, those with the most similar names first. */
export function listAlternatives(page: Page, purpose: Purpose, wanted: string): string {
  const words = new Set(normal(wanted).split(' '));
  const shared = (item: Item): number =>
    normal(item.label)
      .split(' ')
      .filter((word) => words.has(word)).length;
  const usable = page.items
    .filter((item) => (item.label || item.hints[0]) && !item.isHidden && isListed(item, purpose))
    .sort((a, b) => shared(b) - shared(a) || a.index - b.index);
  if (usable.length === 0) return purpose.kinds === 'parts' ? '' : `The page has no ${purpose.kinds}.`;
  return `The page has these ${purpose.kinds}: ${listNames(usable)}.`;
}

function isListed(item: Item, purpose: Purpose): boolean {
  if (purpose.kinds === 'parts') return /^(?:heading|link|button|term|status|alert|textbox)$/.test(item.role);
  return (
    purpose.rank(item) === 0 &&
    (purpose.kinds !== 'buttons and links' || /^(?:button|link|tab|menuitem|checkbox|radio)$/.test(item.role))
  );
}
