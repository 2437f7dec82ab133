/** What waits for a person, in a real Chromium on the real API and database: links, keys, evidence, and answers of others. */
import type { Page } from 'playwright';
import type { Approval } from '../../contracts/approvals/approval';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import type { WaitingFor } from '../../contracts/approvals/waiting-for';
import { SessionStatus } from '../../contracts/sessions/session';
import { recipeIdOf } from '../../store/recipes/recipes';
import { aSession } from '../api/fixture';
import { violations } from './axe';
import { PAGE_KEY, startPageStage, type PageStage } from './page-stage';

let stage: PageStage;
let address: string;
beforeAll(async () => {
  stage = await startPageStage();
  address = await stage.at();
}, 60_000);
afterAll(() => stage.stop());

const open = (path: string, options?: Parameters<PageStage['open']>[1]): Promise<Page> =>
  stage.open(`${address}${path}#sign-in=${PAGE_KEY}`, { reducedMotion: 'reduce', ...options });

const UNKNOWN: WaitingFor = {
  pausedFor: 'unknown-outcome',
  unknown: {
    commandId: 'c',
    action: 'CLICK_ELEMENT',
    what: 'button "Place order"',
    urlBefore: 'https://shop.test/cart',
    urlAfter: 'https://shop.test/cart',
    eventDelivered: true,
    requests: [
      { method: 'POST', url: 'https://shop.test/orders', failure: 'net::ERR_CONNECTION_RESET' },
      { method: 'POST', url: 'https://shop.test/pay', status: 409 },
    ],
  },
};

async function paused(name: string, waitingFor?: WaitingFor): Promise<string> {
  const sessionId = await aSession(stage.store, { name, steps: ['Open https://shop.test/', 'Click "Buy"'] });
  await stage.store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
  const patch = { status: SessionStatus.PAUSED, ...(waitingFor === undefined ? {} : { waitingFor }) };
  await stage.store.log.append(sessionId, [], { patch });
  return sessionId;
}

async function asked(name: string): Promise<Approval> {
  const sessionId = await paused(name);
  const approval: Approval = {
    approvalId: `${sessionId}-1`,
    sessionId,
    callId: 'call',
    toolName: 'fill',
    args: { target: 'Quantity', value: 2, submit: true },
    classification: 'external',
    card: { type: 'info', title: `Fill Quantity of ${name}`, prompt: 'Fill' },
    hash: 'h',
    stepIndex: 0,
    turn: 1,
    status: 'pending',
    askedAt: new Date().toISOString(),
  };
  await stage.store.log.append(sessionId, [], { approvals: [approval] });
  return approval;
}

async function approvedBy(by: string, approval: Approval): Promise<void> {
  const answer = { status: 'approved', outcome: ToolConfirmationOutcome.ProceedOnce, by } as const;
  await stage.store.log.append(approval.sessionId, [], {
    approvals: [{ ...approval, ...answer }],
    patch: { status: SessionStatus.ACTIVE },
  });
}

test('a link leads to its question, and says who has answered it elsewhere, meanwhile and later', async () => {
  const approval = await asked('linked');
  const link = `/waiting/${approval.sessionId}/${approval.approvalId}`;
  const page = await open(link);
  await page.getByRole('region', { name: 'Question: Fill Quantity of linked' }).waitFor();
  await approvedBy('ada', approval);
  await page.getByRole('status').filter({ hasText: 'Fill Quantity of linked approved by ada' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  const later = await open(link);
  await later.getByRole('status').filter({ hasText: 'approved by ada' }).waitFor();
  expect(await violations(later)).toEqual([]);
});

test('in the list a question that was answered elsewhere keeps its place and says so', async () => {
  const approval = await asked('listed');
  const page = await open('/waiting');
  const item = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'listed' }) });
  await item.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  await approvedBy('bob', approval);
  await item.getByText('approved by bob').waitFor();
  await item.getByText('Waits for nobody any more').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('while an approval waits the first button of the session answers it, and none resumes', async () => {
  const approval = await asked('first');
  const page = await open(`/sessions/${approval.sessionId}`);
  const buttons = page.getByRole('main').getByRole('button');
  await buttons.first().waitFor();
  await page.getByRole('button', { name: 'Cancel…' }).waitFor();
  expect(await buttons.first().innerText()).toBe('Approve');
  expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
  await approvedBy('ada', approval);
});

