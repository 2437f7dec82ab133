import fc from 'fast-check';
import { LoopResult } from '../../../service/sessions/loop-result';
import { CANCELLED_ANSWER } from '../../../contracts/tasks/agent-loop';
import type { LogRecord } from '../../../contracts/events/log';
import { logOf, type CallPlan, type Ending, type TurnPlan } from '../../support/format-logs';
import { anySession } from '../../support/format-plans';

const aTurn = (change: Partial<TurnPlan> = {}): TurnPlan => ({
  lost: [],
  words: ['I look', ' at the shop.'],
  isWhole: false,
  thought: undefined,
  calls: [],
  usage: { inputTokens: 100, outputTokens: 10, cachedTokens: 0 },
  cost: undefined,
  end: 'complete',
  isFallback: false,
  ...change,
});
const aCall = (tool: string, change: Partial<CallPlan> = {}): CallPlan => ({
  tool,
  isBrowser: false,
  way: 'runs',
  isFailing: false,
  ...change,
});
const resultOf = (log: readonly LogRecord[]) => {
  const result = new LoopResult();
  for (const record of log) result.add(record);
  return result.result();
};
const logOfTask = (turns: TurnPlan[], ending: Ending = 'completed') =>
  logOf({ steps: [{ kind: 'task', turns }], ending, isPaused: false });

describe('the result of a loop, out of its log', () => {
  it('[S0.R8, S0.R11, S0.A3] sums the usage up and has a log of every turn', () => {
    const log = logOfTask([
      aTurn({ calls: [aCall('navigate'), aCall('click', { isFailing: true })] }),
      aTurn({ words: ['Done.'], usage: { inputTokens: 250, outputTokens: 20, cachedTokens: 40 } }),
    ]);
    const input = expect.any(Object);
    expect(resultOf(log)).toEqual({
      status: 'complete',
      answer: 'Done.',
      steps: 2,
      usage: { inputTokens: 350, outputTokens: 30, apiCalls: 2 },
      model: 'openai/b',
      turns: [
        {
          step: 1,
          tools: [
            { name: 'navigate', input, result: 'navigate did it. In full.', durationMs: 12 },
            { name: 'click', input, result: 'The element is not there. In full.', durationMs: 12 },
          ],
          ai_response: 'I look at the shop.',
        },
        { step: 2, tools: [], ai_response: 'Done.' },
      ],
    });
  });

  it('has what the last attempt at a turn has said, not what the lost ones had', () => {
    const { turns, usage } = resultOf(logOfTask([aTurn({ lost: [['I think'], ['I thi']], words: ['Yes.'] })]));
    expect(turns).toEqual([{ step: 1, tools: [], ai_response: 'Yes.' }]);
    expect(usage.apiCalls).toBe(1);
  });

  it('[S0.R5, S0.A5] has max_steps as a status of its own', () => {
    const log = logOfTask([aTurn({ calls: [aCall('click')] })], 'max_steps');
    expect(resultOf(log)).toMatchObject({ status: 'max_steps', steps: 1 });
  });

  it('[S0.A11, S0.A10] does not count a call that failed, and knows no model where none has answered', () => {
    const failed = resultOf(logOfTask([aTurn()], 'model-failed'));
    expect(failed).toMatchObject({ status: 'error', usage: { inputTokens: 0, outputTokens: 0, apiCalls: 0 } });
    expect(failed).not.toHaveProperty('model');
    expect(failed.turns).toEqual([]);
    const later = resultOf(logOfTask([aTurn({ calls: [aCall('click')] }), aTurn()], 'model-failed'));
    expect(later).toMatchObject({ status: 'error', usage: { inputTokens: 100, apiCalls: 1 }, model: 'openai/b' });
  });

  it('[S0.A1, S0.A2] reports a cancellation as an error, with the turns that were answered', () => {
    const log = logOfTask([aTurn({ calls: [aCall('click')] }), aTurn({ calls: [aCall('click')] })], 'cancelled');
    expect(resultOf(log)).toMatchObject({ status: 'error', answer: CANCELLED_ANSWER, steps: 2 });
    expect(resultOf(log).turns).toHaveLength(2);
  });

  it('says of a call that did not come to its end that it did not', () => {
    const log = logOfTask([aTurn({ calls: [aCall('click')] })], 'cancelled');
    const cut = log.filter(({ facts }) => facts?.kind !== 'result' && facts?.kind !== 'task-end');
    expect(resultOf(cut).turns?.[0]?.tools).toEqual([
      { name: 'click', input: expect.any(Object), result: 'Error: The run ended before this call did.', durationMs: 0 },
    ]);
  });

  it('counts for any log what the log contains, and never throws on a part of it', () => {
    fc.assert(
      fc.property(anySession, fc.nat(), (plan, part) => {
        const log = logOf(plan);
        const result = resultOf(log);
        const replies = log.flatMap(({ facts }) => (facts?.kind === 'reply' && facts.end !== 'failed' ? [facts] : []));
        expect(result.usage).toEqual({
          inputTokens: replies.reduce((sum, { usage }) => sum + usage.inputTokens, 0),
          outputTokens: replies.reduce((sum, { usage }) => sum + usage.outputTokens, 0),
          apiCalls: replies.length,
        });
        expect(typeof resultOf(log.slice(0, part % (log.length + 1))).answer).toBe('string');
      }),
    );
  });
});
