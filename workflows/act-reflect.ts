import type { DecideOutput } from '../activities/engine-activities';
import type { PageState } from '../contracts/bookkeeping';
import type { StandardError } from '../contracts/errors';
import { modelActivities } from './activity-proxies';
import { withRetries } from './attempts';
import { runBatch } from './commands';
import { ModelFallback } from './model-fallback';
import type { PauseControl } from './pause';
import { afterReply, afterUnknown, isStepDone } from './policy';
import type { SessionRun } from './session-run';

export interface StepEnd {
  error: StandardError | undefined;
  reasoning: string;
  page: PageState | undefined;
}

/**
 * The ACT-REFLECT loop of one step: ask the model (it judges what went before and says what to do next), run its
 * commands, look at the page, until the step is done, given up, or out of iterations (S1.R31, S1.A31).
 */
export async function actReflect(run: SessionRun, pause: PauseControl, stepIndex: number): Promise<StepEnd> {
  const step = run.steps[stepIndex]!;
  const maxIterations = step.maxIterations ?? run.config.maxIterations;
  const models = new ModelFallback(run, stepIndex);
  const thoughts: string[] = [];
  let page: PageState | undefined;
  /** Turns that were no tries: a person's answer, or a pause, made them worthless. */
  let given = 0;
  for (let turn = 0; ; turn += 1) {
    await pause.safePoint();
    const mayAct = turn - given < maxIterations;
    const answer = await models.ask((model) => decide(run, model, stepIndex, turn, maxIterations, mayAct));
    thoughts.push(answer.reasoning);
    const end = (error?: StandardError): StepEnd => ({ error, reasoning: thoughts.join('\n\n'), page });

    const unknown = afterUnknown(answer, answer.unknownCommits ?? []);
    if (unknown.kind === 'ask') {
      const happened = await run.unknownWait.ask(unknown.unknown);
      // The call that could not judge is no iteration, and neither is the one whose commit did not happen.
      given += happened ? 1 : 2;
      // The answer may have taken days: the model judges by the page as it is now.
      const looked = await runBatch(run, pause, { ...answer, commands: [] }, stepIndex, turn);
      if (typeof looked !== 'string') page = looked.page;
      continue;
    }
    if (unknown.kind === 'judged') {
      const at = new Date().toISOString();
      for (const commandId of unknown.commandIds) run.ledger.resolution({ commandId, by: 'model', happened: true, at });
    }

    const next = afterReply({ ...answer, commandCount: answer.commands.length }, mayAct);
    if (next.kind === 'completed') return end();
    if (next.kind === 'failed') return end(run.error(next.code, next.message, { stepIndex, moduleId: 'task-loop' }));

    const batch = await runBatch(run, pause, answer, stepIndex, turn);
    // What was decided was decided for a page that is gone: the model judges anew on the one that was restored.
    if (batch === 'page-replaced') given += 1;
    if (batch === 'browser-lost' || batch === 'page-replaced') continue;
    page = batch.page;
    const hasEverySucceeded = batch.outcomes.every((outcome) => outcome.status === 'done');
    if (isStepDone({ ...answer, commandCount: answer.commands.length }, hasEverySucceeded)) return end();
  }
}

async function decide(
  run: SessionRun,
  model: string,
  stepIndex: number,
  turn: number,
  maxIterations: number,
  mayAct: boolean,
): Promise<DecideOutput> {
  const step = run.steps[stepIndex]!;
  const summary = `step ${stepIndex + 1}, call ${turn + 1}: ${step.instruction}`.slice(0, 200);
  return await withRetries(run.config.timeouts, () =>
    run.ledger.ride((bookkeeping) =>
      modelActivities(summary, model).decide({
        sessionId: run.sessionId,
        stepIndex,
        turn,
        step,
        maxIterations,
        mayAct,
        ai: { ...run.config.ai, model },
        validationMode: run.config.validationMode,
        bookkeeping,
      }),
    ),
  );
}
