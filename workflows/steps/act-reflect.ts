import type { DecideOutput } from '../../activities/engine-activities';
import type { RunCommandsOutput } from '../../activities/browser-activities';
import type { PageState } from '../../contracts/sessions/outbox';
import type { StandardError } from '../../contracts/errors/standard-error';
import { modelActivities } from '../activities/proxies';
import { withRetries } from '../activities/failures';
import { runBatch } from '../browsers/run-batch';
import { investigate } from './investigate';
import { ModelFallback } from '../models/fallback';
import type { PauseControl } from '../waits/pause';
import { afterReply, afterUnknown, investigationReason, isStepDone, mayInvestigate, type Failed } from './policy';
import type { SessionRun } from '../sessions/session-run';
import type { StepRequest } from './step-options';
import type { StepProgress } from './step-retries';
import type { TaskFacts } from '../tasks/tool-use';

export interface StepEnd {
  error: StandardError | undefined;
  /** Of a task. */
  facts?: TaskFacts | undefined;
  isCancelled?: boolean | undefined;
  reasoning: string;
  page: PageState | undefined;
}

/**
 * The ACT-REFLECT loop of one step: investigate the page if that is due, ask the model (it judges what went before and
 * says what to do next), run its commands, look at the page, until the step is done, given up, or out of iterations
 * (S1.R31, S1.A31).
 */
export async function actReflect(
  run: SessionRun,
  pause: PauseControl,
  request: StepRequest,
  progress: StepProgress,
): Promise<StepEnd> {
  const { stepIndex, options } = request;
  const { maxIterations, reflectionEnabled, aiConfig: ai } = options;
  const { investigation: mode } = run.config;
  const models = new ModelFallback(run, stepIndex, ai.model);
  const thoughts: string[] = [];
  let page: PageState | undefined;
  /** Turns that were no tries: a person's answer, or a pause, made them worthless. */
  let given = 0;
  let investigations = 0;
  let last: { reply: DecideOutput & { commandCount: number }; failed: Failed[] } | undefined;
  for (; ; progress.turn += 1) {
    const { turn, triedFrom } = progress;
    await pause.safePoint();
    const mayAct = turn - triedFrom - given < maxIterations;
    const reason = mayAct && isPageOpen(run) ? investigationReason({ mode, investigations, last }) : undefined;
    if (reason !== undefined) {
      investigations += 1;
      const wanted = last?.reply.investigate;
      await investigate(run, pause, models, { stepIndex, turn, triedFrom, reason, wanted, maxIterations, ai });
    }
    const answer = await models.ask((model) =>
      decide(run, model, request, progress, mayAct, mayInvestigate(mode, investigations)),
    );
    last = undefined;
    thoughts.push(answer.reasoning);
    const end = (error?: StandardError): StepEnd => ({ error, reasoning: thoughts.join('\n\n'), page });

    const unknown = afterUnknown(answer, answer.unknownCommits ?? []);
    if (unknown.kind === 'ask') {
      const happened = await run.unknownWait.ask(unknown.unknown);
      // The call that could not judge is no iteration, and neither is the one whose commit did not happen.
      given += happened ? 1 : 2;
      // The answer may have taken days: the model judges by the page as it is now.
      const looked = await runBatch(run, pause, { ...answer, commands: [] }, stepIndex, turn);
      if (typeof looked !== 'string') page = run.seePage(looked.page);
      continue;
    }
    if (unknown.kind === 'judged') {
      const at = new Date().toISOString();
      for (const commandId of unknown.commandIds) run.outbox.resolution({ commandId, by: 'model', happened: true, at });
    }

    // Commands that were left out as repetitions were meant to be run: without them nothing is done.
    const hasRepeats = answer.hasRepeats === true;
    const reply = { ...answer, commandCount: answer.commands.length + (hasRepeats ? 1 : 0) };
    const next = afterReply(reply, mayAct);
    if (next.kind === 'completed') return end();
    if (next.kind === 'failed') {
      progress.turn += 1;
      const details = next.isOutOfIterations ? { isOutOfIterations: true } : undefined;
      return end(run.error(next.code, next.message, { stepIndex, moduleId: 'task-loop', details }));
    }

    const batch = await runBatch(run, pause, answer, stepIndex, turn);
    // What was decided was decided for a page that is gone: the model judges anew on the one that was restored.
    if (batch === 'page-replaced') given += 1;
    if (typeof batch === 'string') continue;
    page = run.seePage(batch.page);
    const hasEverySucceeded = !hasRepeats && batch.outcomes.every((outcome) => outcome.status === 'done');
    if (isStepDone(reply, hasEverySucceeded, reflectionEnabled)) return end();
    last = { reply, failed: failedOf(answer, batch) };
  }
}

/** Before anything was opened there is nothing to investigate. */
function isPageOpen({ lease, page }: SessionRun): boolean {
  return lease !== undefined && page !== undefined && !/^(?:about:blank)?$/.test(page.url);
}

function failedOf({ commands }: DecideOutput, { outcomes }: RunCommandsOutput): Failed[] {
  return outcomes.flatMap(({ commandId, status, code }) => {
    const command = commands.find((each) => each.commandId === commandId);
    return status !== 'failed' || command === undefined ? [] : [{ action: command.action, code }];
  });
}

async function decide(
  run: SessionRun,
  model: string,
  { sessionId, stepIndex, stepContent, options }: StepRequest,
  { turn, triedFrom }: StepProgress,
  mayAct: boolean,
  mayInvestigateNext: boolean,
): Promise<DecideOutput> {
  const { aiConfig, maxIterations, validationMode } = options;
  const summary = `step ${stepIndex + 1}, call ${turn + 1}: ${stepContent}`.slice(0, 200);
  return await withRetries(run.config.timeouts, () =>
    run.outbox.flushWith((outbox) =>
      modelActivities(summary, model).decide({
        sessionId,
        stepIndex,
        turn,
        step: run.steps[stepIndex]!,
        maxIterations,
        mayAct,
        ai: { ...aiConfig, model },
        validationMode,
        ...(triedFrom === 0 ? {} : { triedFrom }),
        ...(mayInvestigateNext ? { mayInvestigate: true } : {}),
        outbox,
      }),
    ),
  );
}
