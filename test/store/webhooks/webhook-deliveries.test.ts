/** Reports to webhooks are entered by the database, in the transaction in which they happen: every wait, and its end, once. */
import type { Approval } from '../../../contracts/approvals/approval';
import { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';
import type { WaitingFor } from '../../../contracts/approvals/waiting-for';
import type { RowPatch } from '../../../contracts/events/outbox';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { QuestionEnding } from '../../../contracts/sessions/webhook';
import { recipeIdOf, type ProposedRecipe } from '../../../store/recipes/recipes';
import type { Store } from '../../../store/store';
import { aSession, endSession } from '../../api/fixture';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
}, 120_000);
afterAll(() => stack.stop());

const WEBHOOK = { config: { webhook: { url: 'https://example.com/hook' } }, steps: ['Look'] };

const WAITS: WaitingFor[] = [
  { pausedFor: 'budget', budget: { limit: 'maxSteps', allowed: 1, used: 1 } },
  { pausedFor: 'message' },
  { pausedFor: 'rolled-back-store', message: 'Look.' },
  {
    pausedFor: 'unknown-outcome',
    unknown: {
      commandId: 'c',
      action: 'CLICK_ELEMENT',
      what: 'button "Buy"',
      urlBefore: 'https://shop.test/',
      urlAfter: 'https://shop.test/',
      requests: [],
    },
  },
];

