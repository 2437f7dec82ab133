import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import { hasCondition } from '../../../contracts/recipes/condition';
import { ANY_PAGE, toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { RecipeCommand, RecipeRound } from '../../../contracts/recipes/recipe';
import type { RecipeFile } from '../../../contracts/recipes/recipe-file';
import type { RecordedCommand, RecordedStep } from './recording';
import { NotTaken } from './refusal';

const EMPTY_PAGE = 'about:blank';

/**
 * The steps of a recording as recipes. A recording says what was done, not what followed: of a page it knows the address
 * where it opens it or expects it, and after a click none.
 */
export function toRecipes(
  steps: readonly RecordedStep[],
  variables: readonly string[],
  from: string,
): RecipeFile['recipes'] {
  let page = EMPTY_PAGE;
  return steps.map(({ title, line, isFirst, commands }, stepIndex) => {
    const begin = isFirst ? EMPTY_PAGE : page;
    if (begin === ANY_PAGE)
      throw new NotTaken(
        `Line ${line}: it is not known on which page the step “${title}” begins; end the step before it with await expect(page).toHaveURL('https://…').`,
      );
    if (hasCondition(title))
      throw new NotTaken(
        `Line ${line}: the words “${title}” say that what is done depends on the page, which a recording does not hold; name the step by what it does on each day, or have a session leave the recipe.`,
      );
    const rounds = toRounds(commands, begin);
    page = rounds.at(-1)!.after.page;
    const key = { instruction: title, page: begin, variables: [...variables].sort() };
    return { key, rounds, source: { sessionId: from, stepIndex } };
  });
}

/** A round ends with what may change the page: the next one looks at it anew. */
function toRounds(recorded: readonly RecordedCommand[], begin: string): RecipeRound[] {
  const rounds: RecipeRound[] = [];
  let page = begin;
  let commands: RecipeCommand[] = [];
  for (const [position, { action, parameters, target, address }] of recorded.entries()) {
    commands.push({ action, parameters, ...(target === undefined ? {} : { target }) });
    const isOpened = action === 'OPEN_PAGE';
    if (!isOpened && EFFECT_CLASS[action] !== 'commit' && position < recorded.length - 1) continue;
    const after =
      isOpened || EFFECT_CLASS[action] === 'commit' ? (address ?? expectedNext(recorded, position)) : undefined;
    const isLast = !isOpened && EFFECT_CLASS[action] !== 'commit';
    const shown = isLast ? page : after === undefined ? ANY_PAGE : toPagePattern(after);
    rounds.push({ page, commands, after: { page: shown, texts: [], requests: [] } });
    commands = [];
    page = shown;
  }
  return rounds;
}

/** The address that is expected before anything else is done. */
function expectedNext(recorded: readonly RecordedCommand[], position: number): string | undefined {
  const rest = recorded.slice(position + 1);
  const end = rest.findIndex(({ action }) => action !== 'EXPECT');
  return rest.slice(0, end === -1 ? undefined : end).find(({ address }) => address !== undefined)?.address;
}
