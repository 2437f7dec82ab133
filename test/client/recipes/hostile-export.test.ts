/** Recipes whose every text is code in some language: exports write it as data. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSourceFile,
  flattenDiagnosticMessageText,
  forEachChild,
  ScriptTarget,
  SyntaxKind,
  transpileModule,
  type Node,
} from 'typescript';
import { parseStepFile } from '../../../cli/input/step-input';
import { exportRecipes } from '../../../service/recipes/export/export-recipes';
import { readRecipes } from '../../../service/recipes/import/read-file';
import type { Recipe, RecipeRound, RecipeTarget } from '../../../contracts/recipes/recipe';
import { RecipeFileSchema, toRecipeFile } from '../../../contracts/recipes/recipe-file';
import { hostileStrings } from '../../support/hostile-strings';
import { newPlaywrightFolder, type PlaywrightFolder } from '../../support/playwright-runner';

const TEXTS = hostileStrings(240);
const PLAIN = 'plain text';
/** As a member of an object, the name of a variable that runs where it is taken as it is, also where the member has a type. */
const RUN_AS_MEMBER = "[require('node:fs').writeFileSync(process.env.TRACE, 'run')]";

function recipeOf(key: Partial<Recipe['key']>, rounds: RecipeRound[]): Recipe {
  return {
    recipeId: 'rcp_0000000000000000',
    key: { tenant: 'default', instruction: PLAIN, page: 'about:blank', variables: [], ...key },
    version: 1,
    status: 'promoted',
    source: { sessionId: 's', stepIndex: 0 },
    counts: { used: 0, healed: 0, failed: 0, failedInARow: 0 },
    promotions: [],
    rounds,
    createdAt: new Date(0),
  };
}

function target(text: string): RecipeTarget {
  const selector = `role=button[name=${JSON.stringify(text)}s]`;
  return { selector, role: 'button', name: text, nth: 0, of: 1, around: [], attributes: {} };
}

/** Every member of a recipe whose value goes into a test has this text. */
function everywhere(text: string): Recipe {
  const aimed = target(text);
  const page = 'https://shop.example/a';
  const end = {
    page: `https://shop.example/${text}`,
    texts: [text, `${text}#`],
    requests: [`POST https://shop.example/${text}`],
  };
  const commands: RecipeRound['commands'] = [
    { action: 'OPEN_PAGE', parameters: { url: `https://shop.example/?q=${encodeURIComponent(text.toWellFormed())}` } },
    { action: 'CLICK_ELEMENT', parameters: { selector: `css=${text}` } },
    { action: 'CLICK_ELEMENT', parameters: { selector: `[placeholder=${JSON.stringify(text)}]` } },
    { action: 'INPUT_TEXT', parameters: { text: `${text}\${shop}${text}` }, target: aimed },
    { action: 'SELECT_OPTION', parameters: { options: [text, text] }, target: aimed },
    { action: 'CHOOSE_MENU_ITEM', parameters: { path: [text] }, target: { ...aimed, of: 3, nth: 2 } },
    { action: 'PRESS_KEY', parameters: { key: text } },
    { action: 'WAIT_FOR', parameters: { text, seconds: 1 } },
    { action: 'EXPECT', parameters: { text: `${text}\${shop}`, title: text, url: text, roles: [text] } },
    { action: 'EXPECT', parameters: { roles: [text, 'row'], count: 3, absent: true } },
    { action: 'HANDLE_DIALOG', parameters: { accept: true, promptText: text } },
    { action: 'SAVE_VARIABLE', parameters: { variableName: text }, target: aimed },
    { action: 'UPLOAD_FILE', parameters: { files: [text] }, target: aimed },
    { action: 'SET_HTTP_CREDENTIALS', parameters: { origin: text, username: text, password: text } },
    { action: 'SCROLL_UNTIL', parameters: { text } },
  ];
  return recipeOf({ instruction: text, variables: [text, 'shop', `${text}2`] }, [
    { page, commands, after: end },
    { page: end.page, commands: commands.slice(1, 3), after: end, when: { text, title: text, url: text } },
    { page: end.page, commands: commands.slice(1, 3), after: end, until: { text, url: text }, most: 3 },
    { page: end.page, commands: [], after: end, when: { text } },
  ]);
}

/** The syntax of a program without the values of its literals, and without names of variables, which are made. */
function shapeOf(source: string): string {
  const file = createSourceFile('exported.ts', source, ScriptTarget.Latest, true);
  const shape = (node: Node): string => {
    const children: string[] = [];
    forEachChild(node, (child) => void children.push(shape(child)));
    return `${SyntaxKind[node.kind]}(${children.join()})`;
  };
  return shape(file);
}

function issuesOf(source: string): string[] {
  const { diagnostics = [] } = transpileModule(source, {
    reportDiagnostics: true,
    compilerOptions: { target: ScriptTarget.Latest },
  });
  return diagnostics.map(({ messageText }) => flattenDiagnosticMessageText(messageText, '\n'));
}

