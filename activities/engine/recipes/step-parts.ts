import { hasCondition, MOST_REPETITIONS, type RecipeCondition } from '../../../contracts/recipes/condition';
import type { Description } from '../../../rules/language/description';
import { targetsOf, type Action, type Condition, type Intent } from '../../../rules/language/intent';
import { parseInstruction } from '../../../rules/language/parse-instruction';

/** One part of a step, in the order of its words. */
export interface StepPart {
  intent: Intent;
  /** It is done only where this is so. */
  when?: RecipeCondition;
  /** It is done where the part before it was done. */
  isJoined?: true;
  /** It is repeated until this is so. */
  until?: RecipeCondition;
  most?: number;
}

/**
 * A step by its words: `plain` where it does the same on each day; `conditional` where parts of it depend on what the page
 * shows; `unclear` where its words do not say whether they do.
 */
export type StepParts = { kind: 'plain' | 'unclear' } | { kind: 'conditional'; parts: StepPart[] };

export function stepParts(instruction: string): StepParts {
  if (!hasCondition(instruction)) return { kind: 'plain' };
  const parsed = parseInstruction(instruction);
  if (parsed.kind === 'unknown') return { kind: 'unclear' };
  const { actions } = parsed;
  if (!actions.some(isConditional)) return { kind: 'plain' };
  const parts = actions.map((action, at) => toPart(action, at, actions));
  return parts.includes(undefined) ? { kind: 'unclear' } : { kind: 'conditional', parts: parts as StepPart[] };
}

/** The search for what is not shown has an end too, but is no repetition that the words ask for. */
function isConditional({ intent, condition, conditionOf, until }: Action): boolean {
  return condition !== undefined || conditionOf !== undefined || (until !== undefined && intent.kind !== 'reveal');
}

function toPart(action: Action, at: number, actions: readonly Action[]): StepPart | undefined {
  const { intent, condition, conditionOf } = action;
  if (!isConditional(action)) return { intent };
  const until = intent.kind === 'reveal' ? undefined : action.until;
  if (conditionOf !== undefined) {
    const before = actions[at - 1];
    const isNext = before === conditionOf || before?.conditionOf === conditionOf;
    return isNext && condition === undefined && until === undefined ? { intent, isJoined: true } : undefined;
  }
  if (condition !== undefined && until !== undefined) return undefined;
  const when = condition && toCondition(intent, condition);
  const end = until && toCondition(intent, until);
  if (when !== undefined) return { intent, when };
  const isOneCommand = intent.kind === 'click' || intent.kind === 'press';
  return end !== undefined && isOneCommand ? { intent, until: end, most: action.most ?? MOST_REPETITIONS } : undefined;
}

/** Undefined for what a recipe can't hold: a state of an element, or one that is not named. */
function toCondition(intent: Intent, condition: Condition): RecipeCondition | undefined {
  if (condition.kind === 'page') {
    const { kind: _, ...expected } = condition.expected;
    return expected;
  }
  if (condition.state !== undefined) return undefined;
  const own = targetsOf(intent);
  const subject = condition.subject ?? own[0];
  const text = subject && nameOf(subject);
  if (text === undefined) return undefined;
  const isControl = own.some(({ said }) => said === subject?.said);
  return {
    text,
    ...(isControl ? { isControl: true } : {}),
    ...(condition.absent === true ? { absent: true } : {}),
  };
}

/** The name that all readings of a description have in them; undefined where its place or number counts. */
function nameOf({ readings, place, every }: Description): string | undefined {
  const sure = readings.filter(({ isGuess }) => isGuess !== true);
  if (place !== undefined || every !== undefined || sure.some(({ near, ordinal }) => near ?? ordinal)) return undefined;
  const names = sure.flatMap(({ name }) => name ?? []).sort((one, other) => one.length - other.length);
  const [shortest] = names;
  return names.length === sure.length && names.every((name) => name.includes(shortest!)) ? shortest : undefined;
}
