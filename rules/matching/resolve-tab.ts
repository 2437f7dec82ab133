import type { Intent } from '../language/intent';
import * as acts from './element-commands';
import { find } from './find';
import { normal } from './name-match';
import type { Item, Page } from './page-index';
import { TO_CLICK } from './purpose';
import { commandsOn, commandsOnly, type TargetSearch } from './resolution';

/** Also a link or a button that has just that name. */
const isTabOfPage = ({ role, label }: Item, name: string): boolean =>
  role === 'tab' || (/^(?:link|button)$/.test(role) && normal(label) === normal(name));

/** Prefers a tab inside the page to a tab of the browser. */
export function resolveTab(intent: Intent & { kind: 'tab' }, page: Page): TargetSearch {
  const found = intent.orClick && find(page, intent.orClick, TO_CLICK);
  if (found?.kind === 'one' && isTabOfPage(found.item, intent.tab))
    return commandsOn(found.item, acts.click(found.item));
  return commandsOnly({ action: 'SWITCH_TAB', parameters: { tab: intent.tab } });
}
