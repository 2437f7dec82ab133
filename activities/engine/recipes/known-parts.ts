import { canonicalJson } from '../../../contracts/json';
import type { RecipeRound } from '../../../contracts/recipes/recipe';

/** Rounds with what an earlier version of the recipe knows of the parts that had not to be done this time. */
export function withKnownParts(rounds: readonly RecipeRound[], known: readonly RecipeRound[]): RecipeRound[] {
  const groups = groupsOf(rounds);
  const before = groupsOf(known);
  if (groups.length !== before.length) return [...rounds];
  return groups.flatMap((group, at) => {
    const [own] = group;
    const [other] = before[at]!;
    const isSame = own!.page === other!.page && conditionJson(own!) === conditionJson(other!);
    return isSame && own!.commands.length === 0 && other!.commands.length > 0 ? before[at]! : group;
  });
}

/** Whether rounds are those of an earlier version, but for parts of which that one knew nothing. */
export function addsUnknownParts(rounds: readonly RecipeRound[], known: readonly RecipeRound[]): boolean {
  const groups = groupsOf(rounds);
  const before = groupsOf(known);
  return (
    groups.length === before.length &&
    groups.every((group, at) => {
      const [own] = group;
      const [other] = before[at]!;
      const wasUnknown = other!.commands.length === 0 && conditionJson(own!) === conditionJson(other!);
      return wasUnknown || canonicalJson(group) === canonicalJson(before[at]!);
    })
  );
}

/** The parts that depend on the page, with what goes with them; plain rounds between two of them are one group. */
function groupsOf(rounds: readonly RecipeRound[]): RecipeRound[][] {
  const groups: RecipeRound[][] = [];
  for (const round of rounds) {
    const last = groups.at(-1);
    const isPlain = round.when === undefined && round.until === undefined;
    const goesOn = isPlain && last !== undefined && (round.isJoined === true || isPlainGroup(last));
    if (goesOn) last.push(round);
    else groups.push([round]);
  }
  return groups;
}

function isPlainGroup([first]: readonly RecipeRound[]): boolean {
  return first!.when === undefined && first!.until === undefined;
}

function conditionJson({ when, until }: RecipeRound): string {
  return canonicalJson({ when: when ?? null, until: until ?? null });
}
