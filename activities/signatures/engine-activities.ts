import type { RetrySettings } from '../../contracts/sessions/timeouts';
import type { DecisionAction } from '../../contracts/models/ai-response';
import type { ReadingTurn } from '../../contracts/models/reading';
import type { Spent } from '../../contracts/models/usage';
import type { Budget } from '../../contracts/models/budget';
import type { OutboxBatch } from '../../contracts/events/outbox';
import type { StandardError } from '../../contracts/errors/standard-error';
import type { StreamEventData } from '../../contracts/events/stream-event';
import type { InvestigationPhase } from '../../contracts/steps/investigation';
import type { Issue } from '../../contracts/errors/issues';
import type { MessageWithInput } from '../../contracts/messages/messages';
import type { SessionProfile } from '../../contracts/sessions/profile';
import type { PlannedStart, SessionPlan } from '../../contracts/sessions/start-request';
import type { Step, StepReference } from '../../contracts/sessions/step-input';
import type { Validation } from '../../contracts/steps/after-reply';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { UnknownJudgement, UnknownOutcome } from '../../contracts/approvals/unknown-outcome';

/** Activities of the engine workers: they reach the store and the model, never a browser. */
export interface EngineActivities {
  /**
   * The first activity of every run: names this run as the one that may write, and writes its outbox. Null, and nothing
   * is written, where the row was lost and the run has the plan to make it anew.
   */
  openSession(input: OpenSessionInput): Promise<OpenSessionOutput | null>;
  /** Plans a plain start and creates its row; a large plan comes back with its long steps by reference. */
  planStart(input: { input: unknown }): Promise<PlannedInput>;
  /** What is wrong with the input of a signal. */
  checkMessage(input: { sessionId: string; kind: MessageWithInput; input: unknown }): Promise<Issue[]>;
  /** A step with its whole text. */
  readStep(input: { sessionId: string; stepIndex: number; textIn: StepReference }): Promise<Step>;
  /** Steps of the plan from this one on, as the workflow carries them. */
  readSteps(input: { sessionId: string; stepIndex: number; count: number }): Promise<Step[]>;
  /** The index of the newest step that the log has the start of. */
  newestStep(input: { sessionId: string }): Promise<number>;
  /** One model call: decides on the next commands from the step, its earlier iterations and the page. */
  decide(input: DecideInput): Promise<DecideOutput>;
  /** One model call of an investigation: judges the findings of a phase. */
  assess(input: AssessInput): Promise<AssessOutput>;
  /** Writes events and state that must be seen now. */
  publishEvents(input: PublishInput): Promise<void>;
  /**
   * Ends the log of the calling workflow's session, whose run has been superseded, from what the log says. Where the session
   * had ended before its workflow was reset, another session goes on from this step.
   */
  abandonSession(input: { error: StandardError; stepIndex: number }): Promise<AbandonedSession>;
  /** Asks Temporal to cancel the calling workflow (a workflow can't ask for itself). */
  requestCancel(input: object): Promise<void>;
  /**
   * Records that the session waits for a browser and returns its place; null once a host has taken the request. A
   * browser that the session still has on a host is released, so that it never waits for itself.
   */
  updateQueuePosition(input: QueuePositionInput): Promise<QueuePlace | null>;
  /** Gives the session its profile, for its first browser to begin with, or says which session has it. */
  leaseProfile(input: { sessionId: string; profile: SessionProfile }): Promise<LeasedProfile>;
  /** Gives the session its exclusive secrets, or says which session has one. */
  leaseSecrets(input: { sessionId: string }): Promise<LeasedSecrets>;
  /** Whether the site has thrown the session back to its sign-in page, by the newest snapshot and what the step has done. */
  judgeSignIn(input: JudgeSignInInput): Promise<SignInJudgement>;
  /** True when the host of a lease has stopped sending heartbeats, by the database's clock. */
  isHostGone(input: { sessionId: string; hostId: string }): Promise<boolean>;
  /** Adds steps to the stored plan, at their place. */
  storeSteps(input: { sessionId: string; steps: Step[]; firstIndex: number }): Promise<void>;
}

/** `copied` is not written back; version 0 is one that holds nothing yet. `held`: another session has it. */
export type LeasedProfile =
  { kind: 'leased' | 'copied'; version: number } | { kind: 'held'; sessionId: string; title: string };

export type LeasedSecrets = { kind: 'leased' } | { kind: 'held'; alias: string; sessionId: string; title: string };

export interface JudgeSignInInput {
  sessionId: string;
  stepIndex: number;
  /** As of a decision. */
  freshFrom?: number | undefined;
  /** The page that shows whether the session is signed in was opened, and did not show it. */
  ofCheck?: true | undefined;
  outbox: OutboxBatch;
}

/**
 * `after-deed`: signed out, and a server may have taken something that the step has sent before. `unavailable`, of a check
 * alone: the site did not answer, or by a failure of its own, in a sentence.
 */
export type SignInJudgement = 'signed-in' | 'signed-out' | 'after-deed' | { unavailable: string };

export interface AbandonedSession {
  /** The session that goes on in its place. */
  forkId?: string;
}

