import { requestsIn } from '../../../../contracts/commands/evidence';
import type { Target } from '../../../../contracts/commands/planned-command';
import type { JournalEntry } from '../../../../store/journal/journal';
import { labelOf } from '../../../deeds/judgement';
import type { PressFacts } from '../../../deeds/presses';

/** Finds what clicks on a control of this role and name have sent, on the page of the same path, by their evidence. */
export function requestsOf(clicks: readonly JournalEntry[], pageUrl: string): PressFacts['sentBefore'] {
  const here = placeOf(pageUrl);
  const own = clicks.filter((entry) => entry.target !== undefined && placeOf(entry.pageUrl) === here);
  return ({ node }) =>
    own.flatMap((entry) => {
      const { role, name } = entry.target as unknown as Target;
      return role === node.role && name === labelOf(node) ? requestsIn(entry.evidence) : [];
    });
}

function placeOf(url: string): string {
  return url.split(/[?#]/)[0]!;
}
