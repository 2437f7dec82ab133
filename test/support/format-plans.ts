import fc from 'fast-check';
import type { CallPlan, IterationPlan, SessionPlan, StepPlan, TurnPlan } from './format-logs';

const word = fc.constantFrom('I ', 'look', ' at', ' the shop', '.', '\n', '{"a":1}');
const usage = fc.record({ inputTokens: fc.nat(5000), outputTokens: fc.nat(900), cachedTokens: fc.nat(100) });
const cost = fc.option(fc.constantFrom('0.01', '0.0000012', '1.5', '0'), { nil: undefined });

const call: fc.Arbitrary<CallPlan> = fc.record({
  tool: fc.constantFrom('navigate', 'click', 'order'),
  isBrowser: fc.boolean(),
  way: fc.constantFrom('runs', 'refused', 'approved', 'rejected', 'expired'),
  isFailing: fc.boolean(),
});

const turn: fc.Arbitrary<TurnPlan> = fc.record({
  lost: fc.array(fc.array(word, { maxLength: 3 }), { maxLength: 2 }),
  words: fc.array(word, { minLength: 1, maxLength: 4 }),
  isWhole: fc.boolean(),
  thought: fc.option(fc.constant('Hm.'), { nil: undefined }),
  calls: fc.array(call, { maxLength: 3 }),
  usage,
  cost,
  end: fc.constantFrom('complete', 'incomplete'),
  isFallback: fc.boolean(),
});

const iteration: fc.Arbitrary<IterationPlan> = fc.record({
  message: fc.constantFrom('Done.', 'I click Buy.', 'Once more.'),
  deltas: fc.array(fc.constantFrom('{"dec', 'ision":'), { maxLength: 2 }),
  actions: fc.array(
    fc.record({
      action: fc.constantFrom('CLICK_ELEMENT', 'OPEN_PAGE', 'SELECT_OPTION'),
      isFailing: fc.boolean(),
      isFollowed: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  usage,
  cost,
});

const step: fc.Arbitrary<StepPlan> = fc.oneof(
  fc.record({ kind: fc.constant('task' as const), turns: fc.array(turn, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('instruction' as const),
    iterations: fc.array(iteration, { minLength: 1, maxLength: 3 }),
  }),
);

/** Sessions of both loops, with retries, restarts, approvals, failures and cancellations. */
export const anySession: fc.Arbitrary<SessionPlan> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  ending: fc.constantFrom('completed', 'max_steps', 'cancelled', 'model-failed', 'failed'),
  isPaused: fc.boolean(),
});
