import {
  CancellationScope,
  CancelledFailure,
  ChildWorkflowCancellationType,
  condition,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { EndedParallelStep, PlannedParallelStep } from '../../activities/signatures/parallel-activities';
import type { StandardError } from '../../contracts/errors/standard-error';
import { endedStep, startedStep } from '../../contracts/events/step-records';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SESSION_WORKFLOW } from '../../contracts/queues';
import { shownInstruction } from '../../contracts/sessions/carried-steps';
import type { PlannedStart } from '../../contracts/sessions/start-request';
import { workflowFacts } from '../../contracts/sessions/workflow-facts';
import { StepStatus } from '../../contracts/steps/step-result';
import { engineActivities } from '../proxies/activity-proxies';
import type { SessionEnding } from '../sessions/ending';
import type { SessionRun } from '../sessions/session-run';

/** Browsers are given out as to all sessions; this bounds what one session asks for. */
const STEPS_AT_ONCE = 10;
/** A step whose workflow has ended is soon closed in the store. */
const AFTER_END_MS = 2000;
/** Temporal may not say how a step has ended that an earlier run of the workflow has begun. */
const FIRST_LOOK_MS = 10_000;
const LAST_LOOK_MS = 3_600_000;

interface Planned extends PlannedParallelStep {
  stepIndex: number;
  workflowId: string;
}

interface OpenStep {
  workflowId: string;
  sessionId: string;
  instruction: string;
  /** Its workflow is started, or is found to be. */
  begun: Promise<void>;
  /** Temporal has said that it has ended. */
  isOver: boolean;
}

/** The steps of a session that run at once. What became of them is in the store, whichever run of the workflow began them. */
export class ParallelSteps {
  private next = 0;
  private hasNews = false;
  private readonly open = new Map<number, OpenStep>();
  private readonly failures = new Map<number, StandardError>();
  private resultOf = -1;

  constructor(private readonly run: SessionRun) {}

  async runAll(): Promise<void> {
    const { session, pause } = this.run;
    const { total } = session.steps;
    for (;;) {
      if (pause.isRequested) await this.pauseAll();
      const count = Math.min(STEPS_AT_ONCE - this.open.size, total - this.next);
      if (count > 0) await this.beginSome(count);
      if (this.open.size === 0) return;
      await this.awaitEnds(() => pause.isRequested);
    }
  }

  /** Cancels the steps that are open, and waits until they have ended. */
  async cancel(): Promise<void> {
    await this.eachOpen((workflowId) => getExternalWorkflowHandle(workflowId).cancel());
    while (this.open.size > 0) await this.awaitEnds();
  }

  /** Of a session whose steps have all ended. */
  ending(): SessionEnding {
    const { session } = this.run;
    const { total } = session.steps;
    while (session.steps.remainingCount > 0) session.steps.advance();
    const [first] = [...this.failures].sort(([one], [other]) => one - other);
    if (first === undefined) return { kind: 'completed' };
    const [stepIndex, cause] = first;
    const count = this.failures.size;
    const message = `${count} of ${total} parallel steps ${count === 1 ? 'has' : 'have'} failed. Step ${stepIndex + 1}: ${cause.message}`;
    const { suggestedAction } = cause;
    return { kind: 'failed', error: session.error('TL004', message, { stepIndex, suggestedAction, cause }) };
  }

