import type { PageWaitState } from '../../contracts/sessions/page-wait';
import type { z } from 'zod';
import type { ApprovalFilter, DecideApprovalRequest, PendingQuestion } from '../../contracts/approvals/approval';
import type { LiveView } from '../../contracts/browsers/live-frame';
import type {
  HandBackRequestSchema,
  TakeOverRequestSchema,
  Takeover,
  TakeoverInputSchema,
} from '../../contracts/browsers/takeover';
import type { Budget } from '../../contracts/models/budget';
import type { ClientCallStatus } from '../../contracts/tools/client-call-status';
import type { CommandResponse } from '../../contracts/commands/commands';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import type { StandardError } from '../../contracts/errors/standard-error';
import type { LogRecord } from '../../contracts/events/log';
import type { ErasedSession } from '../../contracts/sessions/erased-session';
import type { ExecutionProgress } from '../../contracts/sessions/progress';
import type { SessionResult } from '../../contracts/results/result';
import type { SessionFile } from '../../contracts/files/file';
import type { ListedSession } from '../../contracts/sessions/session-list';
import type { SessionListOptions } from '../../store/sessions/list-sessions';
import type { ForkRequest } from '../../contracts/sessions/fork-request';
import type { GivenRequest } from '../../contracts/sessions/given-request';
import type { StepProcessingResult } from '../../contracts/sessions/processing';
import type { ScreenshotInfo, VariableInfo } from '../../contracts/sessions/resources';
import type { StreamProcessingConfig } from '../../contracts/sessions/config';
import type { SessionStatus, WorkflowSession } from '../../contracts/sessions/session';
import type { ParsedStart } from '../../contracts/sessions/start-request';
import type { StepChecks } from '../../contracts/steps/step-check';
import type { StepResult } from '../../contracts/steps/step-result';
import type { AgentLoopResult } from '../../contracts/tasks/agent-loop';
import type { StreamFilter } from '../../contracts/events/stream-filter';
import type { ModelCallInfo, SessionUsage } from '../../contracts/models/usage';
import type { MailDelivery } from '../../contracts/sessions/failure-report';
import type { StoredBytes } from '../../store/files/files';
import type { WebhookDelivery } from '../../contracts/sessions/webhook';
import type { WaitingForAnswer } from '../../contracts/approvals/waiting-for';
import type { Issue } from '../../contracts/errors/issues';
import type { Accepted } from '../../contracts/messages/accepted';
import type { ControlMessage } from '../../contracts/messages/control-message';
import type { MessageMethods, SendMessage } from './methods';
import type { IdempotencyOptions, MessageReceipt } from './receipt';

/**
 * The operations on sessions, which the API and the CLI use. Every method may throw ClientError. A session is named by its
 * id or by its workflow id in Temporal. Each control message has a method: it is stored before it is sent, and applied
 * once; while no worker answers, its receipt says that it is pending. One that is repeated under its key gets the outcome
 * of the first.
 */
