import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { NewRecord } from '../../contracts/events/log';
import { pageAfter, type OutboxBatch, type PageState } from '../../contracts/events/outbox';
import { StreamEventType, type StreamEventData } from '../../contracts/events/stream-event';
import { BATCH_MARGIN_MS } from '../../contracts/sessions/activity-limits';
import { shownInstruction } from '../../contracts/sessions/carried-steps';
import { progressOf } from '../../contracts/sessions/progress';
import { endedStep, progressMade, startedStep } from '../../contracts/events/step-records';
import { StepStatus } from '../../contracts/steps/step-result';
import type { FollowedStep, StepAhead, StepsAheadInput } from '../signatures/browser-activities';
import { isStepDone } from './at-once';
import { WRITTEN, type OneStep, type StepOutput } from './decide-and-run-step';

/** No further step is begun after this time: the workflow, and whoever looks at it, hears of the steps then. */
const ROW_MS = 3000;
const LONG_WAIT_S = 1;

/** What a row of steps is done with. */
interface RowWork {
  /** Decides and runs a step; without time for its commands it is only decided. */
  run(step: OneStep, isTimeFor: (commands: readonly PlannedCommand[]) => boolean): Promise<StepOutput>;
  /** Writes what belongs between two steps. */
  write(between: OutboxBatch): Promise<void>;
  /** False once the activity is asked to stop. */
  mayGoOn(): boolean;
}

/**
 * Does the steps behind one that was run, as long as each is done, nobody has to be asked, and there is time. What the workflow
 * would have written between two steps is written here, under the same ids. A failure of a step ends the row: the workflow
 * meets it again there.
 */
export async function followSteps(
  input: OneStep,
  ahead: StepsAheadInput,
  first: StepOutput & { tookMs: number },
  work: RowWork,
): Promise<FollowedStep[]> {
  const followed: FollowedStep[] = [];
  const begunAt = performance.now() - first.tookMs;
  const elapsedMs = (): number => performance.now() - begunAt;
  // The limit of the first step holds for the whole activity.
  const isTimeFor = (commands: readonly PlannedCommand[]): boolean => {
    const longestMs = Math.max(1, commands.length) * input.executor.timeoutMs + BATCH_MARGIN_MS;
    return elapsedMs() + longestMs < ahead.leftMs && !commands.some(isLongWait);
  };
  let newest = { ...first, tookMs: first.tookMs + ahead.spentMs };
  let { completed, page } = ahead;
  let { lease } = input;
  for (const [position, next] of ahead.steps.entries()) {
    const { ran } = newest;
    if (ran !== undefined) [lease, page] = [ran.lease, pageAfter(page, ran.page)];
    if (!work.mayGoOn() || elapsedMs() > ROW_MS || !isTimeFor([]) || !isStepDone(newest, input)) break;
    completed = { count: completed.count + 1, durationMs: completed.durationMs + newest.tookMs };
    const place = { ...input, lease, stepIndex: input.stepIndex + position + 1 };
    const ended = ahead.steps[position - 1]?.step.instruction ?? input.step.instruction;
    const between = betweenSteps(place, next, { ended, ...newest, page, completed, totalSteps: ahead.totalSteps });
    // Where it fails, the activity does: an earlier attempt may have begun the next step.
    await work.write(between);
    const since = performance.now();
    const output = await work.run(stepInput(place, next), isTimeFor).catch((): StepOutput => ({}));
    newest = { ...output, tookMs: Math.round(performance.now() - since) };
    followed.push(newest);
  }
  return followed;
}

/** The workflow is to know, and to say, that the session waits. */
function isLongWait({ action, parameters }: PlannedCommand): boolean {
  return action === 'WAIT_FOR' && (parameters.seconds ?? 0) > LONG_WAIT_S;
}

function stepInput(place: OneStep, { step }: StepAhead): OneStep {
  const { once: _once, judges: _judges, triedFrom: _from, freshFrom: _fresh, ...input } = place;
  return {
    ...input,
    step,
    turn: 0,
    mayAct: true,
    ...(step.once === undefined ? {} : { once: step.once }),
    ...(step.options.maxIterations > 1 ? { judges: true } : {}),
    outbox: WRITTEN,
  };
}

/** The end of a step, and the beginning of the next one, which `place` is of. */
function betweenSteps(
  { sessionId, stepIndex }: Pick<OneStep, 'sessionId' | 'stepIndex'>,
  { step: { instruction }, ids }: StepAhead,
  facts: StepOutput &
    Pick<StepsAheadInput, 'completed' | 'totalSteps'> & { ended: string; tookMs: number; page: PageState | undefined },
): OutboxBatch {
  const { decided, judged, completed, totalSteps, ended, page = { screenshotId: '', url: 'about:blank' } } = facts;
  const { STEP_COMPLETED, WORKFLOW_PROGRESS, STEP_STARTED } = StreamEventType;
  const status = StepStatus.COMPLETED as const;
  const reasoning = [decided, judged].flatMap((each) => each?.reasoning ?? []).join('\n\n');
  const made = progressOf({
    sessionId,
    totalSteps,
    completedSteps: completed.count,
    durationMs: completed.durationMs,
    currentStepName: shownInstruction(instruction),
    currentStepIndex: stepIndex,
    lastActivity: new Date(),
  });
  return {
    records: [
      record(ids.ended, STEP_COMPLETED, endedStep(stepIndex - 1, ended, status), stepIndex - 1),
      record(ids.progress, WORKFLOW_PROGRESS, progressMade(made)),
      record(ids.started, STEP_STARTED, startedStep(stepIndex, instruction), stepIndex),
    ],
    patch: { currentStep: stepIndex },
    stepResults: [{ stepIndex: stepIndex - 1, status, reasoning, durationMs: Math.round(facts.tookMs), page }],
  };
}

function record(eventId: string, type: StreamEventType, data: StreamEventData, stepIndex?: number): NewRecord {
  const at = new Date().toISOString();
  return { eventId, owner: 'step-processor', type, at, ...(stepIndex === undefined ? {} : { stepIndex }), data };
}
