import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { Target } from '../../../contracts/commands/planned-command';
import type { RecipeTarget } from '../../../contracts/recipes/recipe';
import { durableTarget } from '../../../rules/page-text/durable-target';
import { marksOf, markPlaces, type MarkedPlace } from './marks';

/** Where the element of a recipe is on a page; `healed`: found by its other marks, or at another place among its equals. */
export type FoundTarget =
  | { kind: 'found' | 'healed'; ref: string; place: MarkedPlace; target: Target }
  | { kind: 'unsure'; why: string; isAbsent: boolean };

interface Candidate {
  ref: string;
  place: MarkedPlace;
  target: Target;
  marks: RecipeTarget;
}

/**
 * Finds the element of a recipe on a page, where it is certain: as many elements have its role and name as then, and it is the
 * only one that stands in the same row under the same label; or it is the only one with its stable attributes.
 */
export function findRecipeTarget(snapshot: PageSnapshot, wanted: RecipeTarget): FoundTarget {
  const candidates = candidatesOf(snapshot, wanted);
  const equals = candidates.filter(({ target }) => target.selector === wanted.selector);
  if (equals.length > 0 && equals.every(({ target }) => target.of === wanted.of)) return amongEquals(equals, wanted);
  return byAttributes(candidates, equals, wanted);
}

function amongEquals(equals: readonly Candidate[], wanted: RecipeTarget): FoundTarget {
  const alike = equals.filter(({ marks }) => hasSamePlace(marks, wanted));
  const [only] = alike;
  const elsewhere = only && leadsElsewhere(only.marks, wanted);
  if (elsewhere !== undefined) return elsewhere;
  if (only !== undefined && alike.length === 1) {
    const isMoved = only.target.nth !== wanted.nth;
    return { ...only, kind: isMoved ? 'healed' : 'found' };
  }
  const what = nameOf(wanted);
  const why =
    only === undefined
      ? `what stands around the ${what} reads differently`
      : `nothing distinguishes ${alike.length} of the ${what}`;
  return { kind: 'unsure', why, isAbsent: false };
}

/** Row, landmarks and label say which of equal elements it is; a single element may have another label before it. */
function hasSamePlace(marks: RecipeTarget, wanted: RecipeTarget): boolean {
  if (marks.item !== wanted.item || !isAround(marks, wanted) || isAnother(marks, wanted)) return false;
  return wanted.of === 1 && wanted.name !== '' ? true : marks.label === wanted.label;
}

/** Whether it stands in the same landmarks, forms and groups. */
function isAround({ around }: RecipeTarget, wanted: RecipeTarget): boolean {
  return JSON.stringify(around) === JSON.stringify(wanted.around);
}

/** One that only took the name has other attributes. */
function isAnother(marks: RecipeTarget, wanted: RecipeTarget): boolean {
  return Object.entries(wanted.attributes).some(
    ([name, value]) => STABLE.has(name) && (marks.attributes[name] ?? value) !== value,
  );
}

/**
 * Whether a click would follow another link, or send another form, than it did: a page that reads the same may do something
 * else. A page that is slow may not have said yet where a button sends its form.
 */
function leadsElsewhere(marks: RecipeTarget, wanted: RecipeTarget): FoundTarget | undefined {
  for (const attribute of DESTINATIONS) {
    const [before, now] = [wanted.attributes[attribute], marks.attributes[attribute]];
    if (before === undefined || before === now) continue;
    const why = `the ${nameOf(wanted)} leads to ${now ?? 'an unknown place'} in place of ${before}`;
    return { kind: 'unsure', why, isAbsent: now === undefined };
  }
  return undefined;
}

/** By attributes that outlive a new name, or distinguish it from its doubles. */
function byAttributes(
  candidates: readonly Candidate[],
  equals: readonly Candidate[],
  wanted: RecipeTarget,
): FoundTarget {
  const what = nameOf(wanted);
  const isThere = equals.length > 0;
  const counted = `there are ${equals[0]?.target.of ?? 0} of the ${what} in place of ${wanted.of}`;
  const why = isThere ? counted : `there is no ${what}`;
  const stable = Object.entries(wanted.attributes).filter(([name]) => STABLE.has(name));
  if (stable.length === 0) return { kind: 'unsure', why, isAbsent: !isThere };
  const alike = candidates.filter(({ marks }) => stable.every(([name, value]) => marks.attributes[name] === value));
  const [only] = alike;
  const elsewhere = only && leadsElsewhere(only.marks, wanted);
  if (elsewhere !== undefined) return elsewhere;
  const isSame = only !== undefined && alike.length === 1 && only.marks.item === wanted.item;
  // Of several with the old name it is one of them; under a new name it stands where it stood.
  if (isSame && (isThere ? equals.includes(only) : isAround(only.marks, wanted))) return { ...only, kind: 'healed' };
  return { kind: 'unsure', why, isAbsent: !isThere };
}

/** Attributes that identify an element, as opposed to those that describe it. */
const STABLE: ReadonlySet<string> = new Set(['data-testid', 'data-test', 'id', 'name']);

/** Attributes that say where a click leads. */
const DESTINATIONS = ['href', 'submits'] as const;

function candidatesOf(snapshot: PageSnapshot, wanted: RecipeTarget): Candidate[] {
  return markPlaces(snapshot).flatMap((place) => {
    const { ref, role } = place.node;
    if (ref === undefined || role !== wanted.role) return [];
    const target = durableTarget(snapshot, ref);
    return target === undefined ? [] : [{ ref, place, target, marks: marksOf(snapshot, place, target) }];
  });
}

function nameOf({ role, name, label }: RecipeTarget): string {
  return `${role} “${name === '' ? (label ?? '') : name}”`;
}
