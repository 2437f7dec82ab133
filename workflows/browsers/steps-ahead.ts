import { CancellationScope } from '@temporalio/workflow';
import type { DecideAndRunOutput, FollowedStep, StepsAheadInput } from '../../activities/signatures/browser-activities';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { Step } from '../../contracts/sessions/step-input';
import type { Budget } from '../../contracts/models/budget';
import { engineActivities } from '../proxies/activity-proxies';
import type { RunningSession } from '../state/session-state';
import type { SessionBrowser } from './session-browser';

/** So many steps are begun at most before the workflow hears of them. */
const MOST_AHEAD = 10;

/**
 * The steps that the worker with the page has begun behind the current one, in the same activity: all but the last of them
 * are done. Their records are in the log, so the workflow only follows.
 */
export class StepsAhead {
  private readonly begun = new Map<number, FollowedStep>();
  /** An activity that might have begun some has given no result. */
  private isUncertain = false;

  constructor(
    private readonly session: RunningSession,
    private readonly browser: SessionBrowser,
    private readonly limits: { readonly budget: Budget | undefined },
  ) {}

  /** The steps that may be done behind the current one, whose first call is about to be made; undefined where there are none. */
  offer(model: string): StepsAheadInput | undefined {
    const { session, browser } = this;
    const { steps, outbox, leftMs, stepLimit } = session;
    if (!session.stepsInARow || leftMs === undefined || !this.isUnbound) return undefined;
    const following = steps.ahead(model, MOST_AHEAD, (step) => isLike(step, steps.current));
    if (following.length === 0) return undefined;
    const { STEP_COMPLETED, WORKFLOW_PROGRESS, STEP_STARTED } = StreamEventType;
    this.isUncertain = true;
    return {
      steps: following.map((step, position) => ({
        step,
        ids: {
          ended: outbox.idAhead(STEP_COMPLETED, steps.index + position, 1),
          progress: outbox.idAhead(WORKFLOW_PROGRESS, undefined, position + 1),
          started: outbox.idAhead(STEP_STARTED, steps.index + position + 1, 1),
        },
      })),
      spentMs: steps.current.options.timeoutMs - (stepLimit.leftMs ?? 0),
      leftMs,
      totalSteps: steps.total,
      completed: steps.completed,
      ...(browser.page === undefined ? {} : { page: browser.page }),
    };
  }

  /** Takes what the worker has begun behind the current step: at once, for a cancellation may come with it. */
  noted(output: DecideAndRunOutput): DecideAndRunOutput {
    const { followed = [] } = output;
    const { index } = this.session.steps;
    this.isUncertain = false;
    for (const stepIndex of this.begun.keys()) if (stepIndex < index) this.begun.delete(stepIndex);
    for (const [position, step] of followed.entries()) this.begun.set(index + position + 1, step);
    return output;
  }

  isBegun(stepIndex: number): boolean {
    return this.begun.has(stepIndex);
  }

  /** What is known of a step that was begun, once. */
  take(stepIndex: number): FollowedStep | undefined {
    const followed = this.begun.get(stepIndex);
    if (followed !== undefined) this.begun.set(stepIndex, { tookMs: followed.tookMs });
    return followed;
  }

  /** How long the steps from this one on took so far, in milliseconds. */
  msFrom(stepIndex: number): number {
    let sum = 0;
    for (const [index, { tookMs }] of this.begun) if (index >= stepIndex) sum += tookMs;
    return sum;
  }

  /** Records what belongs to the beginning of this step: it is only remembered where the worker has written it. */
  record(stepIndex: number, work: () => void): void {
    if (this.isBegun(stepIndex)) this.session.outbox.addWritten(work);
    else work();
  }

  /** Before a step ends as it should not: an activity without a result may have done it, and begun further ones. */
  async learn(): Promise<void> {
    if (!this.isUncertain) return;
    const { id: sessionId, steps } = this.session;
    const newest = await CancellationScope.nonCancellable(() =>
      engineActivities('see which step was begun').newestStep({ sessionId }),
    );
    this.isUncertain = false;
    for (let index = steps.index + 1; index <= newest; index += 1) this.begun.set(index, { tookMs: 0 });
  }

  /** Nothing is asked between two steps: no sign-in, no limit of steps or time that a person may raise. */
  private get isUnbound(): boolean {
    const { plan } = this.session.start;
    const { maxSteps, maxTimeMs } = this.limits.budget ?? {};
    const isInvestigated = this.session.config.investigation === 'always';
    return plan.profile?.signIn === undefined && maxSteps === undefined && maxTimeMs === undefined && !isInvestigated;
  }
}

/** Whether a step is led as the current one is, and nothing has to be looked at or waited for before it. */
function isLike({ task, wait, signIn, textIn, check, options }: Step, current: Step): boolean {
  const isPlain = task === undefined && wait === undefined && signIn === undefined && textIn === undefined;
  return isPlain && check?.before !== true && JSON.stringify(options) === JSON.stringify(current.options);
}
