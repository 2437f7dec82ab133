import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { conditionText, type RecipeCondition } from '../../../contracts/recipes/condition';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import type { Shown } from '../../../contracts/recipes/sighting';
import { isShown } from './is-shown';
import { planRound, type PlannedRound, type RoundPlace } from './plan-round';
import type { Values } from './spelling';

/** What is done about a round on a page as it is now. */
export type PlannedPart =
  | { kind: 'do'; plan: PlannedRound }
  /** The page does not show what it is for, or shows what it is to lead to: nothing has to be done. */
  | { kind: 'skip' }
  /** Its condition may be so in a moment, when this text has come. */
  | { kind: 'wait'; text: string }
  | { kind: 'unclear'; why: string; plan: PlannedRound };

/** Plans a round for a page: what depends on the page is decided by the page as it is now, not by what was done once. */
export function planPart(
  snapshot: PageSnapshot,
  place: RoundPlace,
  round: RecipeRound,
  { values, mayWait }: { values: Values; mayWait: boolean },
): PlannedPart {
  const plan = planRound(snapshot, place, round);
  const { when, until, commands } = round;
  const condition = when ?? until;
  if (condition === undefined) return toPart(plan);
  const shown = conditionNow(snapshot, place, round, condition, values);
  if (shown === 'unclear') return unclear(plan, `whether ${conditionText(condition)} can't be said for certain`);
  const { text, absent } = condition;
  const isThere = (shown === 'yes') === (absent === undefined);
  // What is not there may come yet, and decide otherwise. The end of a repetition comes by the repetition.
  const mayCome = when !== undefined || (absent !== undefined && commands.length > 0);
  if (!isThere && mayCome && mayWait && text !== undefined) return { kind: 'wait', text };
  if ((shown === 'yes') === (until !== undefined)) return { kind: 'skip' };
  if (commands.length === 0) return unclear(plan, 'nobody has shown it yet what to do then');
  return toPart(plan);
}

/** Whether the condition of a round is so. A control that it is about is the one that the round was learnt with, if any. */
export function conditionNow(
  snapshot: PageSnapshot,
  place: RoundPlace,
  { commands }: RecipeRound,
  condition: RecipeCondition,
  values: Values,
): Shown {
  const [first] = commands;
  const isKnown = condition.isControl === true && first?.target !== undefined;
  return isKnown
    ? isShown(condition, snapshot, values, planRound(snapshot, place, { commands: [first] }))
    : isShown(condition, snapshot, values);
}

function unclear(plan: PlannedRound, why: string): PlannedPart {
  return { kind: 'unclear', why, plan };
}

function toPart(plan: PlannedRound): PlannedPart {
  return plan.why === undefined ? { kind: 'do', plan } : unclear(plan, plan.why);
}
