import { patched } from '@temporalio/workflow';
import type { DecideOutput } from '../../activities/signatures/engine-activities';
import type { RunCommandsOutput } from '../../activities/signatures/browser-activities';
import type { PageState } from '../../contracts/events/outbox';
import type { StandardError } from '../../contracts/errors/standard-error';
import { observePage, runCommandBatch } from '../sessions/run-batch';
import { resolveUnknown } from '../sessions/resolve-unknown';
import type { SessionRun } from '../sessions/session-run';
import { applyVerdict, verdictOf } from '../sessions/step-verdict';
import { afterReply, isToBeJudged } from '../../contracts/steps/after-reply';
import { afterUnknown } from './after-unknown';
import { decide, decideAndRun, noteDecision } from './decide';
import { investigate } from './investigate';
import { earlierReason, investigationReason, isOfThePage, mayInvestigate, type Failed } from './investigation-reason';
import { ApprovedDeeds, runWithApprovals } from './run-with-approvals';
import { StepReaders } from './step-readers';
import type { StepEnd, StepProgress } from './step-retries';

/**
 * The ACT-REFLECT loop of one step: investigates the page if that is due, asks the model (which judges the commands before
 * and says what to do next), runs its commands and takes a snapshot, until the step is done, given up, or out of iterations
 * (S1.R31, S1.A31). With reflection the step is done when the model says so of the page after its last commands, without it
 * as soon as commands that were to complete it have succeeded.
 */
export async function actReflect(run: SessionRun, progress: StepProgress): Promise<StepEnd> {
  const { session, browser } = run;
  const stepIndex = session.steps.index;
  const { maxIterations, reflectionEnabled, aiConfig } = session.steps.current.options;
  const mode = session.config.investigation;
  const models = new StepReaders(
    run,
    stepIndex,
    session.models.of(aiConfig),
    session.config.reading ?? session.models.readingOf(aiConfig),
  );
  const reasoning: string[] = [];
  let page: PageState | undefined;
  /** Turns that are no iterations: a person's answer, or a pause, made them worthless. */
  let unchargedTurns = 0;
  let investigations = 0;
  const approved = new ApprovedDeeds();
  /** Of this turn, where it was made with the one before. */
  let judged: DecideOutput | undefined;
  const failures = new Map<string, number>();
  let last: { reply: DecideOutput & { commandCount: number }; failed: Failed[]; isToBeJudged?: boolean } | undefined;
  /** The worker has done this step, and begun the next one. */
  const isDoneAhead = (): boolean => run.ahead.isBegun(stepIndex + 1);
  for (; ; progress.turn += 1) {
    const { turn, triedFrom } = progress;
    const followed = turn === 0 ? run.ahead.take(stepIndex) : undefined;
    const isMade = followed?.decided !== undefined || (judged !== undefined && isDoneAhead());
    if (!isMade && isDoneAhead()) return { error: undefined, reasoning: '', page };
    if (!isMade) await run.pause.safePoint();
    const mayAct = turn - triedFrom - unchargedTurns < maxIterations;
    const occasion = { mode, investigations, last, failures };
    const reason =
      followed === undefined && mayAct && models.reading === undefined && isPageOpen(run)
        ? reasonToInvestigate(occasion)
        : undefined;
    if (reason !== undefined) {
      investigations += 1;
      await investigate(run, models, { stepIndex, turn, triedFrom, reason, wanted: last?.reply.investigate });
    }
    session.beginTurn();
    const asked = {
      ...progress,
      mayAct,
      mayInvestigate: mayInvestigate(mode, investigations),
      reading: models.reading,
      isLedAsBegun: models.isFirst,
      hasNext: turn + 1 - triedFrom - unchargedTurns < maxIterations,
    };
    const made =
      (followed && noteDecision(session, followed)) ??
      (judged !== undefined && reason === undefined
        ? { decided: judged }
        : await models.call(async (model) => {
            const here = await decideAndRun(run, model, asked);
            return here === undefined && !isDoneAhead() ? { decided: await decide(run, model, asked) } : here;
          }));
    if (made === undefined) return { error: undefined, reasoning: '', page };
    const { decided: answer, ...more } = made;
    const { ran } = more;
    judged = more.judged;
    last = undefined;
    reasoning.push(answer.reasoning);
    const unknown = afterUnknown(answer, answer.unknownCommits ?? []);
    const end = (error?: StandardError): StepEnd => {
      // Commands that only looked have shown that the step is done, and so is what was unknown.
      if (error === undefined && unknown.kind === 'go-on') judgeAsDone(run, awaitingJudgement(answer));
      return { error, reasoning: reasoning.join('\n\n'), page };
    };
    if (unknown.kind === 'ask') {
      const { happened } = await resolveUnknown(run, unknown.unknown, { stepIndex, turn });
      // The call that could not judge is no iteration, and neither is the one whose commit did not happen.
      unchargedTurns += happened ? 1 : 2;
      // The answer may have taken days: the model judges by the page as it is now.
      page = (await observePage(run, { stepIndex, turn })) ?? page;
      continue;
    }
    if (unknown.kind === 'judged') judgeAsDone(run, unknown.commandIds);

    // Commands that were left out as repetitions were meant to be run: without them nothing is done.
    const hasRepeats = answer.hasRepeats === true;
    const reply = { ...answer, commandCount: answer.commands.length + (hasRepeats ? 1 : 0) };
    const next = afterReply(reply, mayAct, reflectionEnabled);
    if (answer.isUnread === true && models.passOn()) {
      // What was tried so far is no iteration of whoever leads now.
      unchargedTurns = turn + 1 - triedFrom;
      reasoning.pop();
      continue;
    }
    models.accept();
    if (next.kind === 'completed') return end();
    if (next.kind === 'failed') {
      progress.turn += 1;
      const { proposals, cause } = answer;
      const details = next.isOutOfIterations ? { isOutOfIterations: true } : proposals && { proposals };
      return end(session.error(next.code, next.message, { stepIndex, details, cause }));
    }
    if (next.kind === 'observe') {
      page = (await observePage(run, { stepIndex, turn })) ?? page;
      last = { reply, failed: [] };
      continue;
    }

    const batchTurn = { stepIndex, turn, judgesPage: reflectionEnabled ? undefined : (true as const) };
    const batch =
      answer.asksForDeeds === true
        ? await runWithApprovals(run, answer.commands, batchTurn, approved)
        : await runCommandBatch(run, answer.commands, batchTurn, run.task.turns, ran);
    // A person's no is the end of the step, however often it may be tried.
    if (typeof batch === 'object' && 'notApproved' in batch)
      return end({ ...session.error('TL004', batch.notApproved, { stepIndex }), retryable: false });
    // These commands were decided for a page that is gone: the model judges anew on the one that was restored.
    if (batch === 'page-replaced') unchargedTurns += 1;
    if (typeof batch === 'string') continue;
    page = browser.setPage(batch.page);
    const verdict = verdictOf(batch);
    if (verdict !== undefined) {
      reasoning.push(verdict.reason);
      return end(applyVerdict(session, stepIndex, verdict));
    }
    // Where a command led to a page that was blocked, the model has to learn it first.
    const hasEverySucceeded =
      !hasRepeats &&
      batch.outcomes.every(({ status, isNavigationBlocked }) => status === 'done' && isNavigationBlocked !== true);
    const isJudgementDue = isToBeJudged(reply, hasEverySucceeded);
    if (isJudgementDue && !reflectionEnabled)
      return end(batch.problem === undefined ? undefined : session.error('TL004', batch.problem, { stepIndex }));
    const failed = failedOf(answer, batch);
    for (const failure of failed)
      if (isOfThePage(failure)) failures.set(failure.target, (failures.get(failure.target) ?? 0) + 1);
    last = { reply, failed, isToBeJudged: isJudgementDue };
  }
}