function anApproval(sessionId: string, approvalId: string, more: Partial<Approval> = {}): Approval {
  return {
    approvalId,
    sessionId,
    callId: 'call',
    toolName: 'click',
    args: { secret: 'of the page' },
    classification: 'external',
    card: { type: 'info', title: 'Click "Buy"', prompt: 'Buy' },
    hash: 'h',
    stepIndex: 0,
    turn: 1,
    status: 'pending',
    askedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

async function patch(sessionId: string, change: RowPatch): Promise<void> {
  await store.log.append(sessionId, [], { patch: change });
}

async function write(sessionId: string, ...approvals: Approval[]): Promise<void> {
  await store.log.append(sessionId, [], { approvals });
}

/** What is reported of a session, in its order. */
async function reportsOf(sessionId: string): Promise<[kind: string, how: QuestionEnding['how'] | 'asked'][]> {
  const rows = await Promise.all((await store.webhooks.ofSession(sessionId)).map((id) => store.webhooks.get(id)));
  return rows
    .map((row) => row!)
    .sort((one, other) => one.happenedAt.getTime() - other.happenedAt.getTime())
    .map(({ question, ending }) => [question?.pausedFor ?? 'the end', ending?.how ?? 'asked']);
}

test.each(WAITS)('a wait for a person is reported once, and its end once: $pausedFor', async (waitingFor) => {
  const sessionId = await aSession(store, WEBHOOK);
  // As an attempt writes that is repeated after its worker was killed.
  for (let attempt = 0; attempt < 2; attempt++) await patch(sessionId, { waitingFor });
  for (let attempt = 0; attempt < 2; attempt++) await patch(sessionId, { waitingFor: null });
  const { pausedFor } = waitingFor;
  expect(await reportsOf(sessionId)).toEqual([
    [pausedFor, 'asked'],
    [pausedFor, 'answered'],
  ]);
  await patch(sessionId, { waitingFor });
  await patch(sessionId, { waitingFor: null });
  expect(await reportsOf(sessionId)).toHaveLength(4);
});

test('an approval is reported once, and who has answered it, without its arguments', async () => {
  const sessionId = await aSession(store, WEBHOOK);
  const [first, other] = [anApproval(sessionId, `${sessionId}/1`), anApproval(sessionId, `${sessionId}/2`)];
  await write(sessionId, first, other);
  await write(sessionId, first);
  const answer = {
    status: 'rejected',
    outcome: ToolConfirmationOutcome.Cancel,
    by: 'ada',
    reason: 'too dear',
  } as const;
  await write(sessionId, { ...first, ...answer });
  await write(sessionId, { ...first, ...answer });
  // A stale attempt.
  await write(sessionId, first);
  await patch(sessionId, { status: 'ACTIVE' as never });
  await endSession(store, sessionId);
  expect(await reportsOf(sessionId)).toEqual([
    ['approval', 'asked'],
    ['approval', 'asked'],
    ['approval', 'rejected'],
    ['approval', 'cancelled'],
    ['the end', 'asked'],
  ]);
  const rows = await Promise.all((await store.webhooks.ofSession(sessionId)).map((id) => store.webhooks.get(id)));
  expect(rows.map((row) => row!.ending).find((ending) => ending?.how === 'rejected')).toEqual({
    how: 'rejected',
    by: 'ada',
    reason: 'too dear',
  });
  expect(JSON.stringify(rows)).not.toContain('of the page');
});

test('the end of a session is reported with what it still waited for, and nothing without a webhook', async () => {
  const [sessionId, quiet] = [await aSession(store, WEBHOOK), await aSession(store, { steps: ['Look'] })];
  for (const each of [sessionId, quiet]) {
    await patch(each, { waitingFor: WAITS[0]! });
    await endSession(store, each);
  }
  expect(await reportsOf(sessionId)).toEqual([
    ['budget', 'asked'],
    ['budget', 'cancelled'],
    ['the end', 'asked'],
  ]);
  expect(await reportsOf(quiet)).toEqual([]);
});

test('a session that has failed is reported once to each address, and one that has not to none', async () => {
  const request = { config: { report: { mail: ['a@acme.test', 'b@acme.test', 'a@acme.test'] } }, steps: ['Look'] };
  const [failed, completed] = [await aSession(store, request), await aSession(store, request)];
  await endSession(store, completed);
  await endSession(store, failed, SessionStatus.FAILED);
  await patch(failed, { closed: true });
  expect(await store.webhooks.mails(completed)).toEqual([]);
  const waits = { status: 'pending', attempts: 0, warning: null };
  expect(await store.webhooks.mails(failed)).toEqual([
    { to: 'a@acme.test', ...waits },
    { to: 'b@acme.test', ...waits },
  ]);
  expect(await store.webhooks.newest(failed)).toBeNull();
});

test('a proposed recipe waits for a person until it is promoted or forgotten, also after its session', async () => {
  const sessionId = await aSession(store, WEBHOOK);
  await endSession(store, sessionId);
  const recipe = (instruction: string): ProposedRecipe => ({
    key: { tenant: 'default', instruction, page: 'https://shop.test/cart', variables: [] },
    rounds: [],
    source: { sessionId, stepIndex: 0 },
  });
  await store.recipes.propose(recipe('used at once'), 0, true);
  await store.recipes.propose(recipe('promoted'), 0, false);
  await store.recipes.promote(recipeIdOf(recipe('promoted').key), 1, { by: 'person', who: 'ada' });
  await store.recipes.propose(recipe('forgotten'), 0, false);
  await store.recipes.forget(recipeIdOf(recipe('forgotten').key));
  expect(await reportsOf(sessionId)).toEqual([
    ['the end', 'asked'],
    ['recipe', 'asked'],
    ['recipe', 'promoted'],
    ['recipe', 'asked'],
    ['recipe', 'forgotten'],
  ]);
});

test('the end of a question is started only once the question is delivered or given up', async () => {
  for (const id of await store.webhooks.toStart(1000)) await store.webhooks.noteStart(id);
  const sessionId = await aSession(store, WEBHOOK);
  await patch(sessionId, { waitingFor: WAITS[1]! });
  await patch(sessionId, { waitingFor: null });
  const [asked, ...others] = await store.webhooks.toStart(1000);
  expect(others).toEqual([]);
  await store.webhooks.noteStart(asked!);
  expect(await store.webhooks.toStart(1000)).toEqual([]);
  expect(await store.webhooks.beginAttempt(asked!)).toBe(1);
  await store.webhooks.endAttempt(asked!, { status: 'failed', warning: 'nobody there' });
  const [ended] = await store.webhooks.toStart(1000);
  expect(await store.webhooks.get(ended!)).toMatchObject({ closes: asked, ending: { how: 'answered' } });
});
