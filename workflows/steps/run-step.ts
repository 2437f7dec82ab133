import { isCancellation } from '@temporalio/workflow';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { PageState } from '../../contracts/events/outbox';
import type { Step } from '../../contracts/sessions/step-input';
import { endedStep, startedStep } from '../../contracts/events/step-records';
import { StepStatus } from '../../contracts/steps/step-result';
import { CANCELLED_ANSWER } from '../../contracts/tasks/agent-loop';
import { engineActivities } from '../proxies/activity-proxies';
import { errorOf, isSuperseded } from '../proxies/failures';
import { ActiveTimeUp } from '../state/active-clock';
import { cancelledError, sessionTimeUpError } from '../state/errors';
import type { SessionRun } from '../sessions/session-run';
import type { RunningSession } from '../state/session-state';
import { runTask, taskFacts, type TaskFacts } from '../tasks/run-task';
import { actReflect } from './act-reflect';
import { awaitPage } from './await-page';
import { checkBefore } from './check-before';
import { endOpenCommands } from './end-open-calls';
import { actReflectSignedIn, runSignInStep } from './sign-in';
import { withStepRetries } from './step-retries';

const UNKNOWN_PAGE: PageState = { screenshotId: '', url: 'about:blank' };

/** `handover`: the step goes on in the next run of the workflow; `superseded`: another run owns the session. */
export type StepOutcome = { kind: 'completed' | 'handover' } | { kind: 'failed' | 'superseded'; error: StandardError };

interface RecordedEnd {
  status: StepStatus.COMPLETED | StepStatus.FAILED | StepStatus.CANCELLED;
  error?: StandardError | undefined;
  reasoning: string;
  page?: PageState | undefined;
  /** Of a task. */
  facts?: TaskFacts | undefined;
}

/** Runs the current step within its time and records its end: exactly one STEP_COMPLETED or STEP_FAILED per STEP_STARTED. */
export async function runStep(run: SessionRun): Promise<StepOutcome> {
  const { session, task, pageWaits, ahead } = run;
  await loadStep(session);
  const { index: stepIndex, current: step } = session.steps;
  const continued = task.progress ?? pageWaits.progress;
  const isContinued = continued !== undefined;
  const startedAtMs = continued?.startedAtMs ?? session.clock.activeMs() - ahead.msFrom(stepIndex);
  if (step.task !== undefined) task.begin(stepIndex, startedAtMs);
  ahead.record(stepIndex, () => {
    session.outbox.patchRow({ currentStep: stepIndex });
    if (isContinued) return;
    const started = startedStep(stepIndex, step.instruction);
    session.record('step-processor', StreamEventType.STEP_STARTED, started, stepIndex);
  });
  session.showDetails();
  try {
    const left = step.options.timeoutMs - (session.clock.activeMs() - startedAtMs);
    const end = await session.stepLimit.within(left, () => tryStep(run, startedAtMs));
    if (end === 'handover') return { kind: 'handover' };
    if (end.status !== StepStatus.COMPLETED && (await isDoneAhead(run))) return completeAhead(run, startedAtMs);
    if (end.status === StepStatus.CANCELLED) await endOpenCommands(run, 'The response was cancelled.');
    if (end.status === StepStatus.FAILED) end.page = (await captureFailure(run)) ?? end.page;
    recordEnd(run, startedAtMs, end);
    return end.error === undefined ? { kind: 'completed' } : { kind: 'failed', error: end.error };
  } catch (thrown) {
    const kind = isSuperseded(thrown) ? 'superseded' : 'failed';
    if (kind !== 'superseded' && (await isDoneAhead(run))) return completeAhead(run, startedAtMs);
    const isCancelled = session.isCancelled && isCancellation(thrown);
    const error = isCancelled ? cancelledError(session, stepIndex) : toStepError(session, step, thrown);
    if (kind !== 'superseded') await endOpenCommands(run, isCancelled ? 'The session was cancelled.' : error.message);
    const page = isCancelled || kind === 'superseded' ? undefined : await captureFailure(run);
    const answer = isCancelled ? CANCELLED_ANSWER : error.message;
    const facts = task.progress === undefined ? undefined : taskFacts('error', answer, task.progress);
    const status = isCancelled ? StepStatus.CANCELLED : StepStatus.FAILED;
    recordEnd(run, startedAtMs, { status, error, reasoning: '', page, facts });
    if (isCancelled) throw thrown;
    return { kind, error };
  }
}

/** Whether the worker has done this step and begun the next one, whatever came to the workflow meanwhile. */
async function isDoneAhead({ session, ahead }: SessionRun): Promise<boolean> {
  await ahead.learn();
  return ahead.isBegun(session.steps.index + 1);
}

