import fc from 'fast-check';
import { ToolScheduler } from '../../../../client/agent/tools/tool-scheduler';
import { CALL_TRANSITIONS, isTerminalCallStatus } from '../../../../contracts/tools/call-states';
import { ToolCallStatus, type ICompletedToolCall } from '../../../../contracts/tools/tool-call';
import { ToolConfirmationOutcome } from '../../../../contracts/approvals/confirmation-outcome';
import { aCard, aRequest, aTool, never, type Args } from './scripted-tools';

const OUTCOMES = Object.values(ToolConfirmationOutcome);

/** What a tool of the test does when it is called with these arguments. */
const callArbitrary = fc.record({
  tool: fc.constantFrom('free', 'asking', 'unknown'),
  isValid: fc.boolean(),
  does: fc.constantFrom('answers', 'throws', 'hangs'),
});
const deedArbitrary = fc.oneof(
  fc.record({ kind: fc.constant('answer' as const), place: fc.nat(7), outcome: fc.constantFrom(...OUTCOMES) }),
  fc.record({ kind: fc.constantFrom('abort' as const, 'cancelAll' as const, 'wait' as const) }),
);

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('[S2.R6] whatever is called, answered and cancelled: legal states, one end each, no unapproved run', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(callArbitrary, { minLength: 1, maxLength: 6 }),
      fc.array(deedArbitrary, { maxLength: 8 }),
      fc.constantFrom('default' as const, 'always' as const, 'yolo' as const),
      async (plans, deeds, approvalMode) => {
        const of = (name: string) =>
          aTool({
            name,
            details: name === 'asking' ? () => Promise.resolve(aCard('edit').details) : false,
            problem: ({ isValid }) => (isValid === true ? null : 'not valid'),
            execute: ({ does }: Args) => {
              if (does === 'throws') return Promise.reject(new Error('thrown'));
              return does === 'hangs' ? never() : Promise.resolve({ llmContent: 'ok', returnDisplay: 'ok' });
            },
          });
        const tools = [of('free'), of('asking')];
        const seen = new Map<string, ToolCallStatus[]>();
        const ends = new Map<string, number>();
        const completions: ICompletedToolCall[][] = [];
        const quiet = () => {};
        const scheduler = new ToolScheduler({
          tools,
          approvalMode,
          logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } as never,
          onAllToolCallsComplete: (calls) => void completions.push(calls),
          onToolCallsUpdate: (calls) => {
            for (const { request, status } of calls) {
              const known = seen.get(request.callId) ?? [];
              if (known.at(-1) !== status) seen.set(request.callId, [...known, status]);
            }
          },
        });
        const requests = plans.map((plan) => aRequest(plan.tool, plan));
        const stop = new AbortController();
        const done = scheduler.schedule(requests, stop.signal, {
          onExecutionDone: ({ callId }) => void ends.set(callId, (ends.get(callId) ?? 0) + 1),
        });
        for (const deed of deeds) {
          await turnOfTheLoop();
          if (deed.kind === 'abort') stop.abort();
          if (deed.kind === 'cancelAll') scheduler.cancelAll('all');
          if (deed.kind !== 'answer') continue;
          const request = requests[deed.place % requests.length]!;
          await scheduler.handleConfirmationResponse(request.callId, deed.outcome, { newContent: 'edited' });
        }
        await turnOfTheLoop();
        scheduler.cancelAll('the end of the test');
        await done;

        expect(completions).toHaveLength(1);
        expect(completions[0]!.map(({ request }) => request.callId)).toEqual(requests.map(({ callId }) => callId));
        expect(scheduler.isRunning()).toBe(false);
        for (const [index, { callId }] of requests.entries()) {
          const states = seen.get(callId)!;
          states.slice(1).forEach((next, at) => expect(CALL_TRANSITIONS[states[at]!]).toContain(next));
          expect(states.filter(isTerminalCallStatus)).toEqual([completions[0]![index]!.status]);
          expect(ends.get(callId)).toBe(1);
          const hasRun = states.includes(ToolCallStatus.Executing);
          const { tool, isValid } = plans[index]!;
          const { outcome } = completions[0]![index]!;
          const isAsked = approvalMode !== 'yolo' && (approvalMode === 'always' || tool === 'asking');
          const isApproved = !isAsked || (outcome !== undefined && outcome !== ToolConfirmationOutcome.Cancel);
          expect(!hasRun || (isValid && isApproved)).toBe(true);
          expect(tool !== 'unknown' || states.join() === 'error').toBe(true);
        }
        const runs = tools.reduce((sum, tool) => sum + tool.runs.length, 0);
        expect(runs).toBe([...seen.values()].filter((states) => states.includes(ToolCallStatus.Executing)).length);
      },
    ),
    { numRuns: 300 },
  );
});
