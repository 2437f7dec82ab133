import { faultPoint } from '../../runtime/fault-point';
import type { ActivityCall } from '../activity/activity';
import type { DecideAndRunInput, DecideAndRunOutput } from '../signatures/browser-activities';
import { decideAndRunStep, type DecideAndRunDeps } from './decide-and-run-step';
import { followSteps } from './follow-steps';

/**
 * Does a step, and then, where the workflow offers them, the steps behind it: one activity for what needs nobody else. A
 * repeated attempt finds what the one before has done, and goes on behind it.
 */
export async function decideAndRun(
  deps: DecideAndRunDeps,
  { ahead, ...input }: DecideAndRunInput,
  call: ActivityCall,
): Promise<DecideAndRunOutput> {
  const { store, attachments } = deps;
  const { sessionId } = input;
  const begunAt = performance.now();
  const first = await decideAndRunStep(deps, input, call);
  if (ahead === undefined) return first;
  const followed = await followSteps(
    input,
    ahead,
    { ...first, tookMs: performance.now() - begunAt },
    {
      run: (step, isTimeFor) => decideAndRunStep(deps, step, call, isTimeFor),
      async write({ records, patch, stepResults }) {
        faultPoint('between-steps', sessionId);
        for (const result of stepResults) await store.memory.saveStepResult(sessionId, result);
        await store.log.append(sessionId, records, { guard: { runId: call.runId }, patch });
      },
      mayGoOn: () => !call.signal.aborted && !attachments.isEnding(),
    },
  );
  return { ...first, followed };
}
