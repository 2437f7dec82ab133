import * as acts from './element-commands';
import { groupsCounted, headingThatCounts, saysCount } from './counted-list';
import { describeItem } from './item-text';
import type { Intent } from '../language/intent';
import type { Page } from './page-index';
import { commandsOn, refused, type TargetSearch } from './resolution';

/** Counts the entries of the list or table that is meant; undefined where the page has none, or says such a count itself. */
export function resolveCount(page: Page, intent: Intent & { kind: 'expect-count' }): TargetSearch | undefined {
  if (saysCount(page, intent.noun)) return undefined;
  const groups = groupsCounted(page, intent);
  const [group] = groups;
  if (group === undefined) {
    const heading = headingThatCounts(page, intent);
    return heading && commandsOn(heading, acts.expect(heading, { text: String(intent.count) }));
  }
  if (groups.length > 1)
    return refused(
      `Several parts of the page may be counted: ${groups.map(({ item }) => describeItem(item)).join(', ')}. Say which one, for example: expect that the table "Orders" shows ${intent.count} rows.`,
    );
  const { item, role } = group;
  return commandsOn(item, acts.act('EXPECT', item, { roles: [role], count: intent.count }, 'count the entries of'));
}
