import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { BUDGET_SPENT, type BudgetUse } from '../../contracts/models/budget';
import { BREAKER_OPEN, CALL_HELD } from '../../contracts/models/model-limits';
import { eventually } from '../support/eventually';
import { failing, planned, says, type Script } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const TOKENS: BudgetUse = { limit: 'maxTokens', allowed: 1000, used: 1200 };

/** What `decide` fails with when the store does not admit its call. */
function refusing(code: 'TL004' | 'AI003' | 'AI001', details: object, type: string = code): ApplicationFailure {
  const failure = failing(code, 'it was not admitted', type);
  const record = { ...(failure.details![0] as object), retryable: false, details };
  return ApplicationFailure.create({ message: failure.message, type, nonRetryable: true, details: [record] });
}
const spentTokens = () => refusing('TL004', { kind: 'budget', use: TOKENS }, BUDGET_SPENT);
const held = (retryAfterMs: number) => refusing('AI003', { kind: 'held', retryAfterMs }, CALL_HELD);

const start = (script: Script, config: object = {}, steps = ['Buy a bean']) => harness.start({ steps, config }, script);
const update = (session: Session, name: string, ...args: unknown[]): Promise<unknown> =>
  session.handle.executeUpdate(name, { args: args as [unknown] });
async function refusalOf(session: Session, name: string, ...args: unknown[]): Promise<string> {
  const error: unknown = await update(session, name, ...args).catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowUpdateFailedError)) throw new Error(`${name} was expected to be refused`);
  const { type, message } = error.cause as ApplicationFailure;
  return `${type}: ${message}`;
}
const of = (session: Session, type: string) => session.seen.log.filter((record) => record.type === type);
const warnings = (session: Session) =>
  of(session, 'WARNING_ISSUED').flatMap(({ data: { warning } }) =>
    warning?.details?.['kind'] === 'budget.warning' ? [warning.details] : [],
  );

test('a budget is raised to no more than the operator allows, whoever sends the message', async () => {
  const mostBudget = { maxTokens: 2000, whenReached: 'pause' } as const;
  const script = { decide: [spentTokens(), says('PROCEED')], mostBudget };
  const session = await start(script, { budget: { maxTokens: 1000 } });
  await session.published('WORKFLOW_PAUSED');
  expect(await refusalOf(session, 'resolveBudget', { decision: 'raise', maxTokens: 2001 })).toBe(
    'SP001: maxTokens: the operator allows at most 2000 (SUREFOOT_MAX_BUDGET), got 2001',
  );
  await update(session, 'resolveBudget', { decision: 'raise', maxTokens: 2000 });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
});

test('a budget that is used up is asked about; raised, the session goes on where it stopped', async () => {
  const session = await start({ decide: [spentTokens(), says('PROCEED')] }, { budget: { maxTokens: 1000 } });
  await session.published('WORKFLOW_PAUSED');
  const waitingFor = { pausedFor: 'budget', budget: TOKENS };
  const [paused] = of(session, 'WORKFLOW_PAUSED');
  expect(paused?.data.details).toEqual(waitingFor);
  expect(paused?.data.message).toContain(`surefoot resolve-budget ${session.workflowId} --raise tokens=…|--end`);
  expect(session.seen.patches.at(-1)).toMatchObject({ status: 'PAUSED', paused: true, waitingFor });
  const { currentDetails } = await session.handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('The budget of the session is used up: 1200 of 1000 tokens.');

  expect(await refusalOf(session, 'resume')).toMatch(/^WrongState: .* waiting for a decision.*resolve-budget/);
  expect(await refusalOf(session, 'resolveBudget', { decision: 'raise', maxTokens: 1200 })).toBe(
    'SP001: maxTokens: expected more than is used already, got 1200 of 1200 tokens',
  );
  expect(await refusalOf(session, 'resolveBudget', { decision: 'raise', maxSteps: 3 })).toMatch(/^SP001: maxTokens/);
  expect(await refusalOf(session, 'resolveBudget', { decision: 'perhaps' })).toMatch(/^SP001: decision/);

  expect(await update(session, 'resolveBudget', { decision: 'raise', maxTokens: 5000 })).toMatchObject({
    totalSteps: 1,
  });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('budget-raised');
  const budget = { maxTokens: 5000, whenReached: 'pause' };
  expect(of(session, 'WORKFLOW_RESUMED')[0]?.data.details).toEqual({ budget, decision: 'raise' });
  expect(session.seen.patches.find(({ waitingFor: asked }) => asked === null)).toMatchObject({
    status: 'ACTIVE',
    budget,
  });
  // Not admitted is neither a try nor an iteration: the same call is made again.
  expect(session.seen.asked.map(({ turn }) => turn)).toEqual([0, 0]);
});

test('by signal it is ended, with what is done by then', async () => {
  const session = await start(
    { decide: [says('PROCEED'), spentTokens()] },
    { budget: { maxTokens: 1000 }, retryOnFailure: true },
    ['Buy a bean', 'Pay'],
  );
  await session.published('WORKFLOW_PAUSED');
  await session.handle.signal('resolveBudget', 'nonsense');
  await session.handle.signal('resolveBudget', { decision: 'end' });
  expect(await session.failure()).toMatchObject({
    code: 'TL004',
    retryable: false,
    message: expect.stringMatching(/1200 of 1000 tokens\. A person has decided to end it\. 1 of 2 steps are done/),
    details: { kind: 'budget', use: TOKENS, isPartial: true, completedSteps: 1, totalSteps: 2 },
  });
  expect(session.seen.stepResults.map(({ status }) => status)).toEqual(['COMPLETED', 'FAILED']);
  expect(session.seen.patches.at(-1)).toMatchObject({ closed: true, status: 'FAILED' });
});

