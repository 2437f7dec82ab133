import fc from 'fast-check';
import {
  allCancelled,
  beginCalls,
  CALL_CHANGES,
  callAfter,
  callsAfter,
  isTerminalCall,
  type CallHappening,
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
  for (const status of Object.values(ToolCallStatus)) {
    const ends = [ToolCallStatus.Error, ToolCallStatus.Cancelled];
    if (isTerminalCall(status)) expect(CALL_CHANGES[status]).toEqual([]);
    else expect(CALL_CHANGES[status]).toEqual(expect.arrayContaining(ends));
  }
  expect(Object.values(ToolCallStatus).filter(isTerminalCall)).toEqual(['success', 'error', 'cancelled']);
});

test('[S2.R6] whatever happens in whatever order, each call only makes allowed changes and ends at most once', () => {
  fc.assert(
    fc.property(script, (steps) => {
      let calls: ReturnType<typeof callsAfter> = beginCalls(['call_1', 'call_2', 'call_3']);
      for (const [id, what] of steps) {
        const next = callsAfter(calls, id, what);
        expect(next.map((call) => call.callId)).toEqual(['call_1', 'call_2', 'call_3']);
        next.forEach((call, index) => {
          const before = calls[index]!;
          if (call.status === before.status) expect(call).toEqual(before);
          else {
            expect(call.callId).toBe(id);
            expect(CALL_CHANGES[before.status]).toContain(call.status);
          }
        });
        calls = next;
      }
    }),
  );
});

test('no call runs before it was cleared, and none that awaits an answer is begun', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 20 }), (steps) => {
      let calls = callsAfter(beginCalls(['call_1']), 'call_1', { kind: 'asked' });
      let isCleared = false;
      for (const what of steps) {
        calls = callsAfter(calls, 'call_1', what);
        isCleared ||= what.kind === 'cleared';
        if (!isCleared) expect(['awaiting_approval', 'error', 'cancelled']).toContain(calls[0]!.status);
      }
    }),
  );
});

test('[S2.R13] cancelling all of them ends every call that has not ended, with the reason, and leaves the ended ones', () => {
  fc.assert(
    fc.property(script, (steps) => {
      const before = steps.reduce<ReturnType<typeof callsAfter>>(
        (calls, [id, what]) => callsAfter(calls, id, what),
        beginCalls(['call_1', 'call_2', 'call_3']),
      );
      allCancelled(before, 'enough').forEach((call, index) => {
        if (isTerminalCall(before[index]!.status)) expect(call).toEqual(before[index]);
        else expect(call).toMatchObject({ status: 'cancelled', reason: 'enough' });
      });
    }),
  );
});
