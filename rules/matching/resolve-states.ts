import * as acts from './element-commands';
import type { Description } from '../language/description';
import { find, findEvery } from './find';
import type { Intent } from '../language/intent';
import { ancestors, itemsInside, type Item, type Page } from './page-index';
import { TO_CHECK, TO_CHOOSE_FROM, TO_CLICK, TO_SEE, type Purpose } from './purpose';
import { absent, alreadySo, commandsOn, several, severalFor, type TargetSearch } from './resolution';

/** Resolves "check X", also for several boxes: "check A, B and C", "check both boxes". */
export function resolveChecks(page: Page, { target, parts, checked }: Intent & { kind: 'check' }): TargetSearch {
  if (target.every !== undefined) {
    const boxes = findEvery(page, target, TO_CHECK);
    return boxes?.[0]
      ? commandsOn(boxes[0], ...boxes.map((box) => acts.check(box, checked)))
      : absent(target, TO_CHECK);
  }
  const whole = checkOne(page, target, checked);
  if (whole.kind !== 'absent' || parts === undefined) return whole;
  return together(parts.map((part) => checkOne(page, part, checked)));
}

function checkOne(page: Page, target: Description, checked: boolean): TargetSearch {
  const found = find(page, target, TO_CHECK);
  if (found.kind === 'several') return several(target, found.items);
  if (found.kind === 'one') return commandsOn(found.item, acts.check(found.item, checked));
  const box = boxInside(page, target);
  return box ? commandsOn(box, acts.check(box, checked)) : absent(target, TO_CHECK);
}

/** The only box of a row or an entry that has the name. */
export function boxInside(page: Page, target: Description): Item | undefined {
  const found = find(page, target, TO_SEE);
  if (found.kind !== 'one') return undefined;
  for (let around: Item | undefined = found.item; around; around = around.parent) {
    const boxes = itemsInside(page, around).filter((item) => isFree(item, TO_CHECK));
    if (boxes.length > 0)
      return boxes.length === 1 && /^(?:row|listitem|option|treeitem|generic|label)$/.test(around.role)
        ? boxes[0]
        : undefined;
    if (/^(?:row|listitem|list|table|main|form|region)$/.test(around.role)) return undefined;
  }
  return undefined;
}

/** All of several actions, or why one of them can't be done. */
export function together(resolutions: readonly TargetSearch[]): TargetSearch {
  const failed = resolutions.find(({ kind }) => kind !== 'commands');
  if (failed) return failed;
  const done = resolutions.flatMap((each) => (each.kind === 'commands' ? [each] : []));
  const target = done.find((each) => each.target)?.target;
  return { kind: 'commands', commands: done.flatMap(({ commands }) => commands), ...(target && { target }) };
}

/** Resolves "select nothing": what is chosen already is given up. */
export function resolveNothing(page: Page, { target }: Intent & { kind: 'choose-nothing' }): TargetSearch {
  const group = target && find(page, target, TO_CHOOSE_FROM);
  if (target && group?.kind === 'none') return absent(target, TO_CHOOSE_FROM);
  if (target && group?.kind === 'several') return several(target, group.items);
  const within = group?.kind === 'one' ? itemsInside(page, group.item) : page.items;
  const boxes = within.filter(
    (item) => isFree(item, TO_CHECK) && item.role === 'checkbox' && item.node?.checked === true,
  );
  if (boxes[0]) return commandsOn(boxes[0], ...boxes.map((box) => acts.check(box, false)));
  const lists = within.filter(
    ({ role, children }) => role === 'listbox' && children.some(({ node }) => node?.selected === true),
  );
  if (lists.length > 1) return severalFor('nothing', lists);
  return lists[0]
    ? commandsOn(lists[0], acts.act('SELECT_OPTION', lists[0], { options: [] }, 'choose nothing in'))
    : alreadySo();
}

/** Resolves "expand X": a click, unless it is expanded. Without a name it is the only one that can be expanded. */
export function resolveExpansion(page: Page, { target, expanded }: Intent & { kind: 'expand' }): TargetSearch {
  const isNamed = target.readings.some(({ name }) => name !== undefined);
  const toggles = page.items.filter(
    (item) =>
      isFree(item, TO_CLICK) &&
      (item.node?.expanded === !expanded ||
        (expanded &&
          item.role === 'tab' &&
          item.node?.name !== undefined &&
          item.node.expanded !== true &&
          item.node.selected !== true)) &&
      !LISTS_THAT_OPEN.test(item.role),
  );
  if (!isNamed) {
    const stated = toggles.filter((toggle) => !isOnlyAround(page, toggle));
    const own =
      stated.length > 0 || !expanded ? stated : page.items.filter((item) => isFree(item, TO_CLICK) && isOpenSign(item));
    const [only] = own;
    if (only === undefined) return absent(target, TO_CLICK);
    return own.length === 1 ? commandsOn(only, acts.click(only)) : several(target, own);
  }
  const found = find(page, target, TO_CLICK);
  if (found.kind === 'none') return absent(target, TO_CLICK);
  if (found.kind === 'several') {
    const fitting = found.items.filter((item) => toggles.includes(item));
    return fitting[0] && fitting.length === 1
      ? commandsOn(fitting[0], acts.click(fitting[0]))
      : several(target, found.items);
  }
  const opened = expandableOf(found.item);
  return opened.node?.expanded === expanded
    ? alreadySo()
    : commandsOn(opened, acts.click(expanderIn(page, opened) ?? found.item));
}

const ENTRIES = /^(?:treeitem|row|listitem|option)$/;

/** What says of an item whether it is expanded: itself, or the entry whose name or text it is. */
export function expandableOf(item: Item): Item {
  if (item.node?.expanded !== undefined) return item;
  const entry = [...ancestors(item)].find(({ role }) => ENTRIES.test(role));
  return entry?.node?.expanded === undefined ? item : entry;
}

/** The control of a tree's entry that expands it: a click on its name may choose it instead. */
function expanderIn(page: Page, entry: Item): Item | undefined {
  if (!ENTRIES.test(entry.role)) return undefined;
  const own = itemsInside(page, entry).filter(
    (item) => item !== entry && [...ancestors(item)].find(({ role }) => ENTRIES.test(role)) === entry,
  );
  const isExpander = ({ label }: Item): boolean => EXPANDER.test(label) || !/[\p{L}\p{N}]/u.test(label);
  return own.find((item) => isFree(item, TO_CLICK) && isExpander(item));
}

const EXPANDER = /\b(?:caret|chevron|arrow|expand(?:er)?|collapse|toggle|unfold|switcher|disclosure|triangle)\b/i;

/** A sign that people take for one that opens something, where nothing says that it is collapsed. */
const isOpenSign = ({ label, text }: Item): boolean =>
  [label, text].some((sign) => /^[+＋▸▹►▶▾▼☰⋮⋯]$/u.test(sign.trim()));

/** Whether a toggle says nothing but what a button in it says. */
function isOnlyAround(page: Page, toggle: Item): boolean {
  return itemsInside(page, toggle).some(({ role, text }) => role === 'button' && text === toggle.text);
}

const LISTS_THAT_OPEN = /^(?:combobox|textbox|searchbox)$/;

function isFree(item: Item, purpose: Purpose): boolean {
  return purpose.rank(item) !== undefined && !item.isHidden && item.node?.disabled !== true;
}