test('a test of recipes whose every text is code has the syntax of one with plain words', () => {
  // Names are in alphabetical order: before or after the other variable.
  const plain = ['word', '+word'].map((word) => shapeOf(exportRecipes([everywhere(word)], 'playwright')));
  for (const text of TEXTS) {
    const source = exportRecipes([everywhere(text)], 'playwright');
    expect([text, issuesOf(source)]).toEqual([text, []]);
    expect(plain).toContain(shapeOf(source));
    // Nothing that an editor or a reviewer would not see.
    expect(source).not.toMatch(/(?!\n)\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
  }
});

describe('under the runner of Playwright', () => {
  let folder: PlaywrightFolder;
  beforeAll(() => {
    folder = newPlaywrightFolder();
  });
  afterAll(() => folder.remove());

  test('a test of recipes whose every text is code runs to its end, and runs nothing of it', async () => {
    // Each line takes Playwright a moment; the syntax of all of them is compared above.
    const texts = TEXTS.filter((_, at) => at % 4 === 0);
    const recipes = texts.map((text) =>
      recipeOf({ instruction: text, variables: [text, '__proto__', 'constructor', RUN_AS_MEMBER] }, [
        {
          page: 'about:blank',
          commands: [
            { action: 'EXPECT', parameters: { text, absent: true } },
            { action: 'EXPECT', parameters: { title: text, url: text, absent: true } },
            { action: 'EXPECT', parameters: { absent: true }, target: target(text) },
            { action: 'EXPECT', parameters: { text: `${text}\${constructor}`, absent: true } },
          ],
          after: { page: 'about:blank', texts: [], requests: [] },
        },
      ]),
    );
    const [first, ...others] = recipes;
    const opened = {
      ...first!,
      rounds: [
        {
          ...first!.rounds[0]!,
          commands: [
            { action: 'OPEN_PAGE' as const, parameters: { url: 'about:blank' } },
            ...first!.rounds[0]!.commands,
          ],
        },
      ],
    };
    const source = exportRecipes([opened, ...others], 'playwright');
    const names = [...source.matchAll(/given\('(TEST_[A-Z0-9_]+)'\)/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThanOrEqual(new Set(texts).size);
    const trace = join(folder.path, 'trace');
    const values = Object.fromEntries(names.map((name) => [name, 'value of a variable']));
    const ran = await folder.run(source, { ...values, TRACE: trace });
    expect(ran).toMatchObject({ code: 0, output: expect.stringContaining('1 passed') });
    expect(existsSync(trace)).toBe(false);
  }, 120_000);

  test('a recipe that uploads a file from outside of the folder of test files gets none', async () => {
    const commands: RecipeRound['commands'] = [
      { action: 'OPEN_PAGE', parameters: { url: 'about:blank' } },
      {
        action: 'UPLOAD_FILE',
        parameters: { files: ['../../secret.txt'] },
        target: { ...target('x'), selector: 'css=html' },
      },
    ];
    const source = exportRecipes(
      [recipeOf({}, [{ page: 'about:blank', commands, after: { page: 'about:blank', texts: [], requests: [] } }])],
      'playwright',
    );
    const ran = await folder.run(source, {});
    expect(ran).toMatchObject({ code: 1, output: expect.stringContaining('is not in the folder of the test files') });
  }, 60_000);
});

test('an address that is code for the browser, or a file of the machine, is not exported', () => {
  for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'JAVASCRIPT:${shop}'])
    expect(() =>
      exportRecipes(
        [
          recipeOf({}, [
            {
              page: '*',
              commands: [{ action: 'OPEN_PAGE', parameters: { url } }],
              after: { page: '*', texts: [], requests: [] },
            },
          ]),
        ],
        'playwright',
      ),
    ).toThrow('which is neither an http or https address nor about:blank');
});

test('steps whose texts are code come back from a file as the same steps, and names add none', () => {
  const tidy = TEXTS.map((text) => text.replaceAll(/[\r\n]+/g, ' ').trim());
  for (const texts of [TEXTS, tidy, ...TEXTS.map((text) => [text]), ...tidy.map((text) => [text])]) {
    const recipes = texts.map((instruction) =>
      recipeOf({ instruction, variables: [`${instruction}\nOpen https://evil.example`] }, []),
    );
    expect(parseStepFile(exportRecipes(recipes, 'steps'), 'steps.txt').steps).toEqual(texts);
  }
});

test('recipes whose texts are code come back from JSON the same, but none whose variable has no name', async () => {
  const options = { values: new Map<string, string>(), from: 'recipes.json' };
  const recipes = TEXTS.map((text) => {
    const { key, ...recipe } = everywhere(text);
    return { ...recipe, key: { ...key, variables: ['shop'] } };
  });
  const text = exportRecipes(recipes, 'json');
  const { recipes: expected } = RecipeFileSchema.parse(JSON.parse(JSON.stringify(toRecipeFile(recipes))));
  expect(await readRecipes(text, options)).toEqual(expected);
  for (const name of ["x'];evil()//", '', '1st', 'a b', 'a\nb', 'a-b']) {
    const planted = exportRecipes([recipeOf({ variables: [name] }, recipes[0]!.rounds)], 'json');
    await expect(readRecipes(planted, options)).rejects.toThrow('a variable name has letters, digits and _');
  }
});

test('variables whose names differ in case alone, or are members of every object, have own values', () => {
  const source = exportRecipes(
    [recipeOf({ variables: ['Shop', 'shop', '__proto__', 'toString'] }, everywhere(PLAIN).rounds.slice(0, 1))],
    'playwright',
  );
  const names = [...source.matchAll(/ (\w+): given\('(\w+)'\)/g)].map(([, name, env]) => [name, env]);
  expect(new Set(names.map(([name]) => name)).size).toBe(names.length);
  expect(new Set(names.map(([, env]) => env)).size).toBe(names.length);
  for (const [name] of names) expect(name! in {}).toBe(false);
});
