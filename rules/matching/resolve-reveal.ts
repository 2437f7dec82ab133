import type { Description } from '../language/description';
import type { Reveal } from '../language/intent';
import * as acts from './element-commands';
import { find } from './find';
import { type Item, type Page } from './page-index';
import { TO_CLICK } from './purpose';
import { alreadySo, commandsOn, refused, several, type TargetSearch } from './resolution';

/** Resolves one round of a search for what is not shown yet: it opens the next thing that may hold it. */
export function resolveReveal(page: Page, { through, place, passed = [] }: Reveal): TargetSearch {
  if (through === 'anything') return revealAnything(page, passed);
  if (through === 'more') return revealMore(page, place, passed);
  const openers = page.items.filter(
    (item) => isUsable(item) && (item.role === 'tab' || (through === 'sections' && isToggle(item))),
  );
  const opener = openers.find((item) => !passed.includes(openerKey(page, item)));
  if (opener) return commandsOn(opener, acts.click(opener));
  return refused(`I went through all ${openers.length} ${through} of the page and did not find what the step needs.`);
}

/** Identifies what was opened in later snapshots of the page, also where several have the same name. */
export function openerKey(page: Page, item: Item): string {
  const alike = page.items.filter(({ role, label }) => role === item.role && label === item.label);
  return `${item.role} ${item.label.slice(0, 120)} ${alike.indexOf(item)}`;
}

/** What is collapsed goes first, then submenus, tabs, and the next page. Where nothing is left, nothing is done. */
function revealAnything(page: Page, passed: readonly string[]): TargetSearch {
  const fresh = page.items.filter((item) => isUsable(item) && !passed.includes(openerKey(page, item)));
  const closed = fresh.find((item) => item.node?.expanded === false && isToggle(item));
  if (closed) return commandsOn(closed, acts.click(closed));
  const submenu = fresh.find(({ role, node }) => role === 'menuitem' && node?.states?.includes('popup') === true);
  if (submenu) return commandsOn(submenu, acts.act('HOVER', submenu, {}, 'put the pointer on'));
  const tab = fresh.find(({ role, node }) => role === 'tab' && node?.selected !== true);
  if (tab) return commandsOn(tab, acts.click(tab));
  const next = page.items.find((item) => isUsable(item) && isNextPage(item));
  return next ? commandsOn(next, acts.click(next)) : alreadySo();
}

export function isNextPage({ role, label }: Item): boolean {
  return (
    /^(?:link|button)$/.test(role) &&
    /^(?:next(?: page)?|older(?: posts)?)?\s*[>›»→▶►]?$/i.test(label.trim()) &&
    label.trim() !== ''
  );
}

const MORE = ['more', 'more options', 'more actions', '…', '...', '⋯', '⋮', 'options', 'actions'];

/** Opens the More menu of the place, once. Where several places fit, it is asked which. */
function revealMore(page: Page, place: Reveal['place'], passed: readonly string[]): TargetSearch {
  if (place === undefined || passed.length > 0) return alreadySo();
  const readings = MORE.map((name) => ({ name, isExact: true as const }));
  const menu: Description = { said: 'more', isQuoted: false, readings, place };
  const found = find(page, menu, TO_CLICK);
  if (found.kind === 'several') return several(menu, found.items);
  return found.kind === 'one' ? commandsOn(found.item, acts.click(found.item)) : alreadySo();
}

/** A list that opens shows options, and a field suggestions: no parts of the page. */
const LISTS_THAT_OPEN = /^(?:combobox|textbox|searchbox)$/;

function isToggle({ role, node }: Item): boolean {
  return node?.expanded !== undefined && !LISTS_THAT_OPEN.test(role);
}

function isUsable(item: Item): boolean {
  return TO_CLICK.rank(item) !== undefined && !item.isHidden && item.node?.disabled !== true;
}
