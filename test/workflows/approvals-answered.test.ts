import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import type { ConfirmationCard } from '../../contracts/approvals/approval';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { eventually } from '../support/eventually';
import { aCall, aLease, aToolCall, thinks, type Script } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const card: ConfirmationCard = { type: 'info', title: 'Press “Place order”?', prompt: 'It may cost money.' };
const asking = (callId = 'call_1', change: Partial<PlannedCall> = {}): PlannedCall =>
  aCall(callId, { card, ...change });

async function start(script: Script, agent: object = {}): Promise<Session> {
  return await harness.start({ steps: [{ task: 'Buy a bean' }], config: { agent } }, script);
}

/** A task whose first reply has these calls; resolves when so many questions are open. */
async function waiting(calls: PlannedCall[], more: Partial<Script> = {}, agent: object = {}, count = 1) {
  const session = await start({ runModelTurn: [thinks('I buy.', calls), thinks('Bought.')], ...more }, agent);
  await eventually('the questions', () => pending(session).length === count);
  return session;
}

const pending = (session: Session) => session.seen.approvals.filter(({ status }) => status === 'pending');

/** Answers the oldest question, and waits until the log has the answer. */
async function decide(session: Session, answer: object): Promise<unknown> {
  const { approvalId } = pending(session)[0]!;
  const accepted = await session.handle.executeUpdate('decideApproval', { args: [{ approvalId, ...answer }] });
  const isOpen = () => pending(session).some((each) => each.approvalId === approvalId);
  await eventually(`the answer about ${approvalId}`, () => !isOpen());
  return accepted;
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowUpdateFailedError)) throw new Error('it was expected to be refused');
  const { type, message } = error.cause as ApplicationFailure;
  return `${type}: ${message}`;
}

const run = (session: Session) =>
  session.seen.batches.flatMap(({ commands }) => commands.map(({ commandId }) => commandId));
const facts = (session: Session, kind: string) =>
  session.seen.log.flatMap((record) => (record.facts?.kind === kind ? [record] : []));

test('edited arguments that are not valid run nothing, and the model hears why', async () => {
  const refused = asking('call_1', { run: { kind: 'refused', message: 'validation failed: text: expected a string' } });
  const session = await waiting([asking()], { planCall: [asking(), refused] });
  await decide(session, { outcome: 'modify_with_editor', args: { text: 7 } });
  await session.handle.result();
  expect(run(session)).toEqual([]);
  expect(session.seen.thought[1]?.ends[0]?.message).toContain('validation failed');
});

test('a page that changed since the question asks again: the first answer runs nothing', async () => {
  const changed = asking('call_1', { hash: 'another page', args: { ref: 'e2' } });
  const session = await waiting([asking()], { planCall: [changed, changed] });
  await decide(session, { outcome: 'proceed_once' });
  await eventually('the second question', () => pending(session).length === 1);
  expect(pending(session)).toMatchObject([{ approvalId: 'appr_1-2', hash: 'another page', args: { ref: 'e2' } }]);
  expect(run(session)).toEqual([]);
  await decide(session, { outcome: 'proceed_once' });
  await session.handle.result();
  expect(run(session)).toEqual(['command of call_1']);
});

test('an approval for the session that was given for a page that changed is not remembered', async () => {
  const changed = asking('call_1', { hash: 'another page' });
  const session = await waiting([asking()], { planCall: [changed] });
  await decide(session, { outcome: 'proceed_always' });
  await eventually('the second question', () => pending(session).length === 1);
  await decide(session, { outcome: 'cancel' });
  await session.handle.result();
  expect(run(session)).toEqual([]);
});

test('[S2.A11] a question that expires is nobody’s refusal: the call is cancelled and the log says so', async () => {
  const session = await start({ runModelTurn: [thinks('', [asking()]), thinks('Later.')] }, { approvalTimeoutMs: 300 });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.approvals).toMatchObject([{ status: 'expired', expiresAt: expect.any(String) }]);
  expect(session.seen.approvals[0]).not.toHaveProperty('outcome');
  const said = session.seen.log.filter(({ data }) => data.details?.['answer'] === 'expired');
  expect(said.map(({ data }) => data.message)).toEqual([expect.stringContaining('Nobody has answered in time')]);
  const { message } = session.seen.thought[1]!.ends[0]!;
  expect(message).toContain('Nobody has refused it');
  expect(message).not.toContain('rejected');
  expect(run(session)).toEqual([]);
});

test('free calls that need a person are asked for together, and none runs before all have their answers', async () => {
  const free = { kind: 'tool', isFree: true, timeoutMs: 5000 } as const;
  const calls = ['call_1', 'call_2'].map((id) => aToolCall(id, `read_${id}`, { card, run: free }));
  const session = await waiting(calls, {}, {}, 2);
  await decide(session, { outcome: 'cancel' });
  await eventually('the first is rejected', () => pending(session).length === 1);
  expect(session.seen.tools).toEqual([]);
  await decide(session, { outcome: 'proceed_once' });
  await session.handle.result();
  expect(session.seen.tools.map(({ callId }) => callId)).toEqual(['call_2']);
  expect(session.seen.thought[1]?.ends.map(({ callId, status }) => [callId, status])).toEqual([
    ['call_1', 'cancelled'],
    ['call_2', 'success'],
  ]);
});

