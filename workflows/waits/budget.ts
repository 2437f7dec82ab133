import { ApplicationFailure, uuid4 } from '@temporalio/workflow';
import {
  budgetCommand,
  budgetUses,
  nearlySpent,
  raiseBudget,
  spent,
  budgetWarningText,
  budgetSpentText,
  type Budget,
  type BudgetUse,
  type ResolveBudgetRequest,
} from '../../contracts/models/budget';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import type { WaitingFor } from '../../contracts/approvals/waiting-for';
import { restoreBrowser, waitOutPause } from '../browsers/release';
import type { SessionRun } from '../sessions/session-run';

type WaitState =
  { kind: 'none' } | { kind: 'waiting'; use: BudgetUse } | { kind: 'answered'; answer: ResolveBudgetRequest };

/** A budget as one run of the session hands it to the next: with what was raised, and of which parts it has warned. */
export interface CarriedBudget {
  budget: Budget | undefined;
  warned: string[];
}

/**
 * What a session may use. Tokens and money are held by the store, which sees every call; steps and time here. When a part
 * is used up no call is made until a person raises it, or the session ends with what is done.
 */
export class BudgetWait {
  private state: WaitState = { kind: 'none' };
  private warned = new Set<string>();

  constructor(private readonly run: SessionRun) {}

  /** The part that a person is asked about now. */
  get use(): BudgetUse | undefined {
    return this.state.kind === 'waiting' ? this.state.use : undefined;
  }

  toCarried(): CarriedBudget {
    return { budget: this.run.config.budget, warned: [...this.warned] };
  }

  carryOn({ budget, warned }: CarriedBudget): void {
    if (budget !== undefined) this.run.config.budget = budget;
    this.warned = new Set(warned);
  }

  /** The first answer counts; whoever calls has made sure that one is waited for. */
  answer(answer: ResolveBudgetRequest): void {
    this.state = { kind: 'answered', answer };
  }

  /** Before each call of a model. */
  async beforeCall(stepIndex: number): Promise<void> {
    const { run } = this;
    for (;;) {
      const used = { maxSteps: stepIndex, maxTimeMs: Math.round(run.clock.activeMs()) };
      const uses = budgetUses(run.config.budget, used);
      for (const use of nearlySpent(uses)) this.warn(use, stepIndex);
      const use = spent(uses);
      if (use === undefined) return;
      await this.decide(use, stepIndex);
    }
  }

  /** Comes back when the budget was raised; throws when the session is to end. */
  async decide(use: BudgetUse, stepIndex: number): Promise<void> {
    const { run } = this;
    const { budget } = run.config;
    if (budget === undefined || budget.whenReached === 'end') throw this.ended(use, stepIndex, budgetSpentText(use));
    this.state = { kind: 'waiting', use };
    run.clock.stop();
    let answer: ResolveBudgetRequest;
    try {
      answer = await this.answerTo(use);
    } finally {
      // Also when the session is cancelled meanwhile: it asks nobody any more.
      this.state = { kind: 'none' };
      run.outbox.patchRow({ waitingFor: null });
    }
    run.clock.start();
    const isRaised = answer.decision === 'raise';
    if (isRaised) {
      run.config.budget = raiseBudget(budget, answer);
      run.outbox.patchRow({ budget: run.config.budget });
    }
    run.record('step-processor', StreamEventType.WORKFLOW_RESUMED, {
      message: isRaised ? 'A person has raised the budget.' : 'A person has decided to end the session here.',
      details: { budget: run.config.budget, decision: answer.decision },
    });
    run.setStatus(SessionStatus.ACTIVE);
    await run.publish('go on with the decision');
    if (!isRaised) throw this.ended(use, stepIndex, `${budgetSpentText(use)} A person has decided to end it.`);
    // A wait that lasted has given the browser back; what is asked next is asked of the page that comes in its place.
    await restoreBrowser(run, () => false);
  }

  private async answerTo(use: BudgetUse): Promise<ResolveBudgetRequest> {
    const { run } = this;
    const waitingFor: WaitingFor = { pausedFor: 'budget', budget: use };
    run.record('step-processor', StreamEventType.WORKFLOW_PAUSED, {
      message: `${budgetSpentText(use)} Decide with: ${budgetCommand(run.sessionId, use)}`,
      details: waitingFor,
    });
    run.outbox.patchRow({ waitingFor });
    run.setStatus(SessionStatus.PAUSED);
    await run.publish('ask a person about the budget');
    await waitOutPause(run, () => this.state.kind !== 'answered');
    if (this.state.kind !== 'answered') throw new Error('The wait for a decision ended without one.');
    return this.state.answer;
  }

  private warn(use: BudgetUse, stepIndex: number): void {
    const { run } = this;
    const key = `${use.limit} ${use.allowed}`;
    if (this.warned.has(key)) return;
    this.warned.add(key);
    const warning = {
      id: uuid4(),
      code: 'TL004',
      message: budgetWarningText(use),
      details: { kind: 'budget.warning', ...use },
      timestamp: new Date(),
      sessionId: run.sessionId,
      stepIndex,
    };
    run.record('executor-streamer', StreamEventType.WARNING_ISSUED, { warning }, stepIndex);
  }

  private ended(use: BudgetUse, stepIndex: number, why: string): ApplicationFailure {
    const { run } = this;
    const [completedSteps, totalSteps] = [run.finishedDurations.length, run.steps.length];
    const message = `${why} ${completedSteps} of ${totalSteps} steps are done, and their results are kept.`;
    const error = run.error('TL004', message, {
      stepIndex,
      details: { kind: 'budget', use, isPartial: true, completedSteps, totalSteps },
      suggestedAction: 'Give the session a larger budget (config.budget), or fewer steps.',
    });
    // The table says of the code that a retry may help; here it would only spend more.
    return ApplicationFailure.create({
      message,
      type: error.code,
      nonRetryable: true,
      details: [{ ...error, retryable: false }],
    });
  }
}