test('a budget that says so ends the session without asking', async () => {
  const session = await start({ decide: [spentTokens()] }, { budget: { maxTokens: 1000, whenReached: 'end' } });
  expect(await session.failure()).toMatchObject({ code: 'TL004', details: { isPartial: true, completedSteps: 0 } });
  expect(of(session, 'WORKFLOW_PAUSED')).toEqual([]);
});

test('a session without a budget has that of its worker, known to the store before the first call', async () => {
  const defaultBudget = { maxTokens: 1000, whenReached: 'end' } as const;
  const session = await start({ decide: [spentTokens()], defaultBudget });
  expect(await session.failure()).toMatchObject({ code: 'TL004', details: { isPartial: true } });
  expect(session.seen.asked[0]?.outbox.patch.budget).toEqual(defaultBudget);
  const own = await start({ decide: [says('PROCEED')], defaultBudget }, { budget: { maxTokens: 7 } });
  await own.handle.result();
  expect(own.seen.patches.filter(({ budget }) => budget !== undefined)).toEqual([]);
});

test('steps are counted before a call is made: a warning at 80 percent, once, and then no call', async () => {
  const steps = ['a', 'b', 'c', 'd', 'e', 'f'];
  const session = await start(
    { decide: [...steps.slice(0, 4).map(() => says('PROCEED')), says('RETRY', [planned('c1')]), says('PROCEED')] },
    { budget: { maxSteps: 5, whenReached: 'end' } },
    steps,
  );
  expect(await session.failure()).toMatchObject({ details: { use: { limit: 'maxSteps', allowed: 5, used: 5 } } });
  expect(session.seen.asked.map(({ stepIndex }) => stepIndex)).toEqual([0, 1, 2, 3, 4, 4]);
  expect(warnings(session)).toEqual([{ kind: 'budget.warning', limit: 'maxSteps', allowed: 5, used: 4 }]);
});

test('active time is counted, also of a model that costs nothing', async () => {
  const session = await start({ decide: [] }, { budget: { maxTimeMs: 1 } });
  await session.published('WORKFLOW_PAUSED');
  expect(of(session, 'WORKFLOW_PAUSED')[0]?.data.details).toMatchObject({ budget: { limit: 'maxTimeMs', allowed: 1 } });
  await update(session, 'cancel');
  await expect(session.handle.result()).rejects.toThrow();
  expect(session.seen.patches.at(-1)).toMatchObject({ status: 'CANCELLED', waitingFor: null });
});

test('a call that is held is made again after a timer; that is no try, and no active time', async () => {
  const session = await start(
    { decide: [held(1500), failing('AI001'), held(10), says('PROCEED')] },
    { timeouts: { maxRetryAttempts: 1, retryDelayMs: 10 } },
  );
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.asked).toHaveLength(4);
  const [started] = of(session, 'WORKFLOW_STARTED');
  const [completed] = of(session, 'WORKFLOW_COMPLETED');
  const wholeMs = Date.parse(completed!.at) - Date.parse(started!.at);
  expect(wholeMs).toBeGreaterThanOrEqual(1510);
  expect(completed!.data.details?.['activeMs']).toBeLessThanOrEqual(wholeMs - 1500);
});

test('a session that is held can be paused and cancelled at once', async () => {
  const session = await start({ decide: [held(3_600_000), held(3_600_000), says('PROCEED')] });
  await eventually(
    'the wait',
    async () => (await session.history()).includes('TIMER_STARTED') && session.seen.asked[0],
  );
  await update(session, 'pause');
  await session.published('WORKFLOW_PAUSED');
  await update(session, 'resume');
  await eventually('the second wait', () => session.seen.asked[1]);
  await update(session, 'cancel');
  await expect(session.handle.result()).rejects.toThrow();
  expect(session.seen.asked).toHaveLength(2);
  expect(session.types().at(-1)).toBe('WORKFLOW_FAILED');
});

test('an open breaker leads straight to the next model, and without one it is waited for', async () => {
  const open = () => refusing('AI001', { kind: BREAKER_OPEN, retryAfterMs: 10 });
  const chain = await start({ decide: [open(), says('PROCEED')] }, { aiConfig: { model: 'vertexai/a,rules' } });
  await chain.handle.result();
  expect(chain.seen.asked.map(({ step }) => step.options.aiConfig.model)).toEqual(['vertexai/a', 'rules']);

  const alone = await start(
    { decide: [open(), open(), says('PROCEED')] },
    { aiConfig: { model: 'vertexai/a' }, timeouts: { maxRetryAttempts: 2 } },
  );
  expect(await alone.handle.result()).toMatchObject({ status: 'COMPLETED' });
  const hopeless = await start(
    { decide: [open(), open(), open()] },
    { aiConfig: { model: 'vertexai/a' }, timeouts: { maxRetryAttempts: 2 } },
  );
  expect(await hopeless.failure()).toMatchObject({ code: 'AI001' });
});

test('of two decisions that arrive together the first counts', async () => {
  const session = await start({ decide: [spentTokens(), says('PROCEED')] }, { budget: { maxTokens: 1000 } });
  await session.published('WORKFLOW_PAUSED');
  const answers = [5000, 6000].map((maxTokens) => update(session, 'resolveBudget', { decision: 'raise', maxTokens }));
  const settled = await Promise.allSettled(answers);
  expect(settled.map(({ status }) => status)).toContain('fulfilled');
  await session.handle.result();
  expect(of(session, 'WORKFLOW_RESUMED')).toHaveLength(1);
});
