import type { Action } from '../language/intent';
import { stemsIn, wordsOf } from '../language/words';
import type { Item, Page } from '../matching/page-index';
import { ENTRY_KINDS, FREE_KINDS } from '../matching/word-regions';

/** What sentence paraphrases put in place of “Given” before something without a verb. */
const ASSUMES = /^assume\s+/;
const KINDS = /^(?:list|table|page|view|tab|sheet|screen|panel|form|overview|section|dialog|window|of|the)$/;

/**
 * Whether a step begins with what is given, “Given the list of orders”, and the page says that it is there: by its title, a
 * heading, the tab that is open, or the name of a table, a list or a dialog. Nothing is done for it.
 */
export function isGivenHere(page: Page, { core = '' }: Action): boolean {
  if (!ASSUMES.test(core)) return false;
  const naming = wordsOf(core.replace(ASSUMES, '')).filter(
    ({ stem }) => !KINDS.test(stem) && !FREE_KINDS.test(stem) && !ENTRY_KINDS.test(stem),
  );
  const shown = new Set([page.title, ...page.items.filter(saysWhereOneIs).map(({ label }) => label)].flatMap(stemsIn));
  return naming.length > 0 && naming.every(({ said }) => stemsIn(said).every((stem) => shown.has(stem)));
}

const saysWhereOneIs = ({ role, node, isHidden }: Item): boolean =>
  !isHidden &&
  (/^(?:heading|table|grid|list|region|dialog|form|caption)$/.test(role) ||
    node?.selected === true ||
    node?.states?.includes('current') === true);
