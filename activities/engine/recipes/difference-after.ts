import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { CommandEvidence } from '../../../contracts/commands/evidence';
import { conditionText } from '../../../contracts/recipes/condition';
import { ANY_PAGE, isPage, toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import { differenceOf, type Difference } from './check-effect';
import { conditionNow } from './plan-part';
import type { RoundPlace } from './plan-round';
import type { Values } from './spelling';

interface Seen {
  evidence: readonly (CommandEvidence | undefined)[];
  values: Values;
  /** The page reads otherwise than before the commands. */
  hasChanged: boolean;
}

/** Compares a page with what had to follow a round; `again` where a repetition has not reached its end. */
export function differenceAfter(
  snapshot: PageSnapshot,
  place: RoundPlace,
  round: RecipeRound,
  { evidence, values, hasChanged }: Seen,
): Difference | 'again' | undefined {
  const { after, when, until, page } = round;
  if (until === undefined) {
    const difference = differenceOf(after, snapshot, evidence, values);
    if (difference !== undefined || when === undefined || after.isOver !== true) return difference;
    const isStill = conditionNow(snapshot, place, round, when, values) !== 'no';
    return isStill ? { why: `${conditionText(when)} still` } : undefined;
  }
  const refused = differenceOf({ ...after, page: ANY_PAGE }, snapshot, evidence, values);
  if (refused !== undefined) return refused;
  const shown = conditionNow(snapshot, place, round, until, values);
  if (shown === 'unclear') return { why: `whether ${conditionText(until)} can't be said for certain` };
  const wanted = shown === 'yes' ? after.page : page;
  const led = toPagePattern(snapshot.url, values);
  if (!isPage(wanted, led)) return { why: `it led to ${led} in place of ${wanted}` };
  if (shown === 'yes') return undefined;
  if (hasChanged) return 'again';
  return { why: 'it has changed nothing on the page', ...(until.absent === true ? {} : { text: until.text }) };
}
