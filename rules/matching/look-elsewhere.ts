import { isVerb, wordsOf } from '../language/words';
import * as acts from './element-commands';
import { normal } from './name-match';
import type { Item, Page } from './page-index';
import { asOnPage, vocabularyOf } from './page-words';
import { TO_CLICK } from './purpose';
import { CLOSED, LOOKED, type Opened } from './read-way';
import type { TargetSearch } from './resolution';
import { FREE_KINDS } from './word-regions';

/** The next tab to look into for what is not on this one; after all of them the first again, and then none. */
export function tabToLook(page: Page, text: string, { looked, isMenu }: Opened): TargetSearch | undefined {
  // What asks for nothing is looked for nowhere.
  const [first = ''] = /^\p{L}+/u.exec(text) ?? [];
  if (/^\p{Lu}/u.test(first) && !isVerb(first.toLowerCase()) && !/[:"“]/.test(text)) return undefined;
  const { stems } = vocabularyOf(page);
  const words = asOnPage(page, wordsOf(text), false).filter(
    ({ stem, verb }) => verb === undefined && !FREE_KINDS.test(stem),
  );
  if (looked.length === 0 && (OF_WHAT_IS_OPEN.test(text) || page.items.some(isLostByLooking))) return undefined;
  if (looked.length === 0 && !words.some((word) => [word.stem, ...(word.also ?? [])].some((stem) => stems.has(stem))))
    return undefined;
  const { tabs, current } = tabsOf(page, looked.at(-1));
  const isHome = looked.length > 1 && looked.at(-1) === looked[0];
  if (isMenu || isHome || tabs.length < 2 || tabs.length > MOST_TABS || current === undefined) return undefined;
  const seen = looked.length === 0 ? [current.label] : looked;
  const next = tabs.find(({ label }) => !seen.includes(label)) ?? tabs.find(({ label }) => label === seen[0]);
  if (next === undefined || next === current) return undefined;
  const keys = looked.length === 0 ? [LOOKED + current.label, LOOKED + next.label] : [LOOKED + next.label];
  return { kind: 'commands', commands: [acts.click(next)], target: next, opens: [keys.join('\n')] };
}
const MOST_TABS = 8;

/** Leaves a tab that was opened in vain for the one that was open first. */
export function backToTab(page: Page, { looked }: Opened): TargetSearch | undefined {
  const { tabs, current } = tabsOf(page, looked.at(-1));
  const home = tabs.find(({ label }) => label === looked[0]);
  if (home === undefined || home === current || looked.at(-1) === looked[0]) return undefined;
  return {
    kind: 'commands',
    commands: [acts.click(home)],
    target: home,
    opens: [[LOOKED + home.label, CLOSED].join('\n')],
  };
}

/** The tabs of a page, or the parts of its own making that work like tabs: of their names one stands as a heading. */
function tabsOf(page: Page, last: string | undefined): { tabs: Item[]; current: Item | undefined } {
  const usable = page.items.filter(
    (item) => !item.isHidden && item.node?.disabled !== true && TO_CLICK.rank(item) !== undefined,
  );
  const tabs = usable.filter(({ role }) => role === 'tab');
  if (tabs.length > 0) return { tabs, current: tabs.find(({ node }) => node?.selected === true) };
  const parts = Map.groupBy(usable.filter(isPart), ({ parent }) => parent);
  const headings = page.items.filter(({ role, isHidden }) => role === 'heading' && !isHidden);
  const named = [...parts].flatMap(([parent, group]) => {
    const isAll = parent?.children.every((child) => group.includes(child)) === true;
    const isShown = ({ label }: Item): boolean => headings.some(({ text }) => normal(text) === normal(label));
    // The one that was opened last may have no heading of its name.
    const current = last === undefined ? group.find(isShown) : group.find(({ label }) => label === last);
    return isAll && group.length > 2 && current !== undefined ? [{ tabs: group, current }] : [];
  });
  return named.length === 1 ? named[0]! : { tabs: [], current: undefined };
}

/** Leads to nothing but another part of the page: neither a deed nor another address. */
const isPart = ({ role, label, node }: Item): boolean =>
  /^(?:generic|button|link)$/.test(role) &&
  (node?.url === undefined || /#/.test(node.url)) &&
  label !== '' &&
  label.length <= 30 &&
  !isVerb(/^\p{L}*/u.exec(label)![0].toLowerCase());

/** What is open is on the tab that is open. */
const OF_WHAT_IS_OPEN = /\b(?:opened|open|current|selected|its?|his|hers?|their|them|this|that)\b/i;

/** A part that is opened, a dialog, or a later page of a list would not be as it was, when the tab is opened again. */
function isLostByLooking({ role, label, node, isHidden }: Item): boolean {
  if (isHidden || node?.disabled === true) return false;
  if (/^(?:page )?(?:[2-9]|\d{2,})$/i.test(label.trim()) && node?.states?.includes('current') === true) return true;
  if (/^(?:alert)?dialog$/.test(role)) return true;
  if (node?.expanded === true && !/^(?:combobox|textbox|searchbox|tab)$/.test(role)) return true;
  return (
    /^(?:link|button)$/.test(role) &&
    /^(?:(?:prev|previous)(?: page)?|newer(?: posts)?)?\s*[<‹«←◀◄]?$/i.test(label.trim()) &&
    label.trim() !== ''
  );
}
