import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  isCancellation,
  makeContinueAsNewFunc,
  sleep,
  upsertMemo,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { DEFAULT_MODEL } from '../contracts/sessions/config';
import { standardError, type StandardError } from '../contracts/errors/standard-error';
import { StreamEventType } from '../contracts/events/stream-event';
import { bareValueIssues } from '../contracts/sessions/secrets';
import { SessionStatus } from '../contracts/sessions/session';
import { MAX_STEPS, parseStart, type StartRequest } from '../contracts/sessions/start-request';
import { StepStatus } from '../contracts/steps/step-result';
import { ActiveTimeUp, withinActiveTime } from './sessions/active-clock';
import { endingActivities, engineActivities } from './activities/proxies';
import { applicationFailureOf, errorOf, isSuperseded } from './activities/failures';
import { acquireAhead } from './browsers/run-batch';
import { handleAgentMessages } from './sessions/task-message-handlers';
import { handleMessages } from './sessions/message-handlers';
import { PauseControl } from './waits/pause';
import { SessionRun, type ContinuedState } from './sessions/session-run';
import { foldStep, waitForTask } from './waits/next-task';
import { cancelledError, runStep, sessionTimeUp } from './steps/run-step';

/** What `temporal workflow start --type session --input` takes; `carried` is set by the workflow itself only. */
export type SessionInput = StartRequest & { carried?: ContinuedState };

/** What the workflow returns when the session has completed. */
export interface SessionOutcome {
  sessionId: string;
  status: SessionStatus;
  completedSteps: number;
}

type Ending =
  | { kind: 'completed' }
  | { kind: 'superseded'; error: StandardError }
  | { kind: 'failed'; error: StandardError }
  | { kind: 'cancelled'; cause: unknown };

/** A session: its steps one after the other, in one browser, with exactly one terminal event at the end of its log. */
export async function session(input: SessionInput): Promise<SessionOutcome> {
  const run = createRun(input);
  const pause = new PauseControl(run);
  if (run.isPauseCarried) pause.request();
  handleMessages(run, pause);
  handleAgentMessages(run, pause);

  const ending = await runToItsEnd(run, pause);
  await CancellationScope.nonCancellable(() => end(run, ending));
  if (ending.kind === 'cancelled') throw ending.cause;
  if (ending.kind !== 'completed') throw toWorkflowFailure(ending.error);
  return { sessionId: run.sessionId, status: run.status, completedSteps: run.finishedDurations.length };
}

/** Refuses what can't be run as a failed workflow: an exception of another kind would repeat its task for ever. */
function createRun(input: SessionInput | null | undefined): SessionRun {
  // A start by plain Temporal may bring anything, or nothing.
  const given = typeof input === 'object' && !Array.isArray(input) ? input : undefined;
  const { carried, ...request }: Partial<SessionInput> = given ?? {};
  const checked = parseStart(request);
  const bare = checked.kind === 'valid' ? bareValueIssues(checked.request) : [];
  const parsed = bare.length > 0 ? { kind: 'invalid' as const, issues: bare } : checked;
  if (parsed.kind === 'invalid') {
    const message = `The session's input is not valid: ${parsed.issues.map(({ path, message }) => `${path || 'input'}: ${message}`).join('; ')}`;
    const error = standardError({
      id: uuid4(),
      timestamp: new Date(),
      code: 'SP001',
      message,
      details: { issues: parsed.issues },
    });
    throw toWorkflowFailure(error);
  }
  const run = new SessionRun(parsed.request, parsed.plan.config, carried?.steps ?? parsed.plan.steps, carried);
  upsertMemo({ steps: run.steps.slice(-MAX_STEPS).map((step) => step.instruction) });
  if (carried === undefined) recordStart(run, parsed.plan.warnings);
  return run;
}

function recordStart(run: SessionRun, warnings: readonly string[]): void {
  run.record('step-processor', StreamEventType.WORKFLOW_STARTED, {
    message: `Session started: ${run.steps.length} ${run.steps.length === 1 ? 'step' : 'steps'}.`,
    details: { totalSteps: run.steps.length },
  });
  for (const message of warnings) {
    run.record('executor-streamer', StreamEventType.WARNING_ISSUED, {
      warning: { id: uuid4(), code: 'SP001', message, timestamp: new Date() },
    });
  }
  run.setStatus(SessionStatus.ACTIVE);
}

async function runToItsEnd(run: SessionRun, pause: PauseControl): Promise<Ending> {
  try {
    await open(run);
    const left = run.config.timeouts.workflowTimeoutMs - run.clock.activeMs();
    const error = await withinActiveTime(run.clock, left, 'limit of the session', () => runSteps(run, pause));
    return error === undefined ? { kind: 'completed' } : { kind: run.isSuperseded ? 'superseded' : 'failed', error };
  } catch (error) {
    if (error instanceof ActiveTimeUp) return { kind: 'failed', error: sessionTimeUp(run) };
    if (isCancellation(error)) return { kind: 'cancelled', cause: new CancelledFailure('The session was cancelled.') };
    // Continue-as-new travels as an exception as well.
    if (applicationFailureOf(error) === undefined) throw error;
    const kind = isSuperseded(error) ? 'superseded' : 'failed';
    return { kind, error: errorOf(error, 'SP002') };
  }
}

