import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import type { ConfirmationCard } from '../../contracts/approvals/approval';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { eventually } from '../support/eventually';
import { aCall, aToolCall, thinks, type Script } from '../support/fake-activities';
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

test('[S2.A1, S3.A8] a call whose tool asks waits: listed and PAUSED before it runs, then run once', async () => {
  const session = await waiting([asking()]);
  expect(run(session)).toEqual([]);
  const [announced] = facts(session, 'approval');
  expect(announced).toMatchObject({
    type: 'SESSION_STATUS',
    data: { details: { status: 'PAUSED', pausedFor: 'approval', approvalId: 'appr_1', callId: 'call_1' } },
    facts: {
      approvalId: 'appr_1',
      toolName: 'computer',
      classification: 'write',
      card: { ...card, prompt: 'It may cost money. Task: Buy a bean' },
    },
  });
  expect(session.seen.patches.at(-1)).toMatchObject({ status: 'PAUSED', paused: true });
  const { currentDetails } = await session.handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('surefoot approve appr_1');
  expect(await decide(session, { outcome: 'proceed_once' })).toMatchObject({ totalSteps: 1 });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('approval');
  expect(run(session)).toEqual(['command of call_1']);
  expect(session.seen.approvals).toMatchObject([{ status: 'approved', outcome: 'proceed_once' }]);
  expect(facts(session, 'approval')).toHaveLength(1);
});

test('[S3.A8] a rejected call never runs; the model hears of it, with the reason, and the task goes on', async () => {
  const session = await waiting([asking()]);
  await decide(session, { outcome: 'cancel', reason: 'too dear' });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(run(session)).toEqual([]);
  expect(facts(session, 'result')[0]?.facts).toMatchObject({ isUnrun: true, summary: 'rejected by user: too dear' });
  expect(session.seen.thought[1]?.ends).toMatchObject([
    { callId: 'call_1', status: 'cancelled', message: expect.stringContaining('rejected this call') },
  ]);
  expect(session.seen.approvals).toMatchObject([{ status: 'rejected', reason: 'too dear' }]);
});

test('[S2.A1] yolo approves everything without asking', async () => {
  const session = await start({ runModelTurn: [thinks('', [asking()]), thinks('Bought.')] }, { approvalMode: 'yolo' });
  await session.handle.result();
  expect(run(session)).toEqual(['command of call_1']);
  expect(session.seen.approvals).toEqual([]);
});

test('[S2.A1] always asks for every call, also where the tool gave no card', async () => {
  const session = await waiting([aToolCall('call_1', 'notes__add')], {}, { approvalMode: 'always' });
  expect(pending(session)).toMatchObject([{ card: { type: 'info' }, toolName: 'notes__add' }]);
  await decide(session, { outcome: 'proceed_once' });
  await session.handle.result();
  expect(session.seen.tools).toHaveLength(1);
});

test('a tool that is always to be asked for is asked for in every mode', async () => {
  const session = await waiting([asking('call_1', { requiresApproval: true })], {}, { approvalMode: 'yolo' });
  await decide(session, { outcome: 'cancel' });
  await session.handle.result();
  expect(run(session)).toEqual([]);
});

test('[S2.A2] an approval for the rest of the session covers its tool and no other kind of call of it', async () => {
  const destroying = asking('call_3', { classification: 'destructive' });
  const session = await start({
    runModelTurn: [thinks('', [asking('call_1')]), thinks('', [asking('call_2'), destroying]), thinks('Bought.')],
  });
  await eventually('the first question', () => pending(session).length === 1);
  await decide(session, { outcome: 'proceed_always' });
  await eventually('the second question', () => pending(session).length === 1);
  expect(pending(session)[0]?.callId).toBe('call_3');
  expect(run(session)).toEqual(['command of call_1', 'command of call_2']);
  await decide(session, { outcome: 'cancel' });
  await session.handle.result();
  expect(run(session)).toHaveLength(2);
});

