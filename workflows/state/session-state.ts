import { CancellationScope, uuid4 } from '@temporalio/workflow';
import type { OpenSessionOutput } from '../../activities/signatures/engine-activities';
import { limitValues, type LimitValues } from '../../contracts/sessions/activity-limits';
import type { SessionConfig } from '../../contracts/sessions/config';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import { originOf, standardError, type StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType, type StreamEventData } from '../../contracts/events/stream-event';
import type { ModuleId } from '../../contracts/modules/module-id';
import { progressOf, type ExecutionProgress } from '../../contracts/sessions/progress';
import { SessionStatus } from '../../contracts/sessions/session';
import { namedOrigins, withNamedOrigins } from '../../contracts/sessions/given-origins';
import { RECIPE_MODEL } from '../../contracts/recipes/in-reply';
import type { Spent } from '../../contracts/models/usage';
import type { ResultSummary } from '../../contracts/results/result';
import type { ReadingTurn } from '../../contracts/models/reading';
import type { Step } from '../../contracts/sessions/step-input';
import type { PlannedStart } from '../../contracts/sessions/start-request';
import { progressMade } from '../../contracts/events/step-records';
import { StepStatus } from '../../contracts/steps/step-result';
import { engineActivities, type ModelCallLimits } from '../proxies/activity-proxies';
import { ActiveClock, ActiveLimit } from './active-clock';
import { ShownDetails, updateSearchAttributes } from './details';
import { isCarried, type AddedSteps } from '../../contracts/messages/added-steps';
import { Outbox } from './outbox';
import { SessionModels } from './session-models';
import { StepList, type ContinuedSteps } from './step-list';

/** The session itself as one run of the workflow hands it to the next. */
export interface ContinuedSession {
  sessionId: string;
  steps: ContinuedSteps;
  activeMs: number;
  hasSearchAttributes: boolean;
  turnCount: number;
  result?: ResultSummary;
}

/** A warning event; `id` makes it the same one whenever it is written. */
type Warning = Omit<NonNullable<StreamEventData['warning']>, 'id' | 'timestamp' | 'sessionId'> & { id?: string };

/** What every part of a running session needs: what it was started with, status, steps and clock, and the outbox for what it writes. */
export class RunningSession {
  readonly outbox = new Outbox();
  readonly details = new ShownDetails();
  readonly clock: ActiveClock;
  readonly stepLimit: ActiveLimit;
  readonly steps: StepList;
  readonly models: SessionModels;
  /** Models that have answered in this run. */
  readonly answeredBy = new Set<string>();
  /** The model of the newest decision, or `recipe`. */
  decidedBy: string | undefined;
  /** The worker that has the page may go on with the next steps by itself. */
  stepsInARow = false;
  /** Cancelling this scope cancels the session, wherever that comes from. */
  readonly root = CancellationScope.current();
  private sessionId = '';
  private currentStatus = SessionStatus.INITIALIZING;
  private hasSearchAttributes = false;
  private decidesAtBrowser = false;
  private ending = false;
  private currentConfig: SessionConfig;
  private turns = 0;
  private endedBy: StandardError | undefined;
  private newestResult: ResultSummary | undefined;
  private spent: Spent | undefined;

  constructor(
    readonly start: PlannedStart,
    continued?: ContinuedSession,
  ) {
    this.currentConfig = start.plan.config;
    this.models = new SessionModels(start.plan.config.ai.connectionId);
    this.clock = new ActiveClock(continued?.activeMs ?? 0);
    this.stepLimit = new ActiveLimit(this.clock, 'limit of the step');
    this.steps =
      continued === undefined ? StepList.of(start.plan.steps, start.furtherSteps) : new StepList(continued.steps);
    if (continued === undefined) return;
    this.sessionId = continued.sessionId;
    this.currentStatus = SessionStatus.ACTIVE;
    this.hasSearchAttributes = continued.hasSearchAttributes;
    this.turns = continued.turnCount;
    this.newestResult = continued.result;
  }

  toContinued(): ContinuedSession {
    const { sessionId, steps, clock, hasSearchAttributes } = this;
    const activeMs = clock.activeMs();
    const continued = { sessionId, steps: steps.toContinued(), activeMs, hasSearchAttributes, turnCount: this.turns };
    return this.newestResult === undefined ? continued : { ...continued, result: this.newestResult };
  }

  /** Empty until the session is open. */
  get id(): string {
    return this.sessionId;
  }

  get config(): SessionConfig {
    return this.currentConfig;
  }

  /** The session may also go where the caller's further steps say. */
  addGivenOrigins(added: AddedSteps): void {
    const named = isCarried(added) ? added.named : namedOrigins(added.steps, this.start.plan.variables);
    this.currentConfig = withNamedOrigins(this.currentConfig, named);
  }

  get status(): SessionStatus {
    return this.currentStatus;
  }

  /** Number of the model's turn that is under way, from 1 over all steps, as the formats count them (X.A7). */
  get turnCount(): number {
    return this.turns;
  }

  beginTurn(): void {
    this.turns += 1;
  }

  /** Of the newest step that has returned one. */
  get result(): ResultSummary | undefined {
    return this.newestResult;
  }

  setResult(result: ResultSummary): void {
    this.newestResult = result;
  }

  /** Its sum is in Temporal's list with the next change of another attribute. */
  spend<Reply extends { spent?: Spent }>(reply: Reply): Reply {
    this.spent = reply.spent;
    return reply;
  }

  get isEnded(): boolean {
    const { INITIALIZING, ACTIVE, PAUSED } = SessionStatus;
    return ![INITIALIZING, ACTIVE, PAUSED].includes(this.status);
  }

