import { ApplicationFailure } from '@temporalio/workflow';
import type { OpenSessionOutput } from '../../activities/signatures/engine-activities';
import type { WaitingFor } from '../../contracts/approvals/waiting-for';
import type { Issue } from '../../contracts/errors/issues';
import { StreamEventType } from '../../contracts/events/stream-event';
import {
  budgetCommand,
  budgetSpentText,
  budgetUses,
  budgetWarningText,
  nearlySpent,
  raiseBudget,
  spent,
  type Budget,
  type BudgetUse,
  type ResolveBudgetRequest,
} from '../../contracts/models/budget';
import { budgetIssues } from '../../contracts/models/budget-floor';
import { SessionStatus } from '../../contracts/sessions/session';
import type { SessionBrowser } from '../browsers/session-browser';
import type { RunningSession } from '../state/session-state';

type WaitState =
  { kind: 'none' } | { kind: 'waiting'; use: BudgetUse } | { kind: 'answered'; answer: ResolveBudgetRequest };

/** The budget as one run of the session hands it to the next: as it was raised, and with the limits it has warned of. */
export interface ContinuedBudget {
  budget: Budget | undefined;
  warned: string[];
}

/**
 * What a session may use. The store holds tokens and money, because it sees every call; steps and time are held here. When
 * a limit is reached no call is made until a person raises it, or the session ends with what is done.
 */
export class BudgetWait {
  private state: WaitState = { kind: 'none' };
  private current: Budget | undefined;
  private most: Budget | undefined;
  private readonly warned: Set<string>;

  constructor(
    private readonly session: RunningSession,
    private readonly browser: SessionBrowser,
    continued?: ContinuedBudget,
  ) {
    this.current = continued?.budget ?? session.config.budget;
    this.warned = new Set(continued?.warned);
  }

  get budget(): Budget | undefined {
    return this.current;
  }

  /** What of a budget is more than the operator allows. */
  floorIssues(raised: Budget): Issue[] {
    return this.most === undefined ? [] : budgetIssues(raised, this.most);
  }

  /** The limit that a person is asked about now. */
  get use(): BudgetUse | undefined {
    return this.state.kind === 'waiting' ? this.state.use : undefined;
  }

  toContinued(): ContinuedBudget {
    return { budget: this.current, warned: [...this.warned] };
  }

  /** What the workers say: the budget of a session that names none, and the most that any is raised to. */
  opened({ defaultBudget: budget, mostBudget }: Pick<OpenSessionOutput, 'defaultBudget' | 'mostBudget'>): void {
    this.most = mostBudget;
    if (this.current !== undefined || budget === undefined) return;
    this.current = budget;
    this.session.outbox.patchRow({ budget });
  }

  /** Takes the decision. The caller has checked that one is waited for. */
  answer(answer: ResolveBudgetRequest): void {
    this.state = { kind: 'answered', answer };
  }

  /** Checked before each call of a model. */
  async beforeCall(stepIndex: number): Promise<void> {
    for (;;) {
      const used = { maxSteps: stepIndex, maxTimeMs: Math.round(this.session.clock.activeMs()) };
      const uses = budgetUses(this.current, used);
      for (const use of nearlySpent(uses)) this.warn(use, stepIndex);
      const use = spent(uses);
      if (use === undefined) return;
      await this.decide(use, stepIndex);
    }
  }

  /** Returns when the budget was raised; throws when the session is to end. */
  async decide(use: BudgetUse, stepIndex: number): Promise<void> {
    const { session, current: budget } = this;
    if (budget === undefined || budget.whenReached === 'end') throw this.endError(use, stepIndex, budgetSpentText(use));
    session.clock.stop();
    const answer = await this.ask(use);
    session.clock.start();
    const isRaised = answer.decision === 'raise';
    if (isRaised) {
      this.current = raiseBudget(budget, answer);
      session.outbox.patchRow({ budget: this.current });
    }
    session.record('step-processor', StreamEventType.WORKFLOW_RESUMED, {
      message: isRaised ? 'A person has raised the budget.' : 'A person has decided to end the session here.',
      details: { budget: this.current, decision: answer.decision },
    });
    session.setStatus(SessionStatus.ACTIVE);
    await session.publish('go on with the decision');
    if (!isRaised) throw this.endError(use, stepIndex, `${budgetSpentText(use)} A person has decided to end it.`);
    // A wait that lasted has released the browser; the model is asked about the page that comes in its place.
    await this.browser.restore();
  }

  private async ask(use: BudgetUse): Promise<ResolveBudgetRequest> {
    const { session } = this;
    const command = budgetCommand(session.id, use);
    const waitingFor: WaitingFor = { pausedFor: 'budget', budget: use };
    this.state = { kind: 'waiting', use };
    session.details.setQuestion('budget', [budgetSpentText(use), `Decide with \`${command}\``]);
    try {
      session.record('step-processor', StreamEventType.WORKFLOW_PAUSED, {
        message: `${budgetSpentText(use)} Decide with: ${command}`,
        details: waitingFor,
      });
      session.outbox.patchRow({ waitingFor });
      session.setStatus(SessionStatus.PAUSED);
      await session.publish('ask a person about the budget');
      return await this.answered();
    } finally {
      // Also when the session is cancelled meanwhile: it asks nobody any more.
      this.state = { kind: 'none' };
      session.details.setQuestion('budget');
      session.outbox.patchRow({ waitingFor: null });
    }
  }

  private async answered(): Promise<ResolveBudgetRequest> {
    await this.browser.waitWhile(() => this.state.kind !== 'answered');
    if (this.state.kind !== 'answered') throw new Error('The wait for a decision ended without one.');
    return this.state.answer;
  }

  private warn(use: BudgetUse, stepIndex: number): void {
    const key = `${use.limit} ${use.allowed}`;
    if (this.warned.has(key)) return;
    this.warned.add(key);
    const details = { kind: 'budget.warning', ...use };
    this.session.warn({ code: 'TL004', message: budgetWarningText(use), details }, stepIndex);
  }

  private endError(use: BudgetUse, stepIndex: number, why: string): ApplicationFailure {
    const { steps } = this.session;
    const [completedSteps, totalSteps] = [steps.completed.count, steps.total];
    const message = `${why} ${completedSteps} of ${totalSteps} steps are done, and their results are kept.`;
    const error = this.session.error('TL004', message, {
      stepIndex,
      details: { kind: 'budget', use, isPartial: true, completedSteps, totalSteps },
      suggestedAction: 'Give the session a larger budget (config.budget), or fewer steps.',
    });
    // The error table says that a retry of this code may help; here it would only spend more.
    const record = { ...error, retryable: false };
    return ApplicationFailure.create({ message, type: error.code, nonRetryable: true, details: [record] });
  }
}
