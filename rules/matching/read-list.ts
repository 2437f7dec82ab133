import type { Word } from '../language/words';
import * as acts from './element-commands';
import { surroundingsOf } from './entry';
import type { Item, Page } from './page-index';
import { CLOSED_LIST, TO_CLICK } from './purpose';
import { CLOSED, IN_PART, isAmong, MOST_IN_MENU, OPENER, type Opened } from './read-way';
import type { TargetSearch } from './resolution';

/** A row or a card is no list. */
const LONGEST_NAME = 40;
const CHOOSES = /^(?:choose|select|pick|set|change|assign|take|put)\b/i;

/** The list that the words name, or the only one: what is chosen is seen once it is open. */
export function listFor(page: Page, words: readonly Word[], text: string, opened: Opened): TargetSearch | undefined {
  if (!CHOOSES.test(text) || [...opened.used].some((key) => key.startsWith(OPENER))) return undefined;
  const closed = page.items.filter(
    (item) =>
      TO_CLICK.rank(item) !== undefined &&
      !item.isHidden &&
      item.node?.disabled !== true &&
      /^(?:button|combobox|generic)$/.test(item.role) &&
      !item.children.some(({ role }) => role === 'option') &&
      item.label.length <= LONGEST_NAME &&
      ([item.label, ...item.hints].some((name) => CLOSED_LIST.test(name.trim())) ||
        item.node?.states?.includes('popup=listbox') === true),
  );
  const named = closed.map((item) => {
    const { own, entry, section } = surroundingsOf(page, item);
    const [isOwn, isNear] = [
      words.filter((word) => isAmong(word, [...own])),
      words.filter((word) => isAmong(word, [...entry, ...section])),
    ];
    return { item, isOwn, used: [...new Set([...isOwn, ...isNear])] };
  });
  const meant = named.filter(({ isOwn, used }) => {
    const rest = words.filter((word) => !used.includes(word));
    const isValue =
      rest.length === 1 || (rest.length <= MOST_IN_MENU && rest.every(({ isQuoted }) => isQuoted !== true));
    return (
      rest.length > 0 &&
      isValue &&
      (isOwn.length > 0 || (closed.length === 1 && /^(?:choose|select|pick)\b/i.test(text)))
    );
  });
  const most = Math.max(...meant.map(({ used }) => used.length));
  const [list, ...others] = meant.filter(({ used }) => used.length === most);
  if (list === undefined || others.length > 0) return undefined;
  const opens = [IN_PART, OPENER + list.item.label, ...list.used.map(({ stem }) => stem)];
  return { kind: 'commands', commands: [acts.click(list.item)], target: list.item, opens };
}

export const isOpenerOf = ({ label }: Item, { used }: Opened): boolean => used.has(OPENER + label);

/** Closes a list that does not have what is to be chosen. */
export function closeList(page: Page, opened: Opened): TargetSearch | undefined {
  const list = opened.isClosed ? undefined : page.items.find((item) => isOpenerOf(item, opened) && !item.isHidden);
  return list && { kind: 'commands', commands: [acts.click(list)], target: list, opens: [CLOSED] };
}
