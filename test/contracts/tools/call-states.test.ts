import fc from 'fast-check';
import {
  createCallStates,
  CALL_TRANSITIONS,
  nextCallStatus,
  applyCallTransition,
  isTerminalCallStatus,
  type CallTransition,
  type CallState,
} from '../../../contracts/tools/call-states';
import { ToolCallStatus } from '../../../contracts/tools/tool-call';

const happening = fc.constantFrom<CallTransition>(
  { kind: 'asked' },
  { kind: 'cleared' },
  { kind: 'begun' },
  { kind: 'succeeded' },
  { kind: 'failed', reason: 'it broke' },
  { kind: 'cancelled', reason: 'nobody wants it' },
);
const callId = fc.constantFrom('call_1', 'call_2', 'call_3', 'call_of_nobody');
const script = fc.array(fc.tuple(callId, happening), { maxLength: 40 });

test('[S2.R6] a call goes from validating over approval and its place in the queue to its one end', () => {
  const path = (['asked', 'cleared', 'begun', 'succeeded'] as const).reduce<ToolCallStatus[]>(
    (seen, each) => [...seen, nextCallStatus(seen.at(-1)!, each)!],
    [ToolCallStatus.Validating],
  );
  expect(path).toEqual(['validating', 'awaiting_approval', 'scheduled', 'executing', 'success']);
  expect(nextCallStatus(ToolCallStatus.Validating, 'cleared')).toBe('scheduled');
});

test('[S2.R6] every state that is no end may go straight to error or cancelled, and no end goes anywhere', () => {
  const all = Object.values(ToolCallStatus);
  expect(all.filter(isTerminalCallStatus)).toEqual(['success', 'error', 'cancelled']);
  for (const status of all) {
    const ends = CALL_TRANSITIONS[status].filter((each) => each === 'error' || each === 'cancelled');
    expect(ends).toEqual(isTerminalCallStatus(status) ? [] : ['error', 'cancelled']);
  }
});

/** What one happening did that it may not: nothing, for a good machine. */
function problemsOf(before: readonly CallState[], after: readonly CallState[], callId: string): string[] {
  return after.flatMap((call, index) => {
    const old = before[index]!;
    const isAllowed = call.callId === callId && CALL_TRANSITIONS[old.status].includes(call.status);
    return call === old || isAllowed ? [] : [`${call.callId}: ${old.status} to ${call.status}`];
  });
}

test('[S2.R6] whatever happens in whatever order, calls change as allowed and end at most once', () => {
  fc.assert(
    fc.property(script, (steps) => {
      let calls: readonly CallState[] = createCallStates(['call_1', 'call_2', 'call_3']);
      for (const [id, what] of steps) {
        const next = applyCallTransition(calls, id, what);
        expect(problemsOf(calls, next, id)).toEqual([]);
        calls = next;
      }
      expect(calls.map((call) => call.callId)).toEqual(['call_1', 'call_2', 'call_3']);
    }),
  );
});

test('no call runs before it was cleared, and none that awaits an answer is begun', () => {
  const uncleared = ['awaiting_approval', 'error', 'cancelled'];
  const holds = (steps: CallTransition[]): boolean => {
    let calls = applyCallTransition(createCallStates(['call_1']), 'call_1', { kind: 'asked' });
    let isCleared = false;
    return steps.every((what) => {
      calls = applyCallTransition(calls, 'call_1', what);
      isCleared ||= what.kind === 'cleared';
      return isCleared || uncleared.includes(calls[0]!.status);
    });
  };
  expect(fc.check(fc.property(fc.array(happening, { maxLength: 20 }), holds)).failed).toBe(false);
});