test('of two who decide at once one wins and the other is refused', async () => {
  const session = await waiting([asking()]);
  const answers = ['proceed_once', 'cancel'].map((outcome) => decide(session, { outcome }));
  const settled = await Promise.allSettled(answers);
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const lost = settled.find((each) => each.status === 'rejected')!.reason as WorkflowUpdateFailedError;
  expect(lost.cause).toMatchObject({ type: 'WrongState', message: expect.stringContaining('not waiting for one') });
  await session.handle.result();
  expect(run(session)).toHaveLength(settled[0]!.status === 'fulfilled' ? 1 : 0);
});

test('a confirmation that nobody waits for is refused with what is waited for; a signal is ignored', async () => {
  const session = await waiting([asking()]);
  const update = (answer: object) => session.handle.executeUpdate('decideApproval', { args: [answer] });
  expect(await refusalOf(update({ approvalId: 'appr_9', outcome: 'proceed_once' }))).toBe(
    "WrongState: The session can't be given this answer: it is waiting for appr_1 (computer), not appr_9.",
  );
  expect(await refusalOf(decide(session, { outcome: 'why not' }))).toMatch(/^SP001: outcome: /);
  expect(await refusalOf(decide(session, { outcome: 'proceed_once', args: {} }))).toMatch(/^SP001: args: /);
  expect(await refusalOf(session.handle.executeUpdate('resume'))).toContain('surefoot approve appr_1');
  await session.handle.signal('decideApproval', { approvalId: 'appr_9', outcome: 'cancel' });
  await session.handle.signal('decideApproval', 'nonsense');
  await session.handle.signal('decideApproval', { approvalId: 'appr_1', outcome: 'proceed_once' });
  await session.handle.result();
  expect(run(session)).toHaveLength(1);
});

test("a model that obeys a page can neither approve its call, raise the mode nor use others' approvals", async () => {
  const session = await waiting([
    asking('call_1', { args: { approvalMode: 'yolo', outcome: 'proceed_always', approvalId: 'appr_1' } }),
  ]);
  await decide(session, { outcome: 'proceed_once' });
  await session.handle.result();
  const again = await waiting([asking('call_1'), asking('call_2', { args: { ref: 'e2' } })]);
  await decide(again, { outcome: 'proceed_once' });
  await eventually('the second question', () => pending(again)[0]?.callId === 'call_2');
  expect(run(again)).toEqual(['command of call_1']);
  await decide(again, { outcome: 'cancel' });
  await again.handle.result();
  expect(run(again)).toEqual(['command of call_1']);
});

test('time spent waiting for an answer counts neither for the step nor for the session', async () => {
  // Long enough for what a busy machine takes to come to the question.
  const limits = { workflowTimeoutMs: 6000, stepTimeoutMs: 6000, requestTimeoutMs: 1000, connectionTimeoutMs: 1000 };
  const session = await harness.start(
    { steps: [{ task: 'Buy a bean' }], config: { timeouts: limits } },
    { runModelTurn: [thinks('', [asking()]), thinks('Bought.')] },
  );
  await eventually('the question', () => pending(session).length === 1);
  const askedAt = Date.now();
  await eventually('both limits would be over', () => Date.now() > askedAt + 6200);
  await decide(session, { outcome: 'proceed_once' });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('a browser that waits too long for a person is given back, and the call runs in the next one', async () => {
  const opening = aCall('call_0', { name: 'navigate', effect: 'idempotent' });
  const session = await waiting([opening, asking()], {
    pauseReleaseMs: 20,
    acquireBrowser: [async () => aLease(), async () => aLease({ epoch: 2, isPageChanged: false })],
  });
  const news = () => session.seen.log.flatMap(({ data }) => (data.details?.['browser'] as unknown) ?? []);
  await eventually('the browser is given back', () => news().includes('given-back'));
  await decide(session, { outcome: 'proceed_once' });
  await session.handle.result();
  expect(news()).toEqual(['given-back', 'same-page']);
  const last = session.seen.batches.at(-1);
  expect([last?.lease.epoch, last?.commands[0]?.commandId]).toEqual([2, 'command of call_1']);
});

test('[S2.R13] cancelling the session while it waits ends the question, and nothing runs', async () => {
  const session = await waiting([asking(), asking('call_2')]);
  await session.handle.executeUpdate('cancel');
  await expect(session.handle.result()).rejects.toThrow();
  expect(run(session)).toEqual([]);
  expect(session.seen.approvals).toMatchObject([{ callId: 'call_1', status: 'cancelled' }]);
  expect(facts(session, 'result').map(({ facts: each }) => each)).toMatchObject([
    { callId: 'call_1', isUnrun: true },
    { callId: 'call_2', isUnrun: true },
  ]);
  expect(session.types().at(-1)).toBe('WORKFLOW_FAILED');
});
