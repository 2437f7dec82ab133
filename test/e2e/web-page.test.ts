/**
 * The web page on the whole product, as a person uses it: a session is started, watched through a lost connection, asked
 * about, answered with an edit, cancelled, and given a higher budget.
 */
import { chromium, type Browser, type Page } from 'playwright';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { eventually } from '../support/eventually';
import { violations } from '../web/axe';
import { photograph } from '../web/photograph';
import { ONE_OF_EACH, endOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let browser: Browser;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
  browser = await chromium.launch({ executablePath: stack.chromiumPath, args: ['--no-sandbox'] });
}, 180_000);
afterAll(async () => {
  await browser.close();
  await stack.stop();
}, 60_000);

/** Opens a view as the start of the stack prints it: with the key behind the address. */
async function open(path: string): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  page.setDefaultTimeout(90_000);
  const [api, key] = stack.stack.addresses.page!.split('/#');
  await page.goto(`${api}${path}#${key}`);
  return page;
}

/** A session in which every call waits for a person. */
function asking(name: string): StartRequest {
  return {
    name,
    steps: [`Open ${stack.shop}/parts/counter`, { tool: 'find', args: { query: 'the button Add one' } }],
    config: { agent: { approvalMode: 'always' } },
  };
}

test('a step that is refused goes on with what is proposed for it, by one press', async () => {
  const steps = [`Open ${stack.shop}/parts/counter`, 'Please press the quixotic Add one', 'Save the Count as count'];
  const { sessionId } = await stack.client.start({ steps });
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const page = await open(`/sessions/${sessionId}`);
  await page.getByText('Left out: “quixotic”').first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Go on with: click "Add one"' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/sessions/') && !url.pathname.endsWith(sessionId));
  const forkId = page.url().split('/').at(-1)!;
  expect(await endOf(stack, forkId)).toBe('COMPLETED');
  const { variables } = await stack.client.get(forkId);
  expect(variables).toMatchObject([{ name: 'count', value: '1' }]);
}, 180_000);

test('a session is started from the page, is watched through a lost connection, and shows what it saved', async () => {
  const page = await open('/start');
  await page.getByLabel('Name', { exact: true }).fill('Count <b>once</b>');
  const steps = page.getByLabel('Steps', { exact: true });
  await steps.fill('x'.repeat(20_000));
  await page.getByText('steps[0]').waitFor();
  expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
  await steps.fill('Open ${shop}/parts/counter\nClick "Add one"\nSave the Count as count');
  await page.getByRole('button', { name: 'Add', exact: true }).first().click();
  await page.getByLabel('Variable 1: Name').fill('shop');
  await page.getByLabel('Variable 1: Value').fill(stack.shop);
  await page.getByRole('region', { name: 'What is understood' }).getByText('understood').nth(2).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/\/sessions\/[0-9a-f-]{36}$/);
  await page.getByRole('heading', { name: 'Count <b>once</b>' }).waitFor();
  await page.context().setOffline(true);
  const id = page.url().split('/').at(-1)!;
  expect(await endOf(stack, id)).toBe('COMPLETED');
  await page.context().setOffline(false);
  await page.getByText('Session completed: All 3 steps are done.').waitFor();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('count', { exact: true }).waitFor();
  await page.getByRole('img', { name: /^The page after/ }).waitFor();
  expect(await page.getByRole('slider', { name: 'Picture' }).getAttribute('aria-valuetext')).toMatch(/^\d+ of \d+, /);
  expect(await violations(page)).toEqual([]);
  await photograph(page, 'session', { colorScheme: 'dark' });
  await photograph(page, 'session-phone', { width: 390, height: 844 });
}, 180_000);

test('a question is found, answered with an edit by keyboard, and the answer is what the session does', async () => {
  const { sessionId } = await stack.client.start(asking('Ask me'));
  const page = await open('/waiting');
  await page.getByRole('link', { name: 'Ask me' }).waitFor();
  await page.getByRole('region', { name: /^Question: Look for/ }).waitFor();
  await eventually('the number in the title of the tab', async () => /^\(\d+\) /.exec(await page.title()) ?? undefined);
  expect(await violations(page)).toEqual([]);
  await photograph(page, 'waiting');
  await photograph(page, 'waiting-phone', { colorScheme: 'dark', width: 390, height: 844 });
  await page.getByRole('button', { name: 'Edit and approve…' }).press('Enter');
  await page.getByLabel('query').fill('the heading');
  await page.getByRole('button', { name: 'Approve as edited' }).press('Enter');
  await page.getByText('Nobody waits for you').waitFor();
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const [answered] = await stack.client.approvals(sessionId, 'approved');
  expect(answered).toMatchObject({ by: 'web page', editedArgs: { query: 'the heading' } });
}, 180_000);

test('what was answered elsewhere is shown, and a session is cancelled only after the page has asked', async () => {
  const { sessionId } = await stack.client.start(asking('Cancel me'));
  const page = await open(`/sessions/${sessionId}`);
  const question = page.getByRole('region', { name: /^Question: Look for/ });
  await question.waitFor();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel the session' }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  await question.waitFor({ state: 'detached' });
  expect(await endOf(stack, sessionId)).toBe('CANCELLED');
}, 180_000);

test('a session whose budget is used up goes on with the higher one that a person gives it', async () => {
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/parts/counter`, 'Click "Add one"'],
    config: { budget: { maxSteps: 1 } },
  });
  const page = await open(`/sessions/${sessionId}`);
  await page.getByRole('heading', { name: 'The budget is used up' }).waitFor();
  const list = await open('/');
  await list.getByText('Budget used up').waitFor();
  await photograph(list, 'sessions');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Completed', { exact: true }).waitFor();
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
}, 180_000);
