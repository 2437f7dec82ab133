import { ApplicationFailure } from '@temporalio/common';
import { StreamEventType } from '../../contracts/events/stream-event';
import { eventually } from '../support/eventually';
import { failing, planned, says } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const PRO = 'vertexai/gemini-2.5-pro';
const FLASH = 'vertexai/gemini-2.5-flash';
const timeouts = { retryDelayMs: 10, maxRetryAttempts: 1 };
const request = (steps: string[]) => ({
  steps,
  config: { aiConfig: { model: `${PRO}, ${FLASH},rules` }, timeouts },
});
const modelsAsked = ({ seen }: Session) => seen.asked.map(({ step }) => step.options.aiConfig.model);
const fallbacks = ({ seen }: Session) =>
  seen.log
    .filter(({ type }) => type === StreamEventType.WARNING_ISSUED)
    .map(({ data }) => data.warning!)
    .filter(({ details }) => details?.['kind'] === 'agent.model_fallback');
const click = [planned('c1')];

function failingWith(code: 'AI001' | 'AI003', details: object): ApplicationFailure {
  const failure = failing(code);
  const record = failure.details![0] as object;
  return ApplicationFailure.create({
    message: code,
    type: code,
    nonRetryable: true,
    details: [{ ...record, details }],
  });
}

test('a model that fails for good is followed by the next, and the log says so', async () => {
  const session = await harness.start(request(['Buy a bean']), {
    decide: [failing('AI002', 'wrong key'), says('PROCEED')],
  });
  await session.handle.result();
  await session.keepHistory('next-model');
  expect(modelsAsked(session)).toEqual([PRO, FLASH]);
  expect(fallbacks(session)).toMatchObject([
    {
      code: 'AI002',
      details: { from: PRO, to: FLASH },
      message: `${PRO} failed, so ${FLASH} is asked instead: wrong key`,
    },
  ]);
});

test('a failure that a retry may cure is retried first', async () => {
  const session = await harness.start(request(['Buy a bean']), {
    decide: [failing('AI001'), failing('AI001'), failing('AI003'), says('PROCEED')],
  });
  await session.handle.result();
  expect(modelsAsked(session)).toEqual([PRO, PRO, FLASH, FLASH]);
});

test('a provider that is out is not asked again in this step, but in the next', async () => {
  const session = await harness.start(request(['Buy a bean', 'Pay']), {
    decide: [failing('AI002'), says('RETRY', click), says('PROCEED'), says('PROCEED')],
  });
  await session.handle.result();
  expect(modelsAsked(session)).toEqual([PRO, FLASH, FLASH, PRO]);
});

test('what lies with the question goes to the next model once, and the first is asked again', async () => {
  const session = await harness.start(request(['Buy a bean']), {
    decide: [failing('AI005', 'blocked'), says('RETRY', click), says('PROCEED')],
  });
  await session.handle.result();
  expect(modelsAsked(session)).toEqual([PRO, FLASH, PRO]);
});

test('when all have failed the session fails as the last one did', async () => {
  const session = await harness.start(request(['Buy a bean']), {
    decide: [failing('AI002'), failing('AI005'), failing('AI004', 'nothing usable')],
  });
  expect(await session.failure()).toMatchObject({ code: 'AI004', message: 'nothing usable' });
  expect(fallbacks(session)).toHaveLength(2);
});

test('a failure that is no model’s is not asked of another', async () => {
  const session = await harness.start(request(['Buy a bean']), { decide: [failing('CM004')] });
  expect(await session.failure()).toMatchObject({ code: 'CM004' });
  expect(modelsAsked(session)).toEqual([PRO]);
});

test('a provider that says how long to wait is waited for, and a stall is retried once only', async () => {
  const slow = {
    ...request(['Buy a bean']),
    config: { aiConfig: { model: PRO }, timeouts: { ...timeouts, maxRetryAttempts: 3 } },
  };
  const session = await harness.start(slow, {
    decide: [failingWith('AI003', { retryAfterMs: 1500 }), says('PROCEED')],
  });
  await session.handle.result();
  await session.keepHistory('provider-waited-for');
  // By the server's clock.
  const events = (await session.handle.fetchHistory()).events!;
  const atMs = ({ eventTime }: (typeof events)[number]): number =>
    Number(eventTime?.seconds) * 1000 + Number(eventTime?.nanos) / 1e6;
  const again = events.find((event) => event.activityTaskStartedEventAttributes?.attempt === 2)!;
  const { scheduledEventId } = again.activityTaskStartedEventAttributes!;
  const scheduled = events.find(({ eventId }) => String(eventId) === String(scheduledEventId))!;
  expect(atMs(again) - atMs(scheduled)).toBeGreaterThanOrEqual(1500);

  const stalling = await harness.start(slow, {
    decide: [failingWith('AI001', { maxRetries: 1 }), failingWith('AI001', { maxRetries: 1 })],
  });
  expect(await stalling.failure()).toMatchObject({ code: 'AI001' });
  expect(modelsAsked(stalling)).toEqual([PRO, PRO]);
});

