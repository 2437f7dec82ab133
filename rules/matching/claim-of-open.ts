import { stemsIn } from '../language/words';
import { itemsInside, type Item, type Page } from './page-index';
import { alreadySo, type TargetSearch } from './resolution';

const OPEN =
  /^(?:(?:please|then|and)\s+)*(?:(?:verify|check|assert|ensure|confirm|expect|see|make\s+sure)\s+)?(?:that\s+)?(?:the\s+|an?\s+)?["“]?(\S.*?)["”]?(?:\s+(?:dialog|window|form|tab|panel|page|view|section|box|pop-?up))?\s+(?:is|are)\s+(?:now\s+|already\s+|currently\s+)?(?:open|opened)$/i;
const KINDS = /^(?:dialog|window|form|tab|panel|page|view|section|detail|box)$/;

/**
 * “Given the New order form is open”: a part of the page that is open has just this name, or a heading of it. Undefined where
 * none has.
 */
export function claimOfOpen(page: Page, text: string): TargetSearch | undefined {
  const [, name = ''] = OPEN.exec(text.trim()) ?? [];
  const said = stemsIn(name).filter((stem) => !KINDS.test(stem));
  if (said.length === 0) return undefined;
  const isNamed = (label: string): boolean => {
    const stems = stemsIn(label).filter((stem) => !KINDS.test(stem));
    return stems.length > 0 && said.every((stem) => stems.includes(stem)) && stems.every((stem) => said.includes(stem));
  };
  // “the store”: what the page itself is called.
  const isPage = said.every((stem) => stemsIn(page.title).includes(stem));
  const open = page.items.filter((item) => isOpen(page, item));
  const isSo = open.some((item) => isNamed(item.label) || titlesOf(page, item).some(isNamed));
  // “the schedule dialog” is the only one, “Schedule Spring news”.
  const [dialog, ...others] = open.filter(({ role }) => role.endsWith('dialog'));
  const isOnly =
    dialog !== undefined &&
    others.length === 0 &&
    [dialog.label, ...titlesOf(page, dialog)].some((title) => said.every((stem) => stemsIn(title).includes(stem)));
  return isSo || isOnly || isPage ? alreadySo() : undefined;
}

/** What a heading names is open as well, unless it opens it. */
function isOpen({ items }: Page, item: Item): boolean {
  const { role, node, isHidden } = item;
  if (isHidden) return false;
  if (role === 'tab') return node?.selected === true;
  if (/^(?:alert)?dialog$|^tabpanel$|^form$/.test(role)) return true;
  if (role === 'region')
    return items.slice(item.index + 1, item.last + 1).some(({ role: inner }) => inner !== 'heading');
  return role === 'heading' && node?.cursor !== 'pointer' && node?.expanded !== false;
}

const titlesOf = (page: Page, item: Item): string[] =>
  /dialog$|^form$/.test(item.role)
    ? itemsInside(page, item).flatMap(({ role, text }) => (role === 'heading' ? [text] : []))
    : [];
