/** Recordings of `playwright codegen` as recipes: what is taken, what is refused, and that no value comes along. */
import { toPlaywrightTest } from '../../../service/recipes/export/playwright-test';
import { readRecipes } from '../../../service/recipes/import/read-file';
import { recipeDiff } from '../../../cli/render/recipe-diff';
import type { Recipe } from '../../../contracts/recipes/recipe';
import { RecipeRoundSchema } from '../../../contracts/recipes/recipe';

const RECORDING = `import { test, expect } from '@playwright/test';

test('buy a shoe', async ({ page }) => {
  await page.goto('http://127.0.0.1:4000/login');
  await page.getByRole('textbox', { name: 'Username' }).fill('ada');
  await page.getByLabel('Password').fill('lovelace');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('http://127.0.0.1:4000/shop');
  await page.locator('iframe[name="help"]').contentFrame().getByText('Hide "help"').first().dblclick();
  await page.getByTestId('terms').check();
  await page.getByLabel('Size').selectOption(['M', 'L']);
  await page.getByPlaceholder('Note', { exact: true }).press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'Trail' }).getByRole('button').nth(2).click();
  await expect(page.getByRole('heading')).toContainText('Thank you');
  await expect(page.getByText('Error')).not.toBeVisible();
});
`;
const VALUES = new Map([
  ['shop', 'http://127.0.0.1:4000'],
  ['password', 'lovelace'],
]);

const read = (text: string, values: ReadonlyMap<string, string> = new Map()) =>
  readRecipes(text, { values, from: 'buy.spec.ts' });
const inTest = (...lines: string[]) => `test('one', async ({ page }) => {\n${lines.join('\n')}\n});`;

test('a recording becomes one recipe whose rounds end where the page may change, with names for values', async () => {
  const [recipe, ...others] = await read(RECORDING, VALUES);
  expect(others).toEqual([]);
  expect(recipe!.key).toEqual({ instruction: 'buy a shoe', page: 'about:blank', variables: ['password', 'shop'] });
  expect(recipe!.source).toEqual({ sessionId: 'buy.spec.ts', stepIndex: 0 });
  const shown = recipe!.rounds.map(({ page, commands, after }) => [
    page,
    commands.map(({ action }) => action),
    after.page,
  ]);
  expect(shown).toEqual([
    ['about:blank', ['OPEN_PAGE'], 'http://127.0.0.1:4000/login'],
    ['http://127.0.0.1:4000/login', ['INPUT_TEXT', 'INPUT_TEXT', 'CLICK_ELEMENT'], 'http://127.0.0.1:4000/shop'],
    ['http://127.0.0.1:4000/shop', ['EXPECT', 'DOUBLE_CLICK'], '*'],
    ['*', ['SET_CHECKED', 'SELECT_OPTION', 'PRESS_KEY'], '*'],
    ['*', ['CLICK_ELEMENT'], '*'],
    ['*', ['EXPECT', 'EXPECT'], '*'],
  ]);
  for (const round of recipe!.rounds) expect(RecipeRoundSchema.parse(round)).toEqual(round);
  const commands = recipe!.rounds.flatMap((round) => round.commands);
  expect(commands[1]!.target).toMatchObject({
    selector: 'role=textbox[name="Username"s]',
    role: 'textbox',
    nth: 0,
    of: 1,
  });
  expect(commands[2]!.parameters).toEqual({ selector: 'internal:label="Password"i', text: '${password}' });
  expect(JSON.stringify(recipe)).not.toContain('lovelace');
});

test('an imported recording is exported as the same calls, with frames, places and filters', async () => {
  const [recipe] = await read(RECORDING, VALUES);
  const text = toPlaywrightTest([{ ...recipe!, recipeId: 'rcp_0000000000000000', version: 1 }]);
  for (const call of [
    'await page.goto(`${variables.shop}/login`);',
    "await page.getByRole('button', { name: 'Sign in', exact: true }).click();",
    "await page.getByLabel('Password').fill(variables.password);",
    `await page.locator('iframe[name="help"]').contentFrame().getByText('Hide "help"').nth(0).dblclick();`,
    "await page.getByTestId('terms').check();",
    "await choose(page.getByLabel('Size'), ['M', 'L']);",
    "await page.getByPlaceholder('Note', { exact: true }).press('Enter');",
    "await page.getByRole('listitem').filter({ hasText: 'Trail' }).getByRole('button').nth(2).click();",
    "await expect(page.getByText('Error')).not.toBeVisible();",
  ])
    expect(text).toContain(call);
});

