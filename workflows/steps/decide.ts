import type { DecideAndRunOutput } from '../../activities/signatures/browser-activities';
import type { DecideInput, DecideOutput } from '../../activities/signatures/engine-activities';
import type { ReadingTurn } from '../../contracts/models/reading';
import { retrySettings } from '../../contracts/sessions/timeouts';
import { commandActivities, modelActivities } from '../proxies/activity-proxies';
import { isLeaseLost } from '../proxies/failures';
import { withinTimeOfStep } from '../proxies/retries';
import { atBrowser } from '../sessions/at-browser';
import { batchLimits, executorOf, reportedWith } from '../sessions/run-batch';
import type { SessionRun } from '../sessions/session-run';
import type { RunningSession } from '../state/session-state';
import type { StepProgress } from './step-retries';

/** What is decided is not known when the time for it is: few steps have more commands. */
const MOST_COMMANDS = 10;

/** A call of a step. */
interface Asked extends StepProgress {
  mayAct: boolean;
  mayInvestigate: boolean;
  /** The call after it may act as well. */
  hasNext: boolean;
  reading: ReadingTurn | undefined;
  /** By who leads the next steps. */
  isLedAsBegun: boolean;
}

/** Has a model decide on the next commands, on an engine worker. */
export async function decide({ session }: SessionRun, model: string, asked: Asked): Promise<DecideOutput> {
  const input = decideInput(session, model, asked);
  const limits = session.modelLimits(input.step);
  const decided = await withinTimeOfStep(() =>
    session.outbox.flushWith((outbox) => modelActivities(callSummary(input), limits).decide({ ...input, outbox })),
  );
  session.decidedBy = decided.model;
  return session.spend(decided);
}

/**
 * Has the worker that has the page decide and run, where no model is needed. Undefined where that has to be done one after
 * the other: a model has to be asked, there is no browser yet, it is lost, or the batch was stopped, which the reply that is
 * stored outlasts.
 */
export async function decideAndRun(
  run: SessionRun,
  model: string,
  asked: Asked,
): Promise<(DecideAndRunOutput & { decided: DecideOutput }) | undefined> {
  const { session, browser } = run;
  const { lease } = browser;
  if (lease === undefined || !session.isDecidedAtBrowser(model, asked.reading)) return undefined;
  const input = decideInput(session, model, asked);
  const executor = executorOf(session);
  const limits = batchLimits(session, executor, MOST_COMMANDS);
  const { once, options } = session.steps.current;
  const ahead = asked.isLedAsBegun && asked.reading === undefined ? run.ahead.offer(model) : undefined;
  try {
    const output = await atBrowser(run, lease, (route) =>
      session.outbox.flushWith((outbox) => {
        const running = commandActivities(lease, route, callSummary(input), limits)
          .decideAndRun({
            ...input,
            lease,
            executor,
            ...(options.reflectionEnabled ? {} : { judgesPage: true }),
            ...(asked.hasNext ? { judges: true } : {}),
            ...(once === undefined ? {} : { once }),
            ...(ahead === undefined ? {} : { ahead }),
            outbox,
          })
          .catch(reportedWith<DecideAndRunOutput>);
        return ahead === undefined ? running : running.then((reported) => run.ahead.noted(reported));
      }),
    );
    if (output === undefined) await run.ahead.learn();
    return noteDecision(session, output);
  } catch (error) {
    if (!isLeaseLost(error)) throw error;
    await run.ahead.learn();
    return undefined;
  }
}

/** Undefined where nothing was decided. */
export function noteDecision(
  session: RunningSession,
  { decided, ...more }: DecideAndRunOutput = {},
): (DecideAndRunOutput & { decided: DecideOutput }) | undefined {
  session.decidedBy = more.judged?.model ?? decided?.model;
  if (decided === undefined) return undefined;
  session.spend(more.judged ?? decided);
  return { decided, ...more };
}

function decideInput(
  { id: sessionId, steps, config }: RunningSession,
  model: string,
  { turn, triedFrom, freshFrom, laterSteps, ...asked }: Asked,
): Omit<DecideInput, 'outbox'> {
  return {
    sessionId,
    stepIndex: steps.index,
    turn,
    step: steps.currentFor(model),
    retries: retrySettings(config.timeouts),
    mayAct: asked.mayAct,
    ...(triedFrom === 0 ? {} : { triedFrom }),
    ...(freshFrom === undefined ? {} : { freshFrom }),
    ...(laterSteps === undefined ? {} : { laterSteps }),
    ...(asked.mayInvestigate ? { mayInvestigate: true } : {}),
    ...(asked.reading === undefined ? {} : { reading: asked.reading }),
  };
}

function callSummary({ stepIndex, turn, step }: Pick<DecideInput, 'stepIndex' | 'turn' | 'step'>): string {
  return `step ${stepIndex + 1}, call ${turn + 1}: ${step.instruction}`.slice(0, 200);
}
