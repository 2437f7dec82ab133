import { stemsIn } from '../language/words';
import type { Item } from './page-index';

/** What a price looks like. */
export const PRICE =
  /^(?:[$€£¥]|(?:USD|EUR|GBP|CHF)\b)\s?\d[\d.,' ]*$|^\d[\d.,' ]*\s?(?:[$€£¥]|(?:USD|EUR|GBP|CHF)\b)$/i;

/** What values of a form may be called that have no label. */
const FORMS: readonly (readonly [form: RegExp, names: string])[] = [
  [PRICE, 'price amount cost'],
  [/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'email address'],
  [/^(?:\+|0)\d(?:[\s()/-]*\d){4,}$/, 'phone number'],
  [/^\d{4}-\d\d-\d\d$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/, 'date'],
];

export function namesByForm({ text, children }: Item): string[] {
  const shown = text.trim();
  return children.length > 1 ? [] : FORMS.flatMap(([form, names]) => (form.test(shown) ? stemsIn(names) : []));
}