function awaitingJudgement({ unknownCommits = [] }: DecideOutput): string[] {
  return unknownCommits.filter(({ isJudged }) => !isJudged).map(({ commandId }) => commandId);
}

/** Notes that the model takes these commits of unknown outcome as done. */
function judgeAsDone({ session }: SessionRun, commandIds: readonly string[]): void {
  const at = new Date().toISOString();
  for (const commandId of commandIds) session.outbox.resolution({ commandId, by: 'model', happened: true, at });
}

function reasonToInvestigate(occasion: Parameters<typeof investigationReason>[0]): string | undefined {
  const reason = investigationReason(occasion);
  if (reason !== undefined || earlierReason(occasion) === undefined) return reason;
  return patched('investigates-when-lost') ? undefined : earlierReason(occasion);
}

/** Before anything was opened there is nothing to investigate. */
function isPageOpen({ browser: { lease, page } }: SessionRun): boolean {
  return lease !== undefined && page !== undefined && !/^(?:about:blank)?$/.test(page.url);
}

function failedOf({ commands }: DecideOutput, { outcomes }: RunCommandsOutput): Failed[] {
  return outcomes.flatMap(({ commandId, status, code, listsChoices }) => {
    const command = commands.find((each) => each.commandId === commandId);
    if (status !== 'failed' || command === undefined) return [];
    const { action, target, parameters } = command;
    const place = target === undefined ? [parameters.selector] : [target.selector, target.nth, target.of];
    return [{ action, code, target: JSON.stringify(place), listsChoices }];
  });
}