  /** True once all steps have ended: the session takes no further messages. */
  get isEnding(): boolean {
    return this.ending;
  }

  get isCancelled(): boolean {
    return this.root.consideredCancelled;
  }

  opened(opened: OpenSessionOutput): void {
    const { sessionId, hasSearchAttributes, decidesAtBrowser = false, stepsInARow = false, modelTimeoutMs } = opened;
    this.sessionId = sessionId;
    this.models.open(opened);
    this.steps.modelTimeoutMs = modelTimeoutMs;
    this.hasSearchAttributes = hasSearchAttributes;
    this.decidesAtBrowser = decidesAtBrowser;
    this.stepsInARow = stepsInARow;
    this.showDetails();
  }

  beginEnding(): void {
    this.ending = true;
  }

  /** Whether this step is likely to need no model, and nobody is asked before its commands. */
  isDecidedAtBrowser(model: string, reading: ReadingTurn | undefined): boolean {
    if (!this.decidesAtBrowser || this.config.asksInSteps === true) return false;
    return model === 'rules' || reading === 'followed' || this.decidedBy === RECIPE_MODEL;
  }

  /** Active time that the step under way has left, within what its session has; undefined where no step runs. */
  get leftMs(): number | undefined {
    const { stepLimit, clock, config } = this;
    const ofSession = Math.max(0, config.timeouts.workflowTimeoutMs - clock.activeMs());
    return stepLimit.leftMs && Math.min(stepLimit.leftMs, ofSession);
  }

  get limitValues(): LimitValues {
    return limitValues(this.config);
  }

  /** What bounds the activity that calls a model for this step. */
  modelLimits({ options: { aiConfig } }: Step): ModelCallLimits {
    return { model: aiConfig.model, values: { 'aiConfig.timeoutMs': aiConfig.timeoutMs }, leftMs: this.leftMs };
  }

  record(owner: ModuleId, type: StreamEventType, data: StreamEventData, stepIndex?: number): void {
    this.outbox.record(owner, type, data, stepIndex);
  }

  warn(warning: Warning, stepIndex?: number): void {
    const { sessionId } = this;
    this.record(
      'executor-streamer',
      StreamEventType.WARNING_ISSUED,
      {
        warning: {
          id: uuid4(),
          timestamp: new Date(),
          ...(sessionId === '' ? {} : { sessionId }),
          ...(stepIndex === undefined ? {} : { stepIndex }),
          ...warning,
        },
      },
      stepIndex,
    );
  }

  /** Changes the status: in the row, as an event and in the Temporal UI. */
  setStatus(status: SessionStatus): void {
    this.record('executor-streamer', StreamEventType.SESSION_STATUS, { message: status, details: { status } });
    this.patchStatus(status);
  }

  /** Changes the status when another event says so. */
  patchStatus(status: SessionStatus): void {
    this.currentStatus = status;
    this.outbox.patchRow({ status, paused: status === SessionStatus.PAUSED });
    this.showDetails();
  }

  /** Changes the status for the last time; its terminal event is recorded. */
  close(status: SessionStatus.COMPLETED | SessionStatus.FAILED | SessionStatus.CANCELLED, error?: StandardError): void {
    this.currentStatus = status;
    this.endedBy = error;
    this.outbox.patchRow({ status, paused: false, closed: true });
    this.showDetails(status === SessionStatus.COMPLETED ? StepStatus.COMPLETED : StepStatus.FAILED);
  }

  /** S1.60; a long instruction is its beginning. */
  progress(): ExecutionProgress {
    const { total: totalSteps, lastIndex: currentStepIndex, completed, shown } = this.steps;
    return progressOf({
      sessionId: this.id,
      totalSteps,
      completedSteps: completed.count,
      durationMs: completed.durationMs,
      currentStepName: shown.instructions[currentStepIndex - shown.firstIndex] ?? '',
      currentStepIndex,
      lastActivity: new Date(),
    });
  }

  recordProgress(): void {
    this.record('step-processor', StreamEventType.WORKFLOW_PROGRESS, progressMade(this.progress()));
  }

  /** Writes what is pending, now. */
  async publish(summary: string): Promise<void> {
    await this.outbox.flushWith((outbox) => engineActivities(summary).publishEvents({ sessionId: this.id, outbox }));
  }

  /** Writes again what the database may have forgotten, and finds out whether it has. */
  async publishAgain(summary: string): Promise<void> {
    const { outbox, status, steps } = this;
    await outbox.withRecovery(() =>
      engineActivities(summary).publishEvents({
        sessionId: this.id,
        outbox: outbox.everything({ status, currentStep: steps.lastIndex }),
      }),
    );
  }

  error(code: ErrorCode, message: string, more: Partial<StandardError> = {}): StandardError {
    const sessionId = this.id;
    return standardError({
      ...more,
      id: uuid4(),
      timestamp: new Date(),
      code,
      message,
      sessionId,
    });
  }

  /** Shows status, questions and steps in the Temporal UI; sets search attributes only where the server knows them. */
  showDetails(stepStatus: StepStatus = StepStatus.IN_PROGRESS): void {
    this.details.show(this.status, this.steps, stepStatus);
    if (!this.hasSearchAttributes) return;
    const { tokens, cost } = this.spent ?? {};
    updateSearchAttributes({
      SurefootStatus: this.status,
      SurefootModel: this.models.of(this.config.ai),
      SurefootTenant: this.start.tenant,
      SurefootWaitsFor: this.details.waitsFor(this.status),
      SurefootError: this.endedBy && originOf(this.endedBy).code,
      SurefootTokens: tokens,
      SurefootCost: cost,
    });
  }
}