export type PlannedInput = { kind: 'valid'; start: PlannedStart } | { kind: 'invalid'; issues: Issue[] };

/** Where a session stands that waits for a browser. */
export interface QueuePlace {
  /** From 1. */
  position: number;
  /** As many browsers are free as sessions stand before it, and one more. */
  isOverlooked?: true;
}

export interface OpenSessionInput {
  /** The run has the whole plan, and sends it where there is no row. */
  hasPlan?: true;
  /** The row is created from it. */
  plan?: SessionPlan;
  /** The Temporal run that this one continues. */
  continuedFrom?: string;
  outbox: OutboxBatch;
}

export interface OpenSessionOutput {
  /** The workflow id when that is a UUID, else the UUIDv5 of it. */
  sessionId: string;
  /** The model of sessions that name none. */
  defaultModel: string;
  /** The model of each connection, for steps that name another one than their session; absent in older histories. */
  connectionModels?: Readonly<Record<string, string>> | undefined;
  /** Connections whose models are small; absent in older histories. */
  smallConnections?: readonly string[] | undefined;
  /** False where the server does not know our search attributes: the session then runs without them. */
  hasSearchAttributes: boolean;
  /** What `rules` decides may be run where it is decided, on the worker that has the page; absent in older histories. */
  decidesAtBrowser?: boolean | undefined;
  /** That worker may go on with the next steps by itself; absent in older histories. */
  stepsInARow?: boolean | undefined;
  /** A pause that lasts longer gives the browser back; 0 for never. */
  pauseReleaseMs?: number | undefined;
  /** The budget of sessions without one of their own. */
  defaultBudget?: Budget | undefined;
  /** How long a call of a model may take in sessions with the default limit. */
  modelTimeoutMs?: number | undefined;
  /** The most that a person may raise a budget to. */
  mostBudget?: Budget | undefined;
}

export interface DecideInput {
  sessionId: string;
  stepIndex: number;
  /** Number of this call within its step, from 0. */
  turn: number;
  /** Its `aiConfig.model` is the one to ask: the workflow goes through the others. */
  step: Step;
  mayAct: boolean;
  /** Of a call that the outside world refuses. */
  retries?: RetrySettings | undefined;
  /** The call with which the present try of the step began; absent for the first try. */
  triedFrom?: number | undefined;
  /** Calls before this one do not count: the session has signed in since, or is about to. Such a step is not learnt. */
  freshFrom?: number | undefined;
  /** What follows in place of the session's next steps, while it signs in. */
  laterSteps?: readonly string[] | undefined;
  /** Whether the model may ask for an investigation of the page. */
  mayInvestigate?: boolean | undefined;
  reading?: ReadingTurn | undefined;
  outbox: OutboxBatch;
}

export interface DecideOutput {
  decision: DecisionAction;
  message: string;
  confidence: number;
  /** Analysis and rationale in one text, for the step's result. */
  reasoning: string;
  commands: PlannedCommand[];
  model: string;
  /** What its session has used so far; absent in older histories. */
  spent?: Spent;
  /** How the reply judges the commands before it; absent where none ran. */
  validation?: Validation;
  /** What an investigation is to find before the next model call. */
  investigate?: string | undefined;
  /** `rules` could not read the step: another is to. */
  isUnread?: true;
  /** Steps that are read on the page in place of this one, which is refused. */
  proposals?: string[] | undefined;
  /** True when commands were left out because they had already succeeded or failed on this very page. */
  hasRepeats?: boolean | undefined;
  /** Absent when there is none. */
  unknownCommits?: UnknownCommit[];
  /** Where there is one: whether the commands of this reply include a commit. */
  hasCommit?: boolean;
  /** The model's judgement of the newest of them. */
  judgement?: UnknownJudgement | undefined;
  /** A person is asked before its commands delete, pay, order or send something. */
  asksForDeeds?: true;
  /** Of the last command, where it failed and the reply may be the last one of its step: why the step fails. */
  cause?: StandardError | undefined;
}

/**
 * A commit of this step with an unknown outcome that no person has decided; `isJudged`: an earlier reply took it as
 * done.
 */
export type UnknownCommit = UnknownOutcome & { isJudged: boolean };

export interface AssessInput extends Omit<DecideInput, 'mayAct' | 'mayInvestigate' | 'retries'> {
  phase: InvestigationPhase;
  /** What the investigation is to find, in the model's words; absent when only the step says it. */
  wanted?: string | undefined;
}

export interface AssessOutput {
  /** Texts that the next phase looks for. */
  focus: string[];
  /** Elements known by now, each counted once. */
  elementsDiscovered: number;
  confidence: number;
  readyForAction: boolean;
  /** What the session learnt from the whole investigation; empty before its last phase. */
  learnt: LearntFact[];
}

/** One update of the working memory, as in its event. */
export type LearntFact = NonNullable<StreamEventData['workingMemory']>;

export interface QueuePositionInput {
  sessionId: string;
  requestId: string;
  priority: number;
  /** When the browser was asked for, ISO-8601. */
  since: string;
}

export interface PublishInput {
  sessionId: string;
  outbox: OutboxBatch;
}
