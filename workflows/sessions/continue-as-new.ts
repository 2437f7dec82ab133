import {
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  makeContinueAsNewFunc,
  workflowInfo,
  type Workflow,
} from '@temporalio/workflow';
import type { SessionInput } from './session-input';
import { toContinuedState, type SessionRun } from './session-run';

/** Whether the history is long, or a newer version of this code is there, so that another run should go on. */
export function isContinueAsNewDue(): boolean {
  const { continueAsNewSuggested, targetWorkerDeploymentVersionChanged } = workflowInfo();
  return continueAsNewSuggested || targetWorkerDeploymentVersionChanged === true;
}

/** What continues this workflow as new: on the newer version of its code, where that is why. */
export function nextRun<F extends Workflow>(): (...input: Parameters<F>) => Promise<never> {
  const isUpgrade = workflowInfo().targetWorkerDeploymentVersionChanged === true;
  return makeContinueAsNewFunc<F>(isUpgrade ? { initialVersioningBehavior: 'AUTO_UPGRADE' } : {});
}

/** Hands the session to its next run. Called between two steps, or two turns of a task, where nothing is under way. */
export async function continueSessionAsNew(run: SessionRun): Promise<never> {
  const next = nextRun<(input: SessionInput) => Promise<unknown>>();
  const browser = await run.browser.toContinued();
  await run.session.publish('hand over to the next run');
  // Last of all: this run answers every message that came until here, and hands over what the messages changed.
  await condition(allHandlersFinished);
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The session was cancelled.');
  const { start } = run.session;
  // The steps are part of the continued state.
  return await next({
    ...start,
    plan: { ...start.plan, config: run.session.config, steps: [] },
    continued: { ...toContinuedState(run), browser },
  });
}
