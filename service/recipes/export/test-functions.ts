/** Functions that an exported test has where it uses them. */
export const HELPERS = {
  escaped: `/** A text as a regular expression takes it literally. */
function escaped(text: string): string {
  return text.replace(/[.*+?^\${}()|[\\]\\\\/]/g, '\\\\$&');
}`,
  expectText: `/** Expects a text in any frame: of an element, of several together, or as the name of a control. */
async function expectText(page: Page, text: RegExp, options: { absent?: true; timeout?: number } = {}): Promise<void> {
  const { absent = false, ...limit } = options;
  const shown = expect.poll(() => shownText(page), limit);
  await (absent ? shown.not.toMatch(text) : shown.toMatch(text));
}`,
  shownText: `/** What a person reads in any frame, and the names of controls. */
async function shownText(page: Page): Promise<string> {
  const texts = page.frames().map(async (frame) => {
    const body = frame.locator('body');
    const [text, names] = await Promise.all([body.innerText(), body.ariaSnapshot()]).catch(() => ['', '']);
    return \`\${text}\\n\${names}\`.replace(/\\s+/g, ' ');
  });
  return (await Promise.all(texts)).join('\\n');
}`,
  comes: `/** Whether something is so, or becomes so in a moment. */
async function comes(is: () => Promise<boolean>): Promise<boolean> {
  return await expect
    .poll(is, { timeout: 1500 })
    .toBe(true)
    .then(
      () => true,
      () => false,
    );
}`,
  goes: `/** Whether something is not so any more, at once or in a moment. */
async function goes(is: () => Promise<boolean>, options: { timeout?: number } = {}): Promise<boolean> {
  return await expect
    .poll(is, options)
    .toBe(false)
    .then(
      () => true,
      () => false,
    );
}`,
  choose: `/** Chooses options by their labels: in a list of the browser, a group of radio buttons, or a list that opens. */
async function choose(list: Locator, options: string[]): Promise<void> {
  if (await list.evaluate((element) => element instanceof HTMLSelectElement)) {
    await list.selectOption(options);
    return;
  }
  for (const name of options) {
    const radio = list.getByRole('radio', { name, exact: true });
    if ((await radio.count()) === 1) {
      await radio.check();
      continue;
    }
    const inside = list.getByRole('option', { name, exact: true });
    if ((await inside.count()) === 0) await list.click();
    await list.page().getByRole('option', { name, exact: true }).or(inside).filter({ visible: true }).click();
  }
}`,
  setPressed: `/** Presses a toggle button unless it is as wanted. */
async function setPressed(button: Locator, isPressed: boolean): Promise<void> {
  if (((await button.getAttribute('aria-pressed')) === 'true') !== isPressed) await button.click();
  await expect(button).toHaveAttribute('aria-pressed', String(isPressed));
}`,
  give: `/** Gives files of the folder TEST_FILES to a file field, or to the button that opens the file chooser. */
async function give(field: Locator, names: string[]): Promise<void> {
  const folder = resolve(process.env['TEST_FILES'] ?? '.');
  const files = names.map((name) => resolve(folder, name));
  const outside = files.find((file) => !file.startsWith(join(folder, sep)));
  if (outside !== undefined) throw new Error(\`\${outside} is not in the folder of the test files.\`);
  const isField = await field.evaluate((element) => element instanceof HTMLInputElement && element.type === 'file');
  if (isField) return await field.setInputFiles(files);
  const [chooser] = await Promise.all([field.page().waitForEvent('filechooser'), field.click()]);
  await chooser.setFiles(files);
}`,
  chooseItem: `/** Opens a menu and chooses an item, through submenus by their names. */
async function chooseItem(menu: Locator, path: string[]): Promise<void> {
  const page = menu.page();
  await menu.click();
  for (const name of path) {
    const [item, box, radio] = (['menuitem', 'menuitemcheckbox', 'menuitemradio'] as const).map((role) =>
      page.getByRole(role, { name, exact: true }),
    );
    await item!.or(box!).or(radio!).filter({ visible: true }).click();
  }
}`,
  read: `/** The value of a field, or the text of another element. */
async function read(element: Locator): Promise<string> {
  await expect(element).toBeVisible();
  return await element.evaluate((node) =>
    node instanceof HTMLInputElement || node instanceof HTMLSelectElement || node instanceof HTMLTextAreaElement
      ? node.value
      : ((node as HTMLElement).innerText ?? node.textContent ?? '').trim(),
  );
}`,
} as const satisfies Record<string, string>;

export type HelperName = keyof typeof HELPERS;

/** What the helpers need of Node. */
export const IMPORTS_OF_HELPERS: { [K in HelperName]?: string } = {
  give: "import { join, resolve, sep } from 'node:path';",
};
