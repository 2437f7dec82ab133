import fc from 'fast-check';
import type { StepUpdate } from '../../../../contracts/tasks/agent-loop';
import { encodeAll } from '../../../../contracts/events/formats/format';
import { stepsFormat, StepsFrameSchema, type StepsFrame } from '../../../../contracts/events/formats/steps';
import { EVERYTHING, logOf, type SessionPlan } from '../../../support/format-logs';
import { anySession } from '../../../support/format-plans';

const framesOf = (plan: SessionPlan): StepsFrame[] => encodeAll(stepsFormat, logOf(plan)).map(({ frame }) => frame);
const updatesOf = (plan: SessionPlan) => framesOf(plan).flatMap((frame) => (frame.type === 'step' ? [frame.data] : []));

/** Updates that are out of the order of an iteration; of the last one, the end of the run, nothing is asked here. */
function outOfOrder(updates: readonly StepUpdate[]): StepUpdate[] {
  let running: string | undefined;
  let thinking = 0;
  return updates.filter(({ step, status, toolName }) => {
    const before = running;
    if (status === 'thinking') return (thinking += 1) !== step || before !== undefined;
    running = status === 'tool_use' ? toolName : undefined;
    if (status === 'tool_use') return step !== thinking || before !== undefined;
    // A call that was never run has a result only.
    return step !== thinking || (before !== undefined && before !== toolName);
  });
}

test('[S0.A4] an iteration is thinking, then tool_use and tool_result per tool; one end comes last', () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      const updates = updatesOf(plan);
      expect(updates.filter(({ status }) => status === 'complete' || status === 'error')).toEqual([updates.at(-1)]);
      expect(outOfOrder(updates.slice(0, -1))).toEqual([]);
    }),
  );
  expect(outOfOrder(updatesOf(EVERYTHING).slice(0, -1).toReversed())).not.toEqual([]);
});

test('[S0.A3] iterations are counted from 1, and all updates of one carry its number', () => {
  expect(updatesOf(EVERYTHING).map(({ step, status }) => `${step} ${status}`)).toEqual([
    '1 thinking',
    '1 tool_use',
    '1 tool_result',
    '1 tool_use',
    '1 tool_result',
    '2 thinking',
    '2 tool_use',
    '2 tool_result',
    '2 tool_result',
    '2 tool_use',
    '2 tool_result',
    '3 thinking',
    '4 thinking',
    '4 complete',
  ]);
});

test('what goes with a status: tool and input with tool_use, the tool with tool_result, text at the end', () => {
  const updates = updatesOf(EVERYTHING);
  expect(updates.find(({ status }) => status === 'tool_use')).toEqual({
    step: 1,
    status: 'tool_use',
    toolName: 'navigate',
    toolInput: { tool: 'navigate', ref: 'e12' },
  });
  expect(updates.find(({ status }) => status === 'tool_result')).toEqual({
    step: 1,
    status: 'tool_result',
    toolName: 'navigate',
  });
  expect(updates.at(-1)).toEqual({ step: 4, status: 'complete', text: 'You are welcome.' });
});

test.each([
  ['cancelled', 'Task was cancelled.'],
  ['max_steps', 'The task did not complete within the step limit.'],
  ['model-failed', 'The model could not be asked.'],
] as const)('[S0.A4] a run that ends %s has one error: %s', (ending, text) => {
  fc.assert(
    fc.property(anySession, (plan) => {
      expect(updatesOf({ ...plan, ending }).at(-1)).toMatchObject({ status: 'error', text });
    }),
    { numRuns: 20 },
  );
});

test('words are frames of their own, each once; a chunk says where it restarts those of a lost attempt', () => {
  const words = framesOf(EVERYTHING).flatMap((frame) => (frame.type === 'step' ? [] : [frame]));
  expect(words).toEqual([
    { type: 'text', data: { chunk: 'I be' } },
    { type: 'text', data: { chunk: 'gin' } },
    { type: 'text', data: { chunk: '\n\nI look at ', isRestart: true } },
    { type: 'text', data: { chunk: 'the shop.' } },
    { type: 'text', data: { chunk: 'Now I order.' } },
    { type: 'text', data: { chunk: 'The order is' } },
    { type: 'text', data: { chunk: ' sent.' } },
    { type: 'text', data: { chunk: 'You are welcome.' } },
  ]);
});

test('every frame has its schema', () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      for (const frame of framesOf(plan)) expect(StepsFrameSchema.parse(frame)).toEqual(frame);
    }),
    { numRuns: 40 },
  );
});