export interface Sessions extends MessageMethods {
  /** Validates the request, writes the row and starts the workflow; the session runs in the background. */
  start(request: unknown, options?: StartOptions): Promise<StartedSession>;
  /** Starts what `parseStart` or `planRequest` has validated: a request is parsed once, at its edge. */
  startParsed(parsed: ParsedStart, options?: { idempotencyKey?: string | undefined }): Promise<StartedSession>;
  /** Reads the steps of a request without starting it; on the page that a session shows last, where one is named. */
  check(parsed: ParsedStart, options?: { sessionId?: string | undefined }): Promise<StepChecks>;
  /** Starts a session that begins with a step of this one, on the state that its browser had before that step. */
  fork(sessionId: string, request: ForkRequest, options?: IdempotencyOptions): Promise<StartedSession>;
  /** Reads a session with its results. `dom: true` includes the DOMs, up to a limit; otherwise the result says that they are left out. */
  get(sessionId: string, options?: { dom?: boolean }): Promise<SessionDetails>;
  /** Reads the state of a session, from its row alone. */
  state(sessionId: string): Promise<SessionState>;
  list(options: SessionListOptions): Promise<SessionList>;
  /** Sends a message by its name, to a session or to that of the approval which the input names; the input is checked. */
  send: SendMessage;
  /** Lists what requires human input, was answered in this way or holds for good, oldest first; of one session where it is named. */
  approvals(sessionId?: string, status?: ApprovalFilter): Promise<PendingQuestion[]>;
  /** Reads one approval, answered or not. */
  approval(approvalId: string): Promise<Extract<PendingQuestion, { kind: 'approval' }>>;
  /** Decides the only pending approval of a session; `wrong-state` when there is none, or more than one. */
  decideOnlyApproval(
    sessionId: string,
    decision: Omit<DecideApprovalRequest, 'approvalId'>,
    options?: IdempotencyOptions,
  ): Promise<MessageReceipt>;
  /** Reports the state of a call that a caller's process runs; `wrong-state` when it was dispatched to another process. */
  reportCall(sessionId: string, status: ClientCallStatus): Promise<Accepted>;
  /** Lists the messages that a session was given, oldest first. */
  messages(sessionId: string): Promise<ControlMessage[]>;
  /** Reads one message: what became of it. */
  message(sessionId: string, messageId: string): Promise<ControlMessage>;
  /** Deletes all data of a session that has ended, its history in Temporal included where the server allows that. */
  erase(sessionId: string): Promise<ErasedSession>;
  /** Reads the next records of the log after `after` that pass the filter. */
  events(sessionId: string, after: number, limit: number, filter?: StreamFilter): Promise<LogRecord[]>;
  /** Follows the log after `after`, live, in batches, to the terminal record. */
  follow(sessionId: string, after: number, signal: AbortSignal): AsyncGenerator<LogRecord[], void>;
  /** Reads the response of one command, with its DOM. A command without outcome is `wrong-state`. */
  command(sessionId: string, commandId: string): Promise<CommandResponse>;
  /**
   * Waits some seconds for a frame of the page with a number higher than `after`. A session that has ended is `wrong-state`.
   * The session's worker takes frames only as long as somebody asks for them.
   */
  liveView(sessionId: string, after: number, signal?: AbortSignal): Promise<LiveView>;
  /**
   * Takes the browser of a session over: the session is paused first. `wrong-state` where it has no browser, waits for an
   * answer, or another person has it.
   */
  takeOver(sessionId: string, request: z.infer<typeof TakeOverRequestSchema>): Promise<Takeover>;
  /** Reads the newest takeover of a session; `not-found` where there was none. */
  takeover(sessionId: string): Promise<Takeover>;
  /** Has these acts done, each once, in their order. */
  takeoverInput(sessionId: string, input: z.infer<typeof TakeoverInputSchema>): Promise<Takeover>;
  /** Ends a takeover: the page is kept, and the session goes on by it. */
  handBack(sessionId: string, request: z.infer<typeof HandBackRequestSchema>): Promise<Takeover>;
  screenshots(sessionId: string): Promise<ScreenshotInfo[]>;
  screenshot(sessionId: string, screenshotId: string): Promise<ArtifactContent>;
  /** Reads a screenshot at a size for lists. */
  thumbnail(sessionId: string, screenshotId: string): Promise<ArtifactContent>;
  /** Lists what the session has downloaded, and traces of its failed steps, oldest first. */
  files(sessionId: string): Promise<SessionFile[]>;
  /** Opens one of them for reading; the caller closes it. */
  openFile(sessionId: string, fileId: string): Promise<OpenFile>;
  /** Makes one HTML page of all that is known of a session, below 5 MB, that needs nothing else. */
  report(sessionId: string): Promise<string>;
  /** Reads the result of a step, or the newest, with its sources and what is missing; `not-found` where there is none. */
  result(sessionId: string, stepIndex?: number): Promise<SessionResult>;
  /** Lists the variables of a session by name; a secret has no value. */
  variables(sessionId: string): Promise<VariableInfo[]>;
  /** Reads S0.5 of a session that has ended, out of its log; `wrong-state` before that. */
  loopResult(sessionId: string): Promise<AgentLoopResult>;
  /** Lists the newest 1,000 model calls, oldest first. */
  modelCalls(sessionId: string): Promise<ModelCallInfo[]>;
}

