import { StepStatus } from '../../contracts/steps/step-result';
import { commitsOf } from '../../store/sessions/what-was-done';
import { fromStore } from '../connection/store-errors';
import { requireSessionRow } from '../rows/session-row';
import { startFork } from './fork';
import type { StartParts } from './start';

/**
 * Starts a session that goes on from one that had ended before its workflow was reset to a step, and resolves to its id. Steps
 * that were completed are not done again. Where the step behind them had done what nothing takes back, the new session waits
 * for a person first. Starting it twice for the same run starts one.
 */
export async function forkAfterReset(parts: StartParts, id: string, runId: string, stepIndex: number): Promise<string> {
  const { store } = parts;
  const { sessionId, plan } = await fromStore(() => requireSessionRow(store, id));
  const [results, journal] = await fromStore(() =>
    Promise.all([store.memory.stepResults(sessionId), store.journal.ofSession(sessionId)]),
  );
  const isDone = (index: number): boolean =>
    results.some((result) => result.stepIndex === index && result.status === StepStatus.COMPLETED);
  let firstToDo = stepIndex;
  while (firstToDo < plan.steps.length && isDone(firstToDo)) firstToDo += 1;
  const doneCommands = commitsOf(journal.filter((entry) => entry.stepIndex === firstToDo));
  const afterReset = {
    sessionId,
    doneSteps: firstToDo - stepIndex,
    ...(doneCommands === undefined ? {} : { doneCommands }),
  };
  const fork = { sessionId, plan, fromStep: stepIndex + 1, afterReset };
  return (await startFork(parts, fork, `reset-${runId}`)).sessionId;
}
