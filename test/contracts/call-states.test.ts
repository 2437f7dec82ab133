import fc from 'fast-check';
import {
  allCancelled,
  beginCalls,
  CALL_CHANGES,
  callAfter,
  callsAfter,
  isTerminalCall,
  type CallHappening,
  type CallState,
} from '../../contracts/call-states';
import { ToolCallStatus } from '../../contracts/tool-calls';

const happening = fc.constantFrom<CallHappening>(
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
    (seen, each) => [...seen, callAfter(seen.at(-1)!, each)!],
    [ToolCallStatus.Validating],
  );
  expect(path).toEqual(['validating', 'awaiting_approval', 'scheduled', 'executing', 'success']);
  expect(callAfter(ToolCallStatus.Validating, 'cleared')).toBe('scheduled');
});

test('[S2.R6] every state that is no end may go straight to error or cancelled, and no end goes anywhere', () => {
  const all = Object.values(ToolCallStatus);
  expect(all.filter(isTerminalCall)).toEqual(['success', 'error', 'cancelled']);
  for (const status of all) {
    const ends = CALL_CHANGES[status].filter((each) => each === 'error' || each === 'cancelled');
    expect(ends).toEqual(isTerminalCall(status) ? [] : ['error', 'cancelled']);
  }
});

/** What one happening did that it may not: nothing, for a good machine. */
function problemsOf(before: readonly CallState[], after: readonly CallState[], callId: string): string[] {
  return after.flatMap((call, index) => {
    const old = before[index]!;
    const isAllowed = call.callId === callId && CALL_CHANGES[old.status].includes(call.status);
    return call === old || isAllowed ? [] : [`${call.callId}: ${old.status} to ${call.status}`];
  });
}

test('[S2.R6] whatever happens in whatever order, each call only makes allowed changes and ends at most once', () => {
  fc.assert(
    fc.property(script, (steps) => {
      let calls: readonly CallState[] = beginCalls(['call_1', 'call_2', 'call_3']);
      for (const [id, what] of steps) {
        const next = callsAfter(calls, id, what);
        expect(problemsOf(calls, next, id)).toEqual([]);
        calls = next;
      }
      expect(calls.map((call) => call.callId)).toEqual(['call_1', 'call_2', 'call_3']);
    }),
  );
});

test('no call runs before it was cleared, and none that awaits an answer is begun', () => {
  const uncleared = ['awaiting_approval', 'error', 'cancelled'];
  const holds = (steps: CallHappening[]): boolean => {
    let calls = callsAfter(beginCalls(['call_1']), 'call_1', { kind: 'asked' });
    let isCleared = false;
    return steps.every((what) => {
      calls = callsAfter(calls, 'call_1', what);
      isCleared ||= what.kind === 'cleared';
      return isCleared || uncleared.includes(calls[0]!.status);
    });
  };
  expect(fc.check(fc.property(fc.array(happening, { maxLength: 20 }), holds)).failed).toBe(false);
});

test('[S2.R13] cancelling all of them ends every call that has not ended, with the reason, and leaves the ended ones', () => {
  fc.assert(
    fc.property(script, (steps) => {
      const before = steps.reduce<readonly CallState[]>(
        (calls, [id, what]) => callsAfter(calls, id, what),
        beginCalls(['call_1', 'call_2', 'call_3']),
      );
      const expected = before.map((call) =>
        isTerminalCall(call.status) ? call : { callId: call.callId, status: 'cancelled', reason: 'enough' },
      );
      expect(allCancelled(before, 'enough')).toEqual(expected);
    }),
  );
});
