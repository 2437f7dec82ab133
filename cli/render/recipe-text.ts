import { COMMANDS } from '../../contracts/commands/commands';
import { conditionText, MOST_REPETITIONS } from '../../contracts/recipes/condition';
import type { Promotion, Recipe, RecipeCommand, RecipeTarget } from '../../contracts/recipes/recipe';
import { checkText } from '../../contracts/approvals/unknown-outcome';
import { toPairs } from '../terminal/table';

/** A recipe as `surefoot recipes show` prints it. */
export function recipeLines({ recipeId, key, version, status, source, promotions, counts, rounds }: Recipe): string[] {
  const head = toPairs([
    ['recipe', `${recipeId}, version ${version}, ${status}`],
    ['tenant', key.tenant],
    [key.task === true ? 'task' : 'step', key.instruction],
    ['page', key.page],
    ['variables', key.variables.join(', ') || 'none'],
    ['learnt from', `step ${source.stepIndex + 1} of ${source.sessionId}`],
    ...promotions.map((promotion): [string, string] => ['promoted', promotionText(promotion)]),
    [
      'counts',
      `used ${counts.used}, healed ${counts.healed}, failed ${counts.failed} (${counts.failedInARow} in a row)`,
    ],
  ]);
  return [...head, ...roundLines({ rounds })];
}

function promotionText({ by, who, replaced, at }: Promotion): string {
  const promoter = by === 'session' ? `session ${who ?? '(erased)'}` : (who ?? 'a person');
  return `by ${promoter}, ${at.toISOString()}${replaced === undefined ? '' : `, in place of version ${replaced}`}`;
}

/** What it does and expects. */
export function roundLines({ rounds }: Pick<Recipe, 'rounds'>): string[] {
  return rounds.flatMap(({ page, commands, after, when, isJoined, until, most, shownBy = [] }) => [
    '',
    `on ${page}`,
    ...(when === undefined ? [] : [`  only if ${conditionText(when)}:`]),
    ...(isJoined === undefined ? [] : ['  if that was done:']),
    ...(until === undefined ? [] : [`  until ${conditionText(until)}, at most ${most ?? MOST_REPETITIONS} times:`]),
    ...(commands.length > 0 ? [] : ['  nothing is known yet']),
    ...commands.flatMap((command) => [`  ${commandText(command)}`, ...targetLines(command)]),
    ...(after.page === page ? [] : [`  then the page is ${after.page}`]),
    ...(after.isOver === undefined ? [] : ['  then that is not so any more']),
    ...after.texts.map((text) => `  then it says “${text}”`),
    ...after.requests.map((request) => `  then the request ${request} is sent`),
    ...(shownBy.length === 0 ? [] : [`  a check of it could be ${checkText(shownBy)}`]),
  ]);
}

function commandText({ action, parameters, target }: RecipeCommand): string {
  const { selector: _selector, ...rest } = parameters;
  const words = COMMANDS[action].summary(rest as never).filter((part) => typeof part === 'string' && part !== '');
  const element = target === undefined ? (parameters.selector ?? '') : elementText(target);
  return [action, element, ...words].filter((part) => part !== '').join(' ');
}

function elementText({ role, name, nth, of }: RecipeTarget): string {
  return `${role} “${name}”${of > 1 ? ` (${nth + 1} of ${of})` : ''}`;
}

function targetLines({ target }: RecipeCommand): string[] {
  if (target === undefined) return [];
  const { item, around, attributes } = target;
  const marks = [
    ...(item === undefined ? [] : [`beside “${item}”`]),
    ...(around.length === 0 ? [] : [`in ${around.join(' > ')}`]),
    ...Object.entries(attributes).map(([name, value]) => `${name}=${value}`),
  ];
  return marks.length === 0 ? [] : [`    ${marks.join('; ')}`];
}
