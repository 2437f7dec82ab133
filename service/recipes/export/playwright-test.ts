import { ANY_PAGE, toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { Recipe, RecipeKey, RecipeRound } from '../../../contracts/recipes/recipe';
import { oneLine } from '../../../contracts/text';
import { code, comment, indented, joined, ownCode, type Code } from './code';
import { commandCode, expectTextCode } from './command-code';
import { conditionalCode } from './condition-code';
import { HELPERS, IMPORTS_OF_HELPERS, type HelperName } from './test-functions';
import { gotoCode } from './goto-code';
import { NotExportable, TestWriter } from './test-writer';

const EMPTY_PAGE = 'about:blank';
const LONGEST_TITLE = 100;
const GIVEN = `function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(\`Set \${name} to the value that this test is to use.\`);
  return value;
}`;

type ExportedRecipe = Pick<Recipe, 'recipeId' | 'version' | 'rounds'> & { key: Omit<RecipeKey, 'tenant'> };

/**
 * Recipes as one test for Playwright's runner, a `test.step` each, in the order in which they are given. Values of variables
 * come from the environment, so no secret is in the file. Throws NotExportable.
 */
export function toPlaywrightTest(recipes: readonly ExportedRecipe[]): string {
  const writer = new TestWriter();
  for (const recipe of recipes) noteBases(writer, recipe);
  let page = EMPTY_PAGE;
  const steps = recipes.map((recipe, position) => {
    const lines = withRecipe(recipe, () => stepLines(writer, recipe, position === 0, page));
    page = recipe.rounds.at(-1)!.after.page;
    return lines;
  });
  const names = [...new Set([...recipes.flatMap(({ key }) => key.variables), ...writer.variables])].sort();
  const helpers = (Object.keys(HELPERS) as HelperName[]).filter((name) => writer.helpers.has(name));
  const types = ['Locator', 'Page'].filter((type) => helpers.some((name) => HELPERS[name].includes(`: ${type}`)));
  const nodeImports = helpers.flatMap((name) => IMPORTS_OF_HELPERS[name] ?? []);
  const fixtures = names.length === 0 ? code`page` : code`page, variables`;
  const imports = ['expect', names.length === 0 ? 'test' : 'test as base', ...types.map((type) => `type ${type}`)];
  const lines = [
    comment(
      `Exported from Surefoot: ${recipes.map(({ recipeId, version }) => `${recipeId} version ${version}`).join(', ')}.`,
    ),
    ...nodeImports.map(ownCode),
    ownCode(`import { ${imports.join(', ')} } from '@playwright/test';`),
    code``,
    ...variableLines(writer, names, savedNames(recipes)),
    code`test(${titleOf(recipes)}, async ({ ${fixtures} }) => {`,
    ...indented(steps.flat()),
    code`});`,
    ...helpers.flatMap((name) => [code``, ownCode(HELPERS[name])]),
    code``,
  ];
  return joined(lines, '\n').source;
}

/** `${shop}/login` that leads to `https://shop.example/login` says what the variable stands for in other addresses. */
function noteBases(writer: TestWriter, { rounds }: ExportedRecipe): void {
  for (const { commands, after } of rounds) {
    const opened = commands.findLast(({ action }) => action === 'OPEN_PAGE')?.parameters.url ?? '';
    const [, name, rest = ''] = /^\$\{([a-zA-Z_]\w*)\}([^$]*)$/.exec(opened) ?? [];
    if (name === undefined || (rest !== '' && !/^[/?#]/.test(rest))) continue;
    const below = toPagePattern(`http://site${rest}`).slice('http://site'.length);
    if (after.page.endsWith(below)) writer.noteBase(name, after.page.slice(0, after.page.length - below.length));
  }
}

function stepLines(writer: TestWriter, { key, rounds }: ExportedRecipe, isFirst: boolean, before: string): Code[] {
  const begin = key.page;
  const isOpened = rounds[0]?.commands[0]?.action === 'OPEN_PAGE';
  if (!isFirst && !isOpened && begin !== before && before !== ANY_PAGE)
    throw new NotExportable(
      `it begins on ${begin}, but the one before it leads to ${before}; name recipes in their order`,
    );
  let page = isFirst && !isOpened ? EMPTY_PAGE : begin;
  const body = isFirst && !isOpened ? [gotoCode(writer, openable(begin))] : [];
  for (const [position, round] of rounds.entries()) {
    const lines = roundLines(writer, round, position, page);
    // What goes with the round before it is done within its condition.
    if (round.isJoined === true) body.splice(-1, 1, ...indented(lines), code`}`);
    else body.push(...lines);
    page = round.after.page;
  }
  return [code`await test.step(${oneLine(key.instruction)}, async () => {`, ...indented(body), code`});`];
}

function openable(pattern: string): string {
  if (!/#|\/:/.test(pattern)) return pattern;
  throw new NotExportable(`it begins on ${pattern}, which is many pages; name the recipes that lead there before it`);
}

function roundLines(writer: TestWriter, round: RecipeRound, position: number, page: string): Code[] {
  const { commands, after } = round;
  const sent = position === 0 ? code`sent` : code`sent${position + 1}`;
  const requests = after.requests.map((request) => {
    const [, method = '', address = ''] = /^(\S+) (.*)$/s.exec(request) ?? [];
    return code`page.waitForRequest((request) => request.method() === ${method} && ${writer.address(address)}.test(request.url()))`;
  });
  const acting = [
    ...(requests.length === 0
      ? []
      : [code`const ${sent} = Promise.all([`, ...indented(requests.map((each) => code`${each},`)), code`]);`]),
    ...commands.flatMap((command) => commandCode(writer, command)),
    ...(requests.length === 0 ? [] : [code`await ${sent};`]),
  ];
  const following = [
    ...(after.page === page || after.page === ANY_PAGE
      ? []
      : [code`await expect(page).toHaveURL(${writer.address(after.page)});`]),
    ...after.texts.map((text) => expectTextCode(writer, writer.pattern(text, { hasNumbers: true }))),
  ];
  return conditionalCode(writer, round, acting, following);
}

function savedNames(recipes: readonly ExportedRecipe[]): Set<string> {
  const commands = recipes.flatMap(({ rounds }) => rounds.flatMap((round) => round.commands));
  return new Set(
    commands.flatMap(({ action, parameters }) => (action === 'SAVE_VARIABLE' ? (parameters.variableName ?? []) : [])),
  );
}

function variableLines({ names: made }: TestWriter, names: readonly string[], saved: ReadonlySet<string>): Code[] {
  if (names.length === 0) return [];
  const identifiers = names.map((name) => made.identifier(name));
  const members = names.map((name, at) => {
    const value = saved.has(name) ? code`${''}` : code`given(${made.environmentName(name)})`;
    return code`      ${identifiers[at]!}: ${value},`;
  });
  const types = joined(
    identifiers.map((identifier) => code`${identifier}: string`),
    '; ',
  );
  return [
    code`/** Values that the steps use; secrets too come from the environment and are in no file. */`,
    code`const test = base.extend<{ variables: { ${types} } }>({`,
    code`  variables: async ({}, use) => {`,
    code`    await use({`,
    ...members,
    code`    });`,
    code`  },`,
    code`});`,
    code``,
    ...(names.every((name) => saved.has(name)) ? [] : [ownCode(GIVEN), code``]),
  ];
}

function titleOf(recipes: readonly ExportedRecipe[]): string {
  const [first, ...others] = recipes.map(({ key }) => oneLine(key.instruction, LONGEST_TITLE));
  return others.length === 0 ? first! : `${first} and ${others.length} more ${others.length === 1 ? 'step' : 'steps'}`;
}

function withRecipe<T>({ recipeId, version }: ExportedRecipe, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof NotExportable)) throw error;
    throw new NotExportable(
      `The recipe ${recipeId}, version ${version}, can't be a Playwright test: ${error.message}.`,
    );
  }
}