async function open(run: SessionRun): Promise<void> {
  const opened = await run.outbox.flushWith((outbox) =>
    engineActivities('open the session').openSession({
      request: run.request,
      continuedFrom: workflowInfo().continuedFromExecutionRunId,
      outbox,
    }),
  );
  run.sessionId = opened.sessionId;
  if (run.config.ai.model === DEFAULT_MODEL) run.config.ai.model = opened.defaultModel;
  run.hasSearchAttributes = opened.hasSearchAttributes;
  run.pauseReleaseMs = opened.pauseReleaseMs ?? 0;
  if (run.config.budget === undefined && opened.defaultBudget !== undefined) {
    run.config.budget = opened.defaultBudget;
    run.outbox.patchRow({ budget: opened.defaultBudget });
  }
  run.updateDetails();
}

/** Strictly in order; stops at the first that fails (S1.A25). */
async function runSteps(run: SessionRun, pause: PauseControl): Promise<StandardError | undefined> {
  if (run.lease === undefined && needsBrowser(run)) acquireAhead(run);
  const { stayOpen } = run.config.agent;
  for (;;) {
    while (run.stepIndex < run.steps.length) {
      const error = await runStep(run, pause, run.stepIndex);
      if (error === 'handover') return await goOnAsNew(run, pause);
      // A conversation goes on after a task that failed; what concerns all of it ends it.
      if (error !== undefined && !(stayOpen && isOfItsTask(run))) return error;
      if (stayOpen) foldStep(run, run.stepIndex);
      run.stepIndex += 1;
      run.recordProgress();
      const { continueAsNewSuggested, targetWorkerDeploymentVersionChanged: isUpgrade } = workflowInfo();
      if ((run.stepIndex < run.steps.length || stayOpen) && (continueAsNewSuggested || isUpgrade))
        await goOnAsNew(run, pause);
    }
    if (!stayOpen || run.isClosing || !(await waitForTask(run, pause))) return undefined;
  }
}

/** A session of tasks whose tools are somebody else's drives no page of ours. */
function needsBrowser({ config, steps, stepIndex }: SessionRun): boolean {
  return config.agent.executor === 'playwright' || steps.slice(stepIndex).some(({ task }) => task === undefined);
}

function isOfItsTask(run: SessionRun): boolean {
  return !run.isSuperseded && !CancellationScope.current().consideredCancelled;
}

/** Between two steps, or two turns of a task, nothing is under way: the safe point to hand over, also to a newer version of this code. */
async function goOnAsNew(run: SessionRun, pause: PauseControl): Promise<never> {
  const isUpgrade = workflowInfo().targetWorkerDeploymentVersionChanged === true;
  // The next run would ask for another one, and nobody would end this.
  run.lease ??= await run.acquiring?.catch(() => undefined);
  await run.publish('hand over to the next run');
  // Last of all: a message that came until here is answered by this run, and what it changed is carried over.
  await condition(allHandlersFinished);
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The session was cancelled.');
  const next = makeContinueAsNewFunc<typeof session>(isUpgrade ? { initialVersioningBehavior: 'AUTO_UPGRADE' } : {});
  return await next({ ...run.request, carried: run.toContinuedState(pause.isRequested) });
}

/** Browser away first, then the terminal event: nothing comes after it (S1.A30). */
async function end(run: SessionRun, ending: Ending): Promise<void> {
  run.isEnding = true;
  await condition(allHandlersFinished, '5 seconds');
  await release(run);
  if (ending.kind === 'superseded') {
    // What this run would write has been written, otherwise, by the run that owns the session.
    await engineActivities('end the log').abandonSession({ error: ending.error });
    return;
  }
  // Not even opened: there is no row and no log.
  if (run.sessionId === '') return;
  if (run.batchInFlight !== undefined) {
    await Promise.race([run.batchInFlight, sleep('1 second', { summary: 'let the stopped commands tell their end' })]);
  }
  if (ending.kind === 'completed') {
    run.status = SessionStatus.COMPLETED;
    run.record('step-processor', StreamEventType.WORKFLOW_COMPLETED, {
      message: `All ${run.steps.length} steps are done.`,
      details: { activeMs: Math.round(run.clock.activeMs()) },
    });
  } else {
    const error = ending.kind === 'cancelled' ? cancelledError(run) : ending.error;
    if (ending.kind === 'cancelled') run.setStatus(SessionStatus.CANCELLED);
    run.status = ending.kind === 'cancelled' ? SessionStatus.CANCELLED : SessionStatus.FAILED;
    run.record('step-processor', StreamEventType.WORKFLOW_FAILED, { message: error.message, error });
    run.outbox.patchRow({ error });
  }
  run.outbox.patchRow({ status: run.status, paused: false, closed: true });
  run.updateDetails(ending.kind === 'completed' ? StepStatus.COMPLETED : StepStatus.FAILED);
  await run.publish(run.status.toLowerCase());
}

/** A host that does not answer any more keeps nothing we could end; its keeper's successor clears what it left. */
async function release(run: SessionRun): Promise<void> {
  // A browser that is only being started is given up; its host ends it when it sees that the session has ended.
  run.stopAcquiring();
  run.lease ??= await run.acquiring?.catch(() => undefined);
  const { lease, sessionId } = run;
  if (lease === undefined) return;
  const { timeouts } = run.config;
  try {
    await endingActivities(lease, 'worker', timeouts).closeBrowser({ sessionId, lease });
  } catch {
    await endingActivities(lease, 'host', timeouts)
      .closeBrowser({ sessionId, lease })
      .catch(() => {});
  }
}

function toWorkflowFailure(error: StandardError): ApplicationFailure {
  return ApplicationFailure.create({ message: error.message, type: error.code, nonRetryable: true, details: [error] });
}
