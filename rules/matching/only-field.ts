import { ancestors, isField, type Item, type Page } from './page-index';
import { TO_SET } from './purpose';
import { isNew } from './read-answer';

/** Whether it is the only field of several lines, of the dialog where one is open. */
export function isOnlyLongField(page: Page, field: Item): boolean {
  const isLong = (item: Item): boolean => item.node?.states?.includes('multiline') === true && !item.isHidden;
  const all = page.items.filter(isLong);
  const inDialog = all.filter((item) => [...ancestors(item)].some(({ role }) => /^(?:alert)?dialog$/.test(role)));
  const [only, ...others] = inDialog.length > 0 ? inDialog : all;
  return only === field && others.length === 0;
}

/** What was opened for the step has one field. */
export const isOnlyNewField = (page: Page, field: Item): boolean =>
  isNew(field) && page.items.every((item) => item === field || !isField(item) || item.isHidden || !isNew(item));

/** Whether of all that can be set no other one is such. */
export const isOnlyOne = (page: Page, field: Item, isSuch: (item: Item) => boolean): boolean =>
  page.items.every((item) => item === field || TO_SET.rank(item) === undefined || item.isHidden || !isSuch(item));
