import type { ResultSummary } from '../../contracts/results/result';
import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import type { RelayCallOutput } from '../../contracts/relay/relay-call';
import type { OutboxBatch } from '../../contracts/events/outbox';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import type { ClientClearance, ClientQuestion } from '../../contracts/tools/client-question';
import type { RetrySettings } from '../../contracts/sessions/timeouts';
import type { Step } from '../../contracts/sessions/step-input';
import type { UnknownOutcome } from '../../contracts/approvals/unknown-outcome';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { ModelTokens, Spent } from '../../contracts/models/usage';

/** Activities of the engine workers for the tool-use loop. Messages and results stand in the store; only references travel. */
export interface TaskActivities {
  /**
   * Runs one turn: adds the results of the previous turn to the conversation as one message, calls the model, saves its
   * reply, and publishes its text and calls. A repeated attempt returns the saved reply.
   */
  runModelTurn(input: ModelTurnInput): Promise<ModelTurnOutput>;
  /**
   * Plans one call anew: with arguments that a person has edited, or because the page is not the one it was approved for.
   */
  planCall(input: PlanCallInput): Promise<PlannedCall>;
  /** Finds how many commands of a step may run before a person is asked, and what they are asked. */
  planStepCommand(input: PlanStepCommandInput): Promise<PlannedStepCommand>;
  /** Finds the next of the session's own commands that may lead a restored page to where a call was approved. */
  planWayBack(input: PlanWayBackInput): Promise<WayBack>;
  /** Runs one call by a tool of the engine workers, journaled: an attempt after a worker's death never runs it twice. */
  runTool(input: RunToolInput): Promise<ToolEnd>;
  /** Reads from the journal the outcome of a command whose batch could not report it: its browser was lost, or nobody saw it end. */
  getCommandOutcome(input: CommandOutcomeInput): Promise<StoredOutcome>;
  /** Records that a call is about to run in another process, and returns its whole arguments. */
  beginCall(input: BeginCallInput): Promise<{ args: Record<string, unknown> }>;
  /** Stores the result of a tool of another process, records its end, and returns what the workflow needs of it. */
  storeToolResult(input: StoreToolResultInput): Promise<ToolEnd>;
  /**
   * Ends, in journal and log, a call that was cancelled alone and did not report its outcome. A call that has ended
   * stays as it is; one that was never begun has no records.
   */
  endCancelledCall(input: EndCancelledCallInput): Promise<CancelledCall>;
  /** Ends, in journal and log, what a step has begun and not ended: its session or response was cancelled, or it is out of time. */
  endOpenCalls(input: EndOpenCallsInput): Promise<void>;
}

/** Tools that the process of the caller runs (`config.agent.clientTools`), on its own task queue. */
export interface ClientActivities {
  executeTool(input: ExecuteToolInput): Promise<BrowserToolResult>;
  /** Says whether a person is to be asked before the call runs; runs nothing. */
  askTool(input: Omit<ExecuteToolInput, 'dispatch' | 'clearance'>): Promise<ClientQuestion>;
}

export interface ExecuteToolInput {
  sessionId: string;
  callId: string;
  name: string;
  args: Record<string, unknown>;
  /** How often it was sent, this time included. */
  dispatch: number;
  clearance?: ClientClearance | undefined;
}

export interface ModelTurnInput {
  sessionId: string;
  stepIndex: number;
  /** Number of the turn within its step, from 0. */
  turn: number;
  /** Its `aiConfig.model` is the one to ask: the workflow goes through the others. */
  step: Step;
  /** `rules` lead the task if they can read it. */
  isReadFirst?: true;
  /** Of a call that the outside world refuses. */
  retries?: RetrySettings | undefined;
  /** How the calls of the previous turn ended, in their order. */
  ends: CallEnd[];
  /** Notes of the engine to the model beside the results, such as a warning about repetition. */
  notes: string[];
  /** Its result was incomplete, and this is the round in which the model gets what is missing. */
  isRepair?: true;
  outbox: OutboxBatch;
}