test('arguments are edited by kind: a text, a number, yes or no', async () => {
  const approval = await asked('edited');
  const page = await open(`/waiting/${approval.sessionId}`);
  await page.getByRole('button', { name: 'Edit and approve…' }).click();
  expect(await page.getByLabel('value', { exact: true }).getAttribute('type')).toBe('number');
  expect(await page.getByLabel('submit', { exact: true }).isChecked()).toBe(true);
  expect(await page.getByLabel('target', { exact: true }).inputValue()).toBe('Quantity');
  expect(await violations(page)).toEqual([]);
  await approvedBy('ada', approval);
});

test('every kind of question is reached by keys and accessible, wide and narrow', async () => {
  const ids = [
    await paused('unknown', UNKNOWN),
    await paused('budget', { pausedFor: 'budget', budget: { limit: 'maxSteps', allowed: 1, used: 1 } }),
    await paused('forgotten', { pausedFor: 'rolled-back-store', message: 'Look at it.' }),
  ];
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await open('/waiting', { viewport });
    const against = page.getByRole('region', { name: 'Speaks against it' });
    await against.getByText('POST https://shop.test/pay was answered with 409.').waitFor();
    const speaksFor = await page.getByRole('region', { name: 'Speaks for it' }).getByRole('listitem').allInnerTexts();
    expect(speaksFor).toEqual([
      'The page has seen its event.',
      'POST https://shop.test/orders was sent; whether it arrived is unknown (net::ERR_CONNECTION_RESET).',
    ]);
    await page.getByRole('region', { name: 'The session needs a look' }).waitFor();
    for (const [key, name] of [
      ['j', 'Question: did it happen?'],
      ['j', 'Question: the budget'],
      ['k', 'Question: did it happen?'],
    ]) {
      await page.keyboard.press(key!);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(name);
    }
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
  for (const id of ids)
    await stage.store.log.append(id, [], { patch: { status: SessionStatus.ACTIVE, waitingFor: null } });
});

test('a recipe that waits to be promoted is shown, and used once a person agrees', async () => {
  const sessionId = await aSession(stage.store, { steps: ['Look'] });
  const key = { tenant: 'default', instruction: 'Open the cart', page: 'https://shop.test/', variables: [] };
  const command = { action: 'CLICK_ELEMENT' as const, parameters: { selector: 'role=link[name="Cart"]' } };
  const after = { page: 'https://shop.test/cart', texts: [], requests: [] };
  const rounds = [{ page: 'https://shop.test/', commands: [command], after }];
  await stage.store.recipes.propose({ key, rounds, source: { sessionId, stepIndex: 0 } }, 0, false);
  const page = await open('/waiting');
  const recipe = page.getByRole('listitem', { name: 'Recipe: Open the cart' });
  await recipe.getByText('CLICK_ELEMENT').waitFor();
  expect(await violations(page)).toEqual([]);
  await recipe.getByRole('button', { name: 'Use it from now on' }).press('Enter');
  await recipe.waitFor({ state: 'detached' });
  expect(await stage.store.recipes.promoted(recipeIdOf(key))).toMatchObject({ version: 1, status: 'promoted' });
});

test('a reader who wants it is notified by the browser', async () => {
  const page = await open('/waiting', { permissions: ['notifications'] });
  await page.getByText('Your browser notifies you of new ones.').waitFor();
  expect(await page.getByRole('button', { name: 'Notify me of new ones' }).count()).toBe(0);
});
