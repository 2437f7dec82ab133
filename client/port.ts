import type { DecideApprovalRequest, PendingQuestion } from '../contracts/approvals/approval';
import type { Budget, ResolveBudgetRequest } from '../contracts/models/budget';
import type { ClientCallStatus } from '../contracts/tools/client-call-status';
import type { CancelCallRequest } from '../contracts/tools/call-cancellation';
import type { CommandResponse } from '../contracts/commands/commands';
import type { ErrorCode } from '../contracts/errors/error-codes';
import type { StandardError } from '../contracts/errors/standard-error';
import type { LogRecord } from '../contracts/events/log';
import type { ExecutionProgress } from '../contracts/sessions/progress';
import type { StepProcessingRequest, StepProcessingResult } from '../contracts/sessions/processing';
import type { ConfigIssue } from '../contracts/sessions/resolve-config';
import type { ScreenshotInfo, VariableInfo } from '../contracts/sessions/resources';
import type { StreamProcessingConfig } from '../contracts/sessions/config';
import type { SessionStatus, WorkflowSession } from '../contracts/sessions/session';
import type { StepInput } from '../contracts/sessions/start-request';
import type { StepResult } from '../contracts/steps/step-result';
import type { StreamFilter } from '../contracts/events/stream-filter';
import type { ResolveUnknownRequest } from '../contracts/approvals/unknown-outcome';
import type { ModelCallInfo, SessionUsage } from '../contracts/models/usage';
import type { WaitingFor } from '../contracts/approvals/waiting-for';
import type { Accepted } from '../workflows/messages';

/**
 * What a program can do with sessions; the API and the CLI are written against it. Every method may throw ClientError.
 * A session is named by its id, or by the workflow id that it was started under in Temporal.
 */
export interface Sessions {
  /** Checks the request, writes the row, starts the workflow and returns; the session runs in the background. */
  start(request: unknown, options?: { idempotencyKey?: string | undefined }): Promise<StartedSession>;
  /** Everything known of it. `dom: true` brings the DOMs along, up to a limit; else they are left out and said to be. */
  get(sessionId: string, options?: { dom?: boolean }): Promise<SessionDetails>;
  /** Where it stands, from its row alone. */
  state(sessionId: string): Promise<SessionState>;
  list(options: { statuses?: readonly SessionStatus[]; page: number; pageSize: number }): Promise<SessionList>;
  pause(sessionId: string): Promise<Accepted>;
  resume(sessionId: string): Promise<Accepted>;
  cancel(sessionId: string): Promise<Accepted>;
  addSteps(sessionId: string, steps: readonly StepInput[]): Promise<Accepted>;
  /** What a person says of a command whose outcome nobody knows; the first answer counts. */
  resolveUnknown(sessionId: string, answer: ResolveUnknownRequest): Promise<Accepted>;
  /** What people are asked now, oldest first; of one session where it is named. */
  approvals(sessionId?: string): Promise<PendingQuestion[]>;
  /** A person's answer about one call; the first counts, a later one is `wrong-state`. */
  decideApproval(decision: DecideApprovalRequest): Promise<Accepted>;
  /** The same for the only question of a session; `wrong-state` when there is none, or more than one. */
  decideOnlyApproval(sessionId: string, answer: Omit<DecideApprovalRequest, 'approvalId'>): Promise<Accepted>;
  /** What the process that runs a tool of its own says of a call; `wrong-state` when the call is not its own any more. */
  reportCall(sessionId: string, note: ClientCallStatus): Promise<Accepted>;
  /** Ends a conversation, once it has done what it was given. */
  close(sessionId: string): Promise<Accepted>;
  /** Cancels the response that a conversation is giving; the conversation stays open. */
  cancelTurn(sessionId: string, reason?: string): Promise<Accepted>;
  /** Cancels one call of the turn that is under way, and no other; `wrong-state` where it has ended. */
  cancelCall(sessionId: string, request: CancelCallRequest): Promise<Accepted>;
  /** What a person decides of a session whose budget is used up; the first answer counts. */
  resolveBudget(sessionId: string, decision: ResolveBudgetRequest): Promise<Accepted>;
  /** A page of the log after `after`: of those that pass the filter, the next. */
  events(sessionId: string, after: number, limit: number, filter?: StreamFilter): Promise<LogRecord[]>;
  /** The log from `after` on, live, in batches, ending with the terminal record. */
  follow(sessionId: string, after: number, signal: AbortSignal): AsyncGenerator<LogRecord[], void>;
  /** The whole answer of one command, with its DOM. A command that has no outcome yet is `wrong-state`. */
  command(sessionId: string, commandId: string): Promise<CommandResponse>;
  screenshots(sessionId: string): Promise<ScreenshotInfo[]>;
  screenshot(sessionId: string, screenshotId: string): Promise<ArtifactContent>;
  /** The same at a size for lists. */
  thumbnail(sessionId: string, screenshotId: string): Promise<ArtifactContent>;
  /** What the session has saved or was given, by name; of a secret only that it is one. */
  variables(sessionId: string): Promise<VariableInfo[]>;
  /** The calls of models on its bill, the newest 1,000, oldest first. */
  modelCalls(sessionId: string): Promise<ModelCallInfo[]>;
}