test('the rate limit of the only model is waited for; with another model that one is asked', async () => {
  const limited = failingWith('AI003', { kind: 'rate-limited' });
  const only = { ...request(['Buy a bean']), config: { aiConfig: { model: PRO }, timeouts } };
  const session = await harness.start(only, { decide: [limited, limited] });
  const waits = async () =>
    (await session.handle.fetchHistory()).events!.flatMap(({ timerStartedEventAttributes: timer }) =>
      Number(timer?.startToFireTimeout?.seconds ?? 0) === 10 ? [timer] : [],
    );
  await eventually('a wait of ten seconds', async () => (await waits()).length === 1);
  await session.handle.cancel();
  await expect(session.handle.result()).rejects.toThrow();
  expect(modelsAsked(session)).toEqual([PRO, PRO]);

  const another = await harness.start(request(['Buy a bean']), { decide: [limited, limited, says('PROCEED')] });
  await another.handle.result();
  expect(modelsAsked(another)).toEqual([PRO, PRO, FLASH]);
});

test('a server of one’s own that has answered is waited for while it restarts, one that never did is not', async () => {
  const own = 'ai:openai-compatible/qwen3';
  const away = failingWith('AI001', { kind: 'unreachable' });
  const only = { steps: ['Buy a bean', 'Pay'], config: { aiConfig: { model: own }, timeouts } };
  // After two tries the step would fail; the third is made when the server has had time to restart.
  const session = await harness.start(only, { decide: [says('PROCEED'), away, away, says('PROCEED')] });
  await session.handle.result();
  expect(modelsAsked(session)).toEqual([own, own, own, own]);

  const never = await harness.start(only, { decide: [away, away] });
  expect(await never.failure()).toMatchObject({ code: 'AI001' });
  expect(modelsAsked(never)).toEqual([own, own]);
});

test('a call has the limit of the workers where the session leaves it at its default, within its step', async () => {
  const short = { instruction: 'Pay', timeoutMs: 60_000 };
  const own = { instruction: 'Look', aiConfig: { timeoutMs: 45_000 } };
  const session = await harness.start(
    { steps: ['Buy a bean', short, own] },
    { modelTimeoutMs: 90_000, decide: [says('PROCEED'), says('PROCEED'), says('PROCEED')] },
  );
  await session.handle.result();
  expect(session.seen.asked.map(({ step }) => step.options.aiConfig.timeoutMs)).toEqual([90_000, 60_000, 45_000]);
  const { events } = await session.handle.fetchHistory();
  const limits = events!.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === 'decide' ? [Number(scheduled.startToCloseTimeout?.seconds)] : [],
  );
  // Four calls and half a minute, within what the step has left; by default it would be 150.
  expect(limits[0]).toBeGreaterThan(290);
  expect(limits[2]).toBe(210);
});

test('[S1.57.7] a step that names a connection of its own asks the model of that', async () => {
  const own = (connectionId: string, model?: string) => ({
    instruction: 'Buy a bean',
    aiConfig: { connectionId, ...(model === undefined ? {} : { model }) },
  });
  const session = await harness.start(
    { steps: ['Buy a bean', own('team-a'), own('team-a', 'ai:openai/gpt-5-mini')] },
    { decide: [says('PROCEED'), says('PROCEED'), says('PROCEED')] },
  );
  await session.handle.result();
  expect(modelsAsked(session)).toEqual(['rules', 'ai:openai/gpt-5', 'ai:openai/gpt-5-mini']);
  expect(session.seen.asked.map(({ step }) => step.options.aiConfig.connectionId)).toEqual([
    'default',
    'team-a',
    'team-a',
  ]);
});