export interface ModelTurnOutput {
  /** `answer`: the model has ended its turn, and the task with it. */
  kind: 'calls' | 'answer';
  /** Its text, cut for Temporal's history; the whole stands in the store. */
  text: string;
  /** The answer was cut off by the model's limit (S0.A6). */
  isTruncated?: true;
  /** The model says itself that the task is not done. */
  isGivenUp?: true;
  /** Of an answer of a task that is to return a result. */
  result?: ResultSummary;
  /** What is missing of that result, in words. */
  incomplete?: string;
  calls: PlannedCall[];
  model: string;
  usage: ModelTokens;
  /** What its session has used so far; absent in older histories. */
  spent?: Spent;
}

export interface PlanCallInput {
  sessionId: string;
  stepIndex: number;
  turn: number;
  callId: string;
  /** Replaces the model's arguments. */
  args?: Record<string, unknown> | undefined;
  /** Replaces the argument `content` alone. */
  newContent?: string | undefined;
  /** It gets another command: the one before has its end in the journal. */
  isAskedAgain?: true | undefined;
}

export interface PlanStepCommandInput {
  sessionId: string;
  stepIndex: number;
  turn: number;
  /** What is left of the reply; at least one. */
  commands: PlannedCommand[];
  /** The first gets another command: the one before has its end in the journal. */
  isAskedAgain?: true | undefined;
}

export interface PlannedStepCommand {
  /** So many from the first on are run together: without a question, or after the answer to the one about the last of them. */
  count: number;
  asks: boolean;
  /** The first command, with the answers of dialogs before it, as a person is asked about it. */
  call: PlannedCall;
}

export interface PlanWayBackInput {
  sessionId: string;
  /** Of the call that was approved. */
  commandId: string;
  /** The command that was repeated last on this way. */
  after?: string | undefined;
}

/** Empty where none may help. `repeats`: the command that it does again. */
export interface WayBack {
  command?: PlannedCommand;
  repeats?: string;
}

export interface RunToolInput {
  sessionId: string;
  stepIndex: number;
  turn: number;
  callId: string;
  name: string;
  outbox: OutboxBatch;
}

/** `isUnknown`: it was begun by a worker that died, and nobody knows whether it took effect. */
export interface ToolEnd {
  status: 'success' | 'error';
  /** One line. */
  summary: string;
  durationMs: number;
  failure?: CallEnd['failure'];
  isUnknown?: true;
  /** True when it was stopped before its end. */
  isCancelled?: true;
}

export interface EndCancelledCallInput {
  sessionId: string;
  stepIndex: number;
  turn: number;
  callId: string;
  /** The command that runs the call, if it is one. */
  commandId?: string | undefined;
  /** The stored result, which the model gets. */
  message: string;
  outbox: OutboxBatch;
}

export interface EndOpenCallsInput {
  sessionId: string;
  stepIndex: number;
  /** Calls of tools that the workflow has sent off and that have not come back. */
  callIds: string[];
  message: string;
  outbox: OutboxBatch;
}

/** `stopped`: it was begun, and this is its end. */
export type CancelledCall = 'unrun' | 'stopped' | 'success' | 'error';

export interface CommandOutcomeInput {
  sessionId: string;
  stepIndex: number;
  commandId: string;
}

/** `unrun`: nothing was intended; `begun`: no end was written. `unknown` goes to a person, who is shown what is known. */
export type StoredOutcome =
  | { status: 'unrun' | 'begun' | 'done' }
  | { status: 'failed'; message: string; differences?: string[] | undefined }
  | { status: 'unknown'; unknown: UnknownOutcome };

export interface BeginCallInput {
  sessionId: string;
  stepIndex: number;
  turn: number;
  call: Pick<PlannedCall, 'callId' | 'name' | 'args'>;
  outbox: OutboxBatch;
}

export interface StoreToolResultInput {
  sessionId: string;
  stepIndex: number;
  turn: number;
  callId: string;
  toolName: string;
  /** The store has the whole result of a relayed call, under its request id. */
  result: BrowserToolResult | RelayCallOutput;
  durationMs: number;
  /** True for the second try. */
  isRetried?: true | undefined;
  isUnknown?: true | undefined;
  outbox: OutboxBatch;
}