test('an approval for the session is revoked once: what it covered is asked about again', async () => {
  const session = await start({
    runModelTurn: [
      thinks('', [asking('call_1')]),
      thinks('', [asking('call_2')]),
      thinks('', [asking('call_3'), asking('call_4', { classification: 'destructive' })]),
      thinks('', [asking('call_5')]),
      thinks('Bought.'),
    ],
  });
  const asked = async (callId: string) =>
    await eventually(`the question about ${callId}`, () => pending(session)[0]?.callId === callId);
  const revoke = (approvalId: string, by = 'Ada') =>
    session.handle.executeUpdate('revokeApproval', { args: [{ approvalId, by }] });
  await asked('call_1');
  expect(await refusalOf(revoke('appr_1'))).toContain('it is not holding appr_1 for good');
  await decide(session, { outcome: 'proceed_once' });
  await asked('call_2');
  expect(await refusalOf(revoke('appr_1'))).toContain('it is not holding appr_1 for good');
  await decide(session, { outcome: 'proceed_always' });
  await asked('call_4');
  expect(await refusalOf(session.handle.executeUpdate('revokeApproval', { args: [{}] }))).toContain('approvalId');
  await revoke('appr_2');
  expect(session.seen.revocations).toMatchObject([{ approvalId: 'appr_2', by: 'Ada' }]);
  expect(await refusalOf(revoke('appr_2'))).toContain('not holding appr_2');
  await decide(session, { outcome: 'cancel' });
  await asked('call_5');
  await decide(session, { outcome: 'cancel' });
  await session.handle.result();
  expect(run(session)).toEqual(['command of call_1', 'command of call_2', 'command of call_3']);
  const said = session.seen.log.map(({ data }) => data.message ?? '').filter((each) => /From now|revoked/.test(each));
  expect(said).toEqual([
    'From now on this runs without a question: computer (write). Revoke it with: surefoot revoke appr_2',
    'Ada has revoked an approval. This waits for an answer again: computer (write).',
  ]);
});

test('[S2.A2] an approval for a server covers the tools of that server alone', async () => {
  const of = (callId: string, server: string) =>
    aToolCall(callId, `${server}__do`, { card, scope: { tool: `${server}__do`, server } });
  const session = await waiting([of('call_1', 'notes'), of('call_2', 'notes'), of('call_3', 'mail')]);
  await decide(session, { outcome: 'proceed_always_server' });
  await eventually('the question about the other server', () => pending(session)[0]?.callId === 'call_3');
  expect(session.seen.tools.map(({ callId }) => callId)).toEqual(['call_1', 'call_2']);
  await decide(session, { outcome: 'cancel' });
  await session.handle.result();
});

test('[S2.A3] edited arguments are planned anew and run without another question', async () => {
  const session = await waiting([aToolCall('call_1', 'notes__add', { card, args: { text: 'buy' } })]);
  await decide(session, { outcome: 'modify_with_editor', args: { text: 'do not buy' } });
  await session.handle.result();
  expect(session.seen.replanned.at(-1)).toMatchObject({ callId: 'call_1', args: { text: 'do not buy' } });
  expect(session.seen.tools).toHaveLength(1);
  expect(session.seen.approvals).toMatchObject([{ status: 'approved', outcome: 'modify_with_editor' }]);
});

test('[S2.A3] new content stands for the argument of that name', async () => {
  const session = await waiting([aToolCall('call_1', 'write_file', { card })]);
  await decide(session, { outcome: 'modify_with_editor', newContent: 'better' });
  await session.handle.result();
  expect(session.seen.replanned.at(-1)).toMatchObject({ newContent: 'better' });
});

test('[S2.A3] a wish to edit that brings nothing cancels the call', async () => {
  const session = await waiting([asking()]);
  await decide(session, { outcome: 'modify_with_editor' });
  await session.handle.result();
  expect(run(session)).toEqual([]);
  expect(session.seen.thought[1]?.ends).toMatchObject([
    { status: 'cancelled', message: expect.stringContaining('No modification content provided') },
  ]);
});