/** S1.27 with what else a caller wants to know. */
export interface StartedSession extends StepProcessingResult {
  /** Temporal's own name of it, for links into its UI. */
  workflowId: string;
  streamId: string;
  status: SessionStatus;
  /** False when an Idempotency-Key named a session that existed already. */
  isNew: boolean;
  totalSteps: number;
  warnings: string[];
}

export interface SessionDetails {
  session: WorkflowSession;
  /** What it runs with, every default filled in. */
  request: StepProcessingRequest;
  progress: ExecutionProgress;
  stepResults: StepResult[];
  variables: VariableInfo[];
  error: StandardError | null;
  waitingFor: WaitingForAnswer | null;
  /** Calls that wait for a person. */
  approvals: Extract<PendingQuestion, { kind: 'approval' }>[];
  /** Tokens, calls and cost so far. */
  usage: SessionUsage;
  /** What it may use; null where there is no limit. */
  budget: Budget | null;
  /** Temporal's own name of it, for links into its UI. */
  workflowId: string;
  lastSeq: number;
  /** Its place among the sessions that wait for a browser, from 1; absent when it does not wait. */
  queuePosition?: number;
}

/** What a person is asked for, in words and with both ways to answer, to be pasted. */
export type WaitingForAnswer = WaitingFor & { message: string; answerWith: { cli: string; rest: string } };

export interface SessionState {
  sessionId: string;
  workflowId: string;
  status: SessionStatus;
  /** Of the oldest event that is kept: reading on from before it is `gone`. */
  firstSeq: number;
  lastSeq: number;
  /** True once the log is complete: `lastSeq` is then its terminal record. */
  isEnded: boolean;
  /** The log was kept long enough and is gone: reading it is `gone`. */
  isExpired: boolean;
  stream: StreamProcessingConfig;
}

export interface SessionList {
  sessions: WorkflowSession[];
  total: number;
}

export interface ArtifactContent {
  content: Buffer;
  mediaType: string;
  sha256: string;
}

/** Why a call was refused, by what the caller can do about it. */
export type ClientErrorKind =
  'invalid' | 'not-found' | 'gone' | 'wrong-state' | 'conflict' | 'too-many' | 'unavailable';

export class ClientError extends Error {
  /** For `invalid`: every path that is wrong. */
  readonly issues: readonly ConfigIssue[];
  /** For `wrong-state`: the state that stands in the way. */
  readonly state: string | undefined;

  constructor(
    readonly kind: ClientErrorKind,
    /** S1.38. */
    readonly code: ErrorCode,
    message: string,
    more: { issues?: readonly ConfigIssue[]; state?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'ClientError';
    this.issues = more.issues ?? [];
    this.state = more.state;
  }
}
