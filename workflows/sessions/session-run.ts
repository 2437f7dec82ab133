import {
  CancellationScope,
  setCurrentDetails,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { Lease } from '../../activities/browser-activities';
import type { PageState } from '../../contracts/sessions/outbox';
import type { SessionConfig } from '../../contracts/sessions/config';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import { standardError, type StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType, type StreamEventData } from '../../contracts/events/stream-event';
import { approvalCommand } from '../../contracts/approvals/approval';
import type { RememberedApproval } from '../../contracts/approvals/approval-policy';
import type { ModuleId } from '../../contracts/events/event-definition';
import { progressOf } from '../../contracts/sessions/progress';
import { SessionStatus } from '../../contracts/sessions/session';
import type { StartRequest, Step } from '../../contracts/sessions/start-request';
import { StepStatus } from '../../contracts/steps/step-result';
import { resolveUnknownCommand, describeUnknownOutcome } from '../../contracts/approvals/unknown-outcome';
import { budgetCommand, budgetSpentText } from '../../contracts/models/budget';
import { ActiveClock } from './active-clock';
import { engineActivities } from '../activities/proxies';
import { PendingApprovals } from '../waits/pending-approvals';
import { BudgetWait, type CarriedBudget } from '../waits/budget';
import { RemoteCalls } from '../tasks/remote-calls';
import { TurnCalls } from '../tasks/turn-calls';
import { Outbox } from './outbox';
import type { PauseControl } from '../waits/pause';
import type { TaskProgress } from '../tasks/task-progress';
import { TurnControl } from '../tasks/turn-control';
import { UnknownWait } from '../waits/unknown-outcome';

const STATUS_KEY = defineSearchAttributeKey('SurefootStatus', 'KEYWORD');
const STEP_KEY = defineSearchAttributeKey('SurefootStep', 'INT');
const MODEL_KEY = defineSearchAttributeKey('SurefootModel', 'KEYWORD');

/** What one run of the workflow hands to the next when it continues as new. */
export interface ContinuedState {
  sessionId: string;
  steps: Step[];
  stepIndex: number;
  finishedDurations: number[];
  activeMs: number;
  lease: Lease | undefined;
  hasSearchAttributes: boolean;
  /** Absent before anything was opened, and from runs that did not know of it. */
  page?: PageState | undefined;
  /** A pause was asked for while the run before this one handed over. */
  isPauseRequested: boolean;
  /** A task that is under way, between two of its turns. */
  task?: TaskProgress | undefined;
  /** Approvals that people wished to be kept for the rest of the session. */
  keptApprovals?: RememberedApproval[] | undefined;
  isClosing?: true | undefined;
  /** Absent from runs that did not know of it. */
  budget?: CarriedBudget;
}

/** State of one run of a session: what is known, what is pending to be written, and how to tell it. */
export class SessionRun {
  sessionId = '';
  status: SessionStatus = SessionStatus.INITIALIZING;
  stepIndex = 0;
  finishedDurations: number[] = [];
  lease: Lease | undefined;
  /** The page as it was last seen. */
  page: PageState | undefined;
  hasSearchAttributes = false;
  readonly isPauseCarried: boolean;
  /** The store says that another run owns this session. */
  isSuperseded = false;
  /** A browser that is being started ahead of its first use. */
  acquiring: Promise<Lease> | undefined;
  stopAcquiring: () => void = () => {};
  /** A pause takes the browser away after so long; 0 for never, also in sessions from before there was this. */
  pauseReleaseMs = 0;
  /** The step during which a pause took the browser away, until there is another one. */
  awayFrom: number | undefined;
  /** How often a pause ended on another page than it began on: what was decided before was decided for that one. */
  pagesReplaced = 0;
  /** Its place among the sessions that wait for a browser, while it does. */
  queuePosition: number | undefined;
  hasToldOfWaiting = false;
  /** How many browsers this run has asked for. */
  browserRequests = 0;
  /** All steps are through or given up: what is asked for from now on could not be kept. */
  isEnding = false;
  /** The batch of commands that is under way; the ending waits for it a moment. */
  batchInFlight: Promise<void> | undefined;
  /** The task that is under way, with what it is to remember. */
  task: TaskProgress | undefined;
  /** No further task is wanted: the session ends when it has done what it has. */
  isClosing = false;
  /** How many of the steps the store has for certain. */
  storedSteps: number;
  /** A conversation that waits for its next task. */
  isIdle = false;
  /** For waits that know of no pause themselves. */
  pause: PauseControl | undefined;
  readonly outbox = new Outbox();
  readonly turns = new TurnControl();
  readonly calls = new TurnCalls();
  readonly approvals = new PendingApprovals(this);
  readonly elsewhere = new RemoteCalls();
  readonly unknownWait = new UnknownWait(this);
  readonly budgetWait = new BudgetWait(this);
  readonly clock: ActiveClock;
  /** Cancelling it is cancelling the session, from wherever that comes. */
  readonly root = CancellationScope.current();

  constructor(
    readonly request: StartRequest,
    readonly config: SessionConfig,
    readonly steps: Step[],
    carried?: ContinuedState,
  ) {
    this.clock = new ActiveClock(carried?.activeMs ?? 0);
    this.storedSteps = steps.length;
    this.isPauseCarried = carried?.isPauseRequested ?? false;
    if (carried === undefined) return;
    this.sessionId = carried.sessionId;
    this.status = SessionStatus.ACTIVE;
    this.stepIndex = carried.stepIndex;
    this.finishedDurations = carried.finishedDurations;
    this.lease = carried.lease;
    this.page = carried.page;
    this.hasSearchAttributes = carried.hasSearchAttributes;
    this.task = carried.task;
    this.approvals.kept = carried.keptApprovals ?? [];
    this.isClosing = carried.isClosing ?? false;
    if (carried.budget !== undefined) this.budgetWait.carryOn(carried.budget);
  }

  toContinuedState(isPauseRequested: boolean): ContinuedState {
    const { sessionId, steps, stepIndex, finishedDurations, lease, page, hasSearchAttributes } = this;
    return {
      sessionId,
      steps,
      stepIndex,
      finishedDurations,
      activeMs: this.clock.activeMs(),
      lease,
      ...(page === undefined ? {} : { page }),
      hasSearchAttributes,
      isPauseRequested,
      ...(this.task === undefined ? {} : { task: this.task }),
      ...(this.approvals.kept.length === 0 ? {} : { keptApprovals: this.approvals.kept }),
      ...(this.isClosing ? { isClosing: true } : {}),
      budget: this.budgetWait.toCarried(),
    };
  }

  get isEnded(): boolean {
    return (
      this.status !== SessionStatus.INITIALIZING &&
      this.status !== SessionStatus.ACTIVE &&
      this.status !== SessionStatus.PAUSED
    );
  }

  record(owner: ModuleId, type: StreamEventType, data: StreamEventData, stepIndex?: number): void {
    this.outbox.record(owner, type, data, stepIndex);
  }

  /** What a batch saw of the page; one that ran nothing has neither screenshot nor DOM, and the older ones stay the last. */
  seePage(page: PageState): PageState {
    const { url } = page;
    const known = this.page?.url === url ? this.page : undefined;
    this.page = page.screenshotId === '' && page.domId === undefined ? { screenshotId: '', ...known, url } : page;
    return this.page;
  }

  /** Notes a change of status: the row, its event and what the Temporal UI shows. */
  setStatus(status: SessionStatus): void {
    this.record('executor-streamer', StreamEventType.SESSION_STATUS, { message: status, details: { status } });
    this.patchStatus(status);
  }

  /** For a status whose event has been told with what it is about. */
  patchStatus(status: SessionStatus): void {
    this.status = status;
    this.outbox.patchRow({ status, paused: status === SessionStatus.PAUSED });
    this.updateDetails();
  }

  recordProgress(): void {
    const progress = progressOf({
      sessionId: this.sessionId,
      steps: this.steps.map((step) => step.instruction),
      finishedDurations: this.finishedDurations,
      currentStepIndex: Math.min(this.stepIndex, this.steps.length - 1),
      lastActivity: new Date(),
    });
    const { sessionId, totalSteps, completedSteps, currentStepIndex, overallProgress, estimatedTimeRemaining } =
      progress;
    this.record('step-processor', StreamEventType.WORKFLOW_PROGRESS, {
      progress: { sessionId, totalSteps, completedSteps, currentStepIndex, overallProgress, estimatedTimeRemaining },
    });
  }

  /** Writes what is pending, now. */
  async publish(summary: string): Promise<void> {
    await this.outbox.flushWith((outbox) =>
      engineActivities(summary).publishEvents({ sessionId: this.sessionId, outbox }),
    );
  }

  error(code: ErrorCode, message: string, more: Partial<StandardError> = {}): StandardError {
    const { sessionId } = this;
    return standardError({
      ...more,
      id: uuid4(),
      timestamp: new Date(),
      code,
      message,
      sessionId,
      moduleId: 'step-processor',
    });
  }

  /** Step list and status for the Temporal UI; search attributes only where the server knows them. */
  updateDetails(stepStatus: StepStatus = StepStatus.IN_PROGRESS): void {
    const marks = this.steps.map((step, index) => {
      const mark =
        index < this.stepIndex ? '✓' : index > this.stepIndex ? '·' : stepStatus === StepStatus.FAILED ? '✗' : '▶';
      return `${index + 1}. ${mark} ${step.instruction.replaceAll('\n', ' ')}`;
    });
    const { unknown } = this.unknownWait;
    const approvals = this.approvals.pending.map(
      ({ card, toolName, approvalId }) => `${toolName}: ${card.title} Answer with \`${approvalCommand(approvalId)}\``,
    );
    const { use } = this.budgetWait;
    const decide =
      use === undefined ? [] : [budgetSpentText(use), `Decide with \`${budgetCommand(this.sessionId, use)}\``];
    const asked =
      unknown === undefined
        ? [...decide, ...approvals]
        : [
            describeUnknownOutcome(unknown),
            `Answer with \`${resolveUnknownCommand(this.sessionId, unknown.commandId)}\``,
          ];
    const place = this.queuePosition === undefined ? '' : ` · waiting for a browser, place ${this.queuePosition}`;
    const waiting = this.isIdle ? ' · waiting for the next task' : place;
    const done = `**${this.status}**${waiting} · ${this.finishedDurations.length} of ${this.steps.length} steps done`;
    setCurrentDetails([done, ...asked, marks.join('\n')].join('\n\n'));
    if (!this.hasSearchAttributes) return;
    const known = workflowInfo().typedSearchAttributes;
    const step = Math.min(this.stepIndex + 1, this.steps.length);
    if (known.get(STATUS_KEY) === this.status && known.get(STEP_KEY) === step) return;
    upsertSearchAttributes([
      { key: STATUS_KEY, value: this.status },
      { key: STEP_KEY, value: step },
      { key: MODEL_KEY, value: this.config.ai.model },
    ]);
  }
}