function completeAhead(run: SessionRun, startedAtMs: number): StepOutcome {
  recordEnd(run, startedAtMs, { status: StepStatus.COMPLETED, reasoning: '' });
  return { kind: 'completed' };
}

/** A long step is carried without its text: it is read when its turn comes. */
async function loadStep({ id: sessionId, steps }: RunningSession): Promise<void> {
  const { textIn } = steps.current;
  if (textIn === undefined) return;
  const stepIndex = steps.index;
  steps.load(await engineActivities(`read step ${stepIndex + 1}`).readStep({ sessionId, stepIndex, textIn }));
}

async function tryStep(run: SessionRun, startedAtMs: number): Promise<RecordedEnd | 'handover'> {
  const { progress } = run.task;
  if (progress === undefined) {
    const { current } = run.session.steps;
    if (current.wait !== undefined) {
      const end = await awaitPage(run, current.wait, startedAtMs);
      return end === 'handover' ? end : { ...end, status: statusOf(end) };
    }
    const { signIn } = run.session.start.plan.profile ?? {};
    const end = await withStepRetries(run.session, async (tries) => {
      const before = tries.turn === 0 ? await checkBefore(run) : undefined;
      if (before !== undefined) return { error: before.error, reasoning: before.reason, page: run.browser.page };
      if (signIn === undefined) return await actReflect(run, tries);
      return await (current.signIn === true
        ? runSignInStep(run, tries, signIn)
        : actReflectSignedIn(run, tries, signIn));
    });
    return { ...end, status: statusOf(end) };
  }
  const before = progress.turn === 0 ? await checkBefore(run) : undefined;
  if (before !== undefined) {
    const { error, reason: reasoning } = before;
    return {
      status: statusOf(before),
      error,
      reasoning,
      facts: taskFacts(error === undefined ? 'complete' : 'error', reasoning, progress),
    };
  }
  const end = await runTask(run, progress);
  if (end.kind === 'handover') return 'handover';
  const { facts } = end;
  const reasoning = facts.answer;
  if (end.kind === 'completed') return { status: StepStatus.COMPLETED, reasoning, facts };
  const status = end.kind === 'cancelled' ? StepStatus.CANCELLED : StepStatus.FAILED;
  return { status, error: end.error, reasoning, facts };
}

function statusOf({ error }: { error: StandardError | undefined }): StepStatus.COMPLETED | StepStatus.FAILED {
  return error === undefined ? StepStatus.COMPLETED : StepStatus.FAILED;
}

function recordEnd(run: SessionRun, startedAtMs: number, end: RecordedEnd): void {
  const { session, browser, task, pageWaits, ahead } = run;
  const { index: stepIndex, current: step } = session.steps;
  const { status, error, reasoning, page = browser.page ?? UNKNOWN_PAGE, facts } = end;
  const durationMs = Math.round(session.clock.activeMs() - startedAtMs - ahead.msFrom(stepIndex + 1));
  // What the worker has begun behind this step, it has begun with the step's end.
  ahead.record(stepIndex + 1, () => {
    session.outbox.stepResult({ stepIndex, status, reasoning, durationMs, error, page });
    if (error !== undefined && status === StepStatus.FAILED)
      session.record('executor-streamer', StreamEventType.ERROR_OCCURRED, { error }, stepIndex);
    session.outbox.record(
      'step-processor',
      status === StepStatus.COMPLETED ? StreamEventType.STEP_COMPLETED : StreamEventType.STEP_FAILED,
      endedStep(stepIndex, step.instruction, status, error),
      stepIndex,
      facts === undefined ? {} : { facts },
    );
  });
  task.end();
  pageWaits.end();
  if (status === StepStatus.COMPLETED) session.steps.complete(durationMs);
}

function toStepError(session: RunningSession, step: Step, error: unknown): StandardError {
  const stepIndex = session.steps.index;
  if (error instanceof ActiveTimeUp) {
    const message = `The step was not done within its ${step.options.timeoutMs / 1000} s of active time. Give it more (stepTimeoutMs, or timeoutMs of the step) or split it.`;
    return session.error('SP003', message, { stepIndex });
  }
  if (isCancellation(error)) return sessionTimeUpError(session, stepIndex);
  return { ...errorOf(error, 'TL004'), sessionId: session.id, stepIndex };
}

/** Best effort: the step has failed already. */
async function captureFailure({ session, browser }: SessionRun): Promise<PageState | undefined> {
  return await browser.captureFailure(session.steps.index).catch(() => undefined);
}