interface StartOptions {
  idempotencyKey?: string | undefined;
  /** Prepares a new session before its workflow starts; when it rejects, the start is refused. */
  join?: ((sessionId: string) => Promise<void>) | undefined;
}

/** S1.27 with what else a caller wants to know. */
export interface StartedSession extends StepProcessingResult {
  /** Id of the workflow in Temporal, for links into its UI. */
  workflowId: string;
  status: SessionStatus;
  /** False when an Idempotency-Key named a session that existed already. */
  isNew: boolean;
  totalSteps: number;
  warnings: string[];
}

export interface SessionDetails {
  /** Its name, or else its first step. */
  title: string;
  session: WorkflowSession;
  /** The request: steps and tasks as they were given, every default of the configuration filled in. */
  request: GivenRequest;
  /** What the newest task that has ended answers; null where none has. */
  answer: string | null;
  /** The value of the newest complete result; null where there is none. */
  result: unknown;
  progress: ExecutionProgress;
  stepResults: StepResult[];
  variables: VariableInfo[];
  error: StandardError | null;
  /** What became of the newest delivery to `config.webhook`, or of that of the session's end; null where it names none. */
  webhook: WebhookDelivery | null;
  /** What became of the mails of `config.report`; none where the session has not failed. */
  mails: MailDelivery[];
  waitingFor: WaitingForAnswer | null;
  /** Pending approvals. */
  approvals: Extract<PendingQuestion, { kind: 'approval' }>[];
  /** Tokens, calls and cost so far. */
  usage: SessionUsage;
  /** The limits of the session; null where there are none. */
  budget: Budget | null;
  /** Id of the workflow in Temporal, for links into its UI. */
  workflowId: string;
  lastSeq: number;
  /** It waits for this time, or has. */
  notBefore?: string;
  /** Position in the browser queue, from 1; absent when the session does not wait. */
  queuePosition?: number;
  /** It waits on its page. */
  pageWait?: PageWaitState;
}

export interface SessionState {
  sessionId: string;
  workflowId: string;
  status: SessionStatus;
  /** Seq of the oldest event that is kept; reading from an earlier cursor is `gone`. */
  firstSeq: number;
  lastSeq: number;
  /** True when the log is complete; `lastSeq` is then the terminal record. */
  isEnded: boolean;
  /** The log was removed after its retention; reading it is `gone`. */
  isExpired: boolean;
  stream: StreamProcessingConfig;
  /** False where the session was started with `enableStreaming: false`. */
  hasStream: boolean;
}

export interface SessionList {
  sessions: ListedSession[];
  total: number;
}

export interface ArtifactContent {
  content: Buffer;
  mediaType: string;
  sha256: string;
}

/** Kinds of errors, by what the caller can do about them. */
export type ClientErrorKind =
  | 'invalid'
  | 'forbidden'
  | 'not-found'
  | 'gone'
  | 'wrong-state'
  | 'key-reused'
  | 'too-large'
  | 'too-many'
  | 'unavailable';

interface ClientErrorFacts {
  issues?: readonly Issue[];
  state?: string;
  firstSeq?: number;
  isReplayed?: boolean;
}

export class ClientError extends Error {
  /** For `invalid`: the invalid paths. */
  readonly issues: readonly Issue[];
  /** For `wrong-state`: the state that does not allow the call. */
  readonly state: string | undefined;
  /** For `gone`: the seq of the oldest event that is kept. */
  readonly firstSeq: number | undefined;
  /** It answers a request that was sent before. */
  readonly isReplayed: boolean;

  constructor(
    readonly kind: ClientErrorKind,
    /** S1.38. */
    readonly code: ErrorCode,
    message: string,
    more: ClientErrorFacts & { cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'ClientError';
    this.issues = more.issues ?? [];
    this.state = more.state;
    this.firstSeq = more.firstSeq;
    this.isReplayed = more.isReplayed ?? false;
  }
}

/** A file that is open for reading; whoever gets it closes the handle. */
export interface OpenFile {
  file: SessionFile;
  handle: StoredBytes;
}
