import { ANY_PAGE, toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { Recipe, RecipeKey, RecipeRound } from '../../../contracts/recipes/recipe';
import { oneLine } from '../../../contracts/text';
import { literal } from './code';
import { commandCode, expectTextCode } from './command-code';
import { conditionalCode } from './condition-code';
import { HELPERS, IMPORTS_OF_HELPERS, type HelperName } from './test-functions';
import { NotExportable, TestWriter } from './test-writer';

const EMPTY_PAGE = 'about:blank';
const LONGEST_TITLE = 100;

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
  const fixtures = names.length === 0 ? ['page'] : ['page', 'variables'];
  return [
    `// Exported from Surefoot: ${recipes.map(({ recipeId, version }) => `${recipeId} version ${version}`).join(', ')}.`,
    ...nodeImports,
    `import { expect, ${names.length === 0 ? 'test' : 'test as base'}${types.map((type) => `, type ${type}`).join('')} } from '@playwright/test';`,
    '',
    ...variableLines(names, savedNames(recipes)),
    `test(${literal(titleOf(recipes))}, async ({ ${fixtures.join(', ')} }) => {`,
    ...steps.flat().map((line) => (line === '' ? '' : `  ${line}`)),
    '});',
    ...helpers.flatMap((name) => ['', HELPERS[name]]),
    '',
  ].join('\n');
}

/** The environment variable with the value of a variable. */
export function environmentName(variable: string): string {
  return `TEST_${variable.toUpperCase()}`;
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

function stepLines(writer: TestWriter, { key, rounds }: ExportedRecipe, isFirst: boolean, before: string): string[] {
  const begin = key.page;
  const isOpened = rounds[0]?.commands[0]?.action === 'OPEN_PAGE';
  if (!isFirst && !isOpened && begin !== before && before !== ANY_PAGE)
    throw new NotExportable(
      `it begins on ${begin}, but the one before it leads to ${before}; name recipes in their order`,
    );
  let page = isFirst && !isOpened ? EMPTY_PAGE : begin;
  const body = isFirst && !isOpened ? [`await page.goto(${literal(openable(begin))});`] : [];
  for (const [position, round] of rounds.entries()) {
    const lines = roundLines(writer, round, position, page);
    // What goes with the round before it is done within its condition.
    if (round.isJoined === true) body.splice(-1, 1, ...lines.map((line) => `  ${line}`), '}');
    else body.push(...lines);
    page = round.after.page;
  }
  return [
    `await test.step(${literal(oneLine(key.instruction))}, async () => {`,
    ...body.map((line) => `  ${line}`),
    '});',
  ];
}

function openable(pattern: string): string {
  if (!/#|\/:/.test(pattern)) return pattern;
  throw new NotExportable(`it begins on ${pattern}, which is many pages; name the recipes that lead there before it`);
}

function roundLines(writer: TestWriter, round: RecipeRound, position: number, page: string): string[] {
  const { commands, after } = round;
  const sent = position === 0 ? 'sent' : `sent${position + 1}`;
  const requests = after.requests.map((request) => {
    const [, method = '', address = ''] = /^(\S+) (.*)$/s.exec(request) ?? [];
    return `page.waitForRequest((request) => request.method() === ${literal(method)} && ${writer.address(address)}.test(request.url()))`;
  });
  const acting = [
    ...(requests.length === 0 ? [] : [`const ${sent} = Promise.all([`, ...requests.map((each) => `  ${each},`), ']);']),
    ...commands.flatMap((command) => commandCode(writer, command)),
    ...(requests.length === 0 ? [] : [`await ${sent};`]),
  ];
  const following = [
    ...(after.page === page || after.page === ANY_PAGE
      ? []
      : [`await expect(page).toHaveURL(${writer.address(after.page)});`]),
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

function variableLines(names: readonly string[], saved: ReadonlySet<string>): string[] {
  if (names.length === 0) return [];
  const values = names.map(
    (name) => `    ${name}: ${saved.has(name) ? "''" : `given(${literal(environmentName(name))})`},`,
  );
  return [
    '/** Values that the steps use; secrets too come from the environment and are in no file. */',
    `const test = base.extend<{ variables: { ${names.map((name) => `${name}: string`).join('; ')} } }>({`,
    '  variables: async ({}, use) => {',
    '    await use({',
    ...values.map((line) => `  ${line}`),
    '    });',
    '  },',
    '});',
    '',
    ...(names.every((name) => saved.has(name))
      ? []
      : [
          'function given(name: string): string {',
          '  const value = process.env[name];',
          '  if (value === undefined) throw new Error(`Set ${name} to the value that this test is to use.`);',
          '  return value;',
          '}',
          '',
        ]),
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