  private async beginSome(count: number): Promise<void> {
    const { session } = this.run;
    const first = this.next;
    const planned = await Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const stepIndex = first + at;
        const workflowId = `${session.id}:step-${stepIndex + 1}`;
        const { planParallelStep } = engineActivities(`begin step ${stepIndex + 1}`);
        const step = await planParallelStep({ sessionId: session.id, stepIndex, workflowId });
        return { stepIndex, workflowId, ...step };
      }),
    );
    if (session.isCancelled) throw new CancelledFailure('The session was cancelled.');
    this.next += count;
    await Promise.all(planned.map((each) => this.begin(each)));
    await session.publish('steps have begun');
  }

  private async begin({ stepIndex, workflowId, sessionId, start }: Planned): Promise<void> {
    const instruction = shownInstruction(start.plan.steps[0]!.instruction);
    const step: OpenStep = { workflowId, sessionId, instruction, begun: Promise.resolve(), isOver: false };
    this.open.set(stepIndex, step);
    this.run.session.record(
      'step-processor',
      StreamEventType.STEP_STARTED,
      { ...startedStep(stepIndex, instruction), details: { sessionId } },
      stepIndex,
    );
    step.begun = CancellationScope.nonCancellable(() => this.startChild(step, start));
    await step.begun;
  }

  private async startChild(step: OpenStep, planned: PlannedStart): Promise<void> {
    const { priority, tenant } = this.run.session.start;
    const start = {
      ...planned,
      ...(priority === undefined ? {} : { priority }),
      ...(tenant === undefined ? {} : { tenant }),
    };
    const end = (): void => {
      step.isOver = true;
      this.hasNews = true;
    };
    try {
      const child = await startChild(SESSION_WORKFLOW, {
        workflowId: step.workflowId,
        ...workflowFacts(start),
        args: [start],
        parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
        cancellationType: ChildWorkflowCancellationType.ABANDON,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      });
      void child.result().then(end, end);
    } catch (error) {
      // A run of the workflow before a reset has started it.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  /** Records the ends of steps: waits for one, and looks by itself from time to time. */
  private async awaitEnds(isInterrupted: () => boolean = () => false): Promise<void> {
    for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 2, LAST_LOOK_MS)) {
      const isDue = this.hasNews || ![...this.open.values()].some(({ isOver }) => isOver);
      const summary = 'look how the steps have ended';
      await condition(() => this.hasNews || isInterrupted(), isDue ? lookMs : AFTER_END_MS, { summary });
      if (isInterrupted()) return;
      this.hasNews = false;
      if (await this.collect()) return;
    }
  }

  private async collect(): Promise<boolean> {
    const { session } = this.run;
    const steps = [...this.open].map(([stepIndex, { sessionId }]) => ({ stepIndex, sessionId }));
    const { collectParallelSteps } = engineActivities('look how the steps have ended');
    const ended = await collectParallelSteps({ sessionId: session.id, steps });
    for (const end of ended) this.recordEnd(end);
    if (ended.length === 0) return false;
    session.outbox.patchRow({ currentStep: this.next - this.open.size });
    session.recordProgress();
    await session.publish('steps have ended');
    return true;
  }

  private recordEnd({ stepIndex, status, reasoning, durationMs, url, result, ...end }: EndedParallelStep): void {
    const { session } = this.run;
    const { instruction, sessionId } = this.open.get(stepIndex)!;
    this.open.delete(stepIndex);
    const isDone = status === StepStatus.COMPLETED;
    const error = isDone ? undefined : this.errorOf(stepIndex, end.error);
    if (error !== undefined) this.failures.set(stepIndex, error);
    session.outbox.stepResult({ stepIndex, status, reasoning, durationMs, error, page: { screenshotId: '', url } });
    if (error !== undefined && status === StepStatus.FAILED)
      session.record('executor-streamer', StreamEventType.ERROR_OCCURRED, { error }, stepIndex);
    session.record(
      'step-processor',
      isDone ? StreamEventType.STEP_COMPLETED : StreamEventType.STEP_FAILED,
      { ...endedStep(stepIndex, instruction, status, error), details: { sessionId } },
      stepIndex,
    );
    if (isDone) session.steps.complete(durationMs);
    if (result !== undefined && stepIndex > this.resultOf) {
      this.resultOf = stepIndex;
      session.setResult(result);
    }
  }

  private errorOf(stepIndex: number, error: StandardError | undefined): StandardError {
    const { session } = this.run;
    if (error === undefined) return session.error('TL004', 'The session of the step has failed.', { stepIndex });
    return { ...error, sessionId: session.id, stepIndex };
  }

  /** The steps pause as sessions do, and none begins. */
  private async pauseAll(): Promise<void> {
    await this.eachOpen((workflowId) => getExternalWorkflowHandle(workflowId).signal('pause'));
    await this.run.pause.untilResumed();
    await this.eachOpen((workflowId) => getExternalWorkflowHandle(workflowId).signal('resume'));
  }

  private async eachOpen(act: (workflowId: string) => Promise<void>): Promise<void> {
    const steps = [...this.open.values()];
    await Promise.all(
      steps.map(async ({ workflowId, begun }) => {
        await begun.catch(() => {});
        // One that is gone has ended.
        await act(workflowId).catch(() => {});
      }),
    );
  }
}