test('each test.step becomes a recipe, which begins on the page that the step before it ends on', async () => {
  const steps = (end: string) =>
    inTest(
      "await test.step('open', async () => {",
      "  await page.goto('https://shop.example/a');",
      '});',
      "await test.step('save', async () => {",
      "  await page.getByRole('button', { name: 'Save' }).click();",
      end,
      '});',
      "await test.step('sign out', async () => {",
      "  await page.getByRole('button', { name: 'Sign out' }).click();",
      '});',
    );
  const recipes = await read(steps("await expect(page).toHaveURL('https://shop.example/orders/12');"));
  expect(recipes.map(({ key }) => [key.instruction, key.page])).toEqual([
    ['open', 'about:blank'],
    ['save', 'https://shop.example/a'],
    ['sign out', 'https://shop.example/orders/:number'],
  ]);
  await expect(read(steps(''))).rejects.toThrow(
    'Line 9: it is not known on which page the step “sign out” begins; end the step before it with await expect(page).toHaveURL',
  );
});

test.each([
  [
    'a call that is not taken',
    inTest("await page.getByRole('button').tap();"),
    /^Line 2: await page\.getByRole\('button'\)\.tap\(\); is not taken from a recording\. Taken are/,
  ],
  ['a variable', 'const a = 1;', /^Line 1: const a = 1; is not taken/],
  ['a loop', inTest('for (;;) {}'), /^Line 2: /],
  [
    'an option of a click',
    inTest("await page.getByText('a').click({ force: true });"),
    /^Line 2: a click takes no options but button: right, or position\.$/,
  ],
  ['an expression for a text', inTest("await page.goto('a' + b);"), /^Line 2: expected a text, got 'a' \+ b\.$/],
  [
    'a password that would stand in the recipe',
    inTest("await page.getByLabel('Password').fill('hunter22');"),
    /^Line 2: it types what looks like a secret; name it with --secret NAME=ENV/,
  ],
  ['a test that does nothing', inTest(''), /^Line 1: the test does nothing\.$/],
  ['no test', '', /^Line 1: there is no test in it\.$/],
  [
    'broken code',
    "test('one', async ({",
    /^Line 1: Unexpected token\. Expected JavaScript as `playwright codegen --target playwright-test` writes it/,
  ],
  [
    'other JSON',
    '{"name": "x"}',
    /^buy\.spec\.ts has no recipes: expected a file of surefoot recipes export --as json\.$/,
  ],
  [
    'a later version',
    '{"format": "surefoot-recipes", "version": 2}',
    /has version 2 of the format; this is version 1\.$/,
  ],
  [
    'recipes without rounds',
    '{"format": "surefoot-recipes", "version": 1, "recipes": [{}]}',
    /can't be imported: .*recipes/,
  ],
])('%s is refused with a sentence', async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

const actsIn = async (text: string): Promise<unknown[]> => {
  const [recipe] = await read(text);
  const commands = recipe!.rounds.flatMap((round) => round.commands);
  return commands.map(({ action, parameters: { selector, ...others } }) => [
    action,
    ...(selector === undefined ? [] : [selector]),
    ...Object.values(others),
  ]);
};

test('a tab that a click opens is followed, the first one is gone back to, and a closed one is left', async () => {
  const text = inTest(
    "await page.goto('https://shop.example/');",
    "const page1Promise = page.waitForEvent('popup');",
    "await page.getByText('Terms').click();",
    'const page1 = await page1Promise;',
    "await page1.getByText('Agree').click();",
    "await expect(page1.getByText('Thanks')).toBeVisible();",
    "await page.getByText('Pay').click();",
    "await page1.getByText('Print').click();",
    'await page1.close();',
    "await page.getByText('Done').click();",
  );
  expect(await actsIn(text)).toEqual([
    ['OPEN_PAGE', 'https://shop.example/'],
    ['CLICK_ELEMENT', 'internal:text="Terms"i'],
    ['SWITCH_TAB', 'last'],
    ['CLICK_ELEMENT', 'internal:text="Agree"i'],
    ['EXPECT', 'internal:text="Thanks"i'],
    ['SWITCH_TAB', '1'],
    ['CLICK_ELEMENT', 'internal:text="Pay"i'],
    ['SWITCH_TAB', '2'],
    ['CLICK_ELEMENT', 'internal:text="Print"i'],
    ['CLOSE_TAB'],
    ['CLICK_ELEMENT', 'internal:text="Done"i'],
  ]);
});

test.each([
  ['dialog.dismiss().catch(() => {});', [false]],
  ["dialog.accept('Ada');", [true, 'Ada']],
  ['dialog.accept().catch(() => {});', [true]],
])('a dialog is answered before the click that opens it: %s', async (answer, parameters) => {
  const text = inTest(
    "page.once('dialog', dialog => {",
    '  console.log(`Dialog message: ${dialog.message()}`);',
    `  ${answer}`,
    '});',
    "await page.getByText('Refuse').click();",
  );
  expect(await actsIn(text)).toEqual([
    ['HANDLE_DIALOG', ...parameters],
    ['CLICK_ELEMENT', 'internal:text="Refuse"i'],
  ]);
});

test('a download needs no command, and what codegen writes of locators and states is taken', async () => {
  const text = inTest(
    "const downloadPromise = page.waitForEvent('download');",
    "await page.getByTitle('List').click();",
    'const download = await downloadPromise;',
    "await page.locator('div').filter({ hasText: /^Garden room$/ }).getByAltText('Logo', { exact: true }).hover();",
    "await page.getByLabel('Breakfast').setChecked(false);",
    "await page.getByLabel('Note').clear();",
    "await page.getByLabel('Amount').click({ position: { x: 10, y: 4 } });",
    "await expect(page.getByLabel('Breakfast')).not.toBeChecked();",
    "await expect(page.getByLabel('Note')).toBeEmpty();",
    "await expect(page.getByRole('main')).toMatchAriaSnapshot(`",
    '    - heading "Cart" [level=1]',
    '    - list:',
    '      - listitem: Rope',
    '  `);',
  );
  expect(await actsIn(text)).toEqual([
    ['CLICK_ELEMENT', 'internal:attr=[title="List"i]'],
    ['HOVER', 'div >> internal:has-text=/^Garden room$/ >> internal:attr=[alt="Logo"s]'],
    ['SET_CHECKED', 'internal:label="Breakfast"i', false],
    ['INPUT_TEXT', 'internal:label="Note"i', ''],
    ['CLICK_ELEMENT', 'internal:label="Amount"i', 10, 4],
    ['EXPECT', 'internal:label="Breakfast"i', 'unchecked'],
    ['EXPECT', 'internal:label="Note"i', 'empty'],
    ['EXPECT', 'Cart', ['heading']],
    ['EXPECT', 'Rope'],
  ]);
});

test('a program of the library becomes a recipe that is called after its file', async () => {
  const [recipe] = await readRecipes(
    `const { chromium } = require('playwright');

(async () => {
  const browser = await chromium.launch({ headless: false });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto('https://shop.example/cart');
  await page.getByRole('button', { name: 'Checkout' }).click();
  await context.close();
  await browser.close();
})();`,
    { values: new Map(), from: 'checkout.js' },
  );
  expect(recipe!.key.instruction).toBe('checkout');
  expect(recipe!.rounds.flatMap(({ commands }) => commands.map(({ action }) => action))).toEqual([
    'OPEN_PAGE',
    'CLICK_ELEMENT',
  ]);
});

test('what the browser of a recording was is left out', async () => {
  const text = `test.use({ viewport: { width: 1280, height: 720 }, storageState: 'auth.json' });\n`;
  expect(await read(text + inTest("await page.goto('https://shop.example/');"))).toHaveLength(1);
});

test('a diff of two versions names what was there and what is new, and keeps the rest', async () => {
  const version = async (name: string, number: number): Promise<Recipe> => {
    const [recipe] = await read(
      inTest(
        "await page.goto('https://shop.example/a');",
        `await page.getByRole('button', { name: '${name}' }).click();`,
      ),
    );
    const counts = { used: 0, healed: 0, failed: 0, failedInARow: 0 };
    const status = number === 1 ? 'promoted' : 'proposed';
    const facts = { version: number, status, counts, createdAt: new Date(0) } as const;
    return {
      ...recipe!,
      key: { tenant: 'default', ...recipe!.key },
      recipeId: 'rcp_0000000000000000',
      promotions: [],
      ...facts,
    };
  };
  const lines = recipeDiff(await version('Save', 1), await version('Keep', 2)).map(({ text }) => text);
  expect(lines).toEqual(
    expect.arrayContaining([
      '- version 1, promoted, from step 1 of buy.spec.ts',
      '+ version 2, proposed, from step 1 of buy.spec.ts',
      '    OPEN_PAGE https://shop.example/a',
      '-   CLICK_ELEMENT button “Save”',
      '+   CLICK_ELEMENT button “Keep”',
    ]),
  );
  const same = recipeDiff(await version('Save', 1), await version('Save', 2)).map(({ text }) => text);
  expect(same.at(-1)).toBe('They do the same.');
});

test('a title that says that the step depends on the page is refused with its line, in quotes not', async () => {
  const titled = (title: string) =>
    `test('${title}', async ({ page }) => {\n  await page.goto('http://127.0.0.1:4000/');\n});`;
  await expect(read(titled('If "Accept" is shown, click it'))).rejects.toThrow(
    /Line 1: the words “If "Accept" is shown, click it” say that what is done depends on the page/,
  );
  expect(await read(titled('Open "If" by Kipling'))).toHaveLength(1);
});

test('conditions of exported JSON come back, and a round without commands has one', async () => {
  const [plain] = await read(RECORDING, VALUES);
  const page = 'https://shop.test';
  const round = {
    page,
    commands: [],
    after: { page, texts: [], requests: [] },
    when: { text: 'Accept', isControl: true as const },
  };
  const fileOf = (rounds: object[]) =>
    JSON.stringify({ format: 'surefoot-recipes', version: 1, recipes: [{ ...plain, rounds }] });
  expect((await read(fileOf([round])))[0]!.rounds).toEqual([round]);
  const { when: _, ...bare } = round;
  await expect(read(fileOf([bare]))).rejects.toThrow('a round without a condition has commands');
});

test('a diff shows what a newer version knows of a part that depends on the page', async () => {
  const [plain] = await read(RECORDING, VALUES);
  const click = plain!.rounds[1]!.commands.at(-1)!;
  const page = 'https://shop.test';
  const versionOf = (version: number, commands: Recipe['rounds'][number]['commands']): Recipe => ({
    ...plain!,
    key: { tenant: 'default', ...plain!.key },
    recipeId: 'rcp_0000000000000000',
    version,
    status: 'promoted',
    counts: { used: 0, healed: 0, failed: 0, failedInARow: 0 },
    promotions: [],
    createdAt: new Date(0),
    rounds: [
      {
        page,
        commands,
        after: { page, texts: [], requests: [] },
        until: { text: 'End' },
        most: 20,
      },
    ],
  });
  const lines = recipeDiff(versionOf(1, []), versionOf(2, [click])).map(({ text }) => text);
  expect(lines).toContain('    until “End” is shown, at most 20 times:');
  expect(lines).toContain('-   nothing is known yet');
  expect(lines.some((line) => line.startsWith('+   CLICK_ELEMENT'))).toBe(true);
});
