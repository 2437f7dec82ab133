import type { Bookkeeping } from '../contracts/bookkeeping';
import type { SessionConfig } from '../contracts/config';
import type { CallEnd, PlannedCall } from '../contracts/planned-call';
import type { Step } from '../contracts/start-request';
import type { ModelTokens } from '../contracts/usage';

/** Activities of the engine workers for the tool-use loop. Messages and results stand in the store; only references travel. */
export interface AgentActivities {
  /**
   * One turn: puts the results of the turn before into the conversation as one message, calls the model, keeps its reply,
   * and tells the words and calls of it to the log. A repeated attempt returns the reply that was kept.
   */
  think(input: ThinkInput): Promise<ThinkOutput>;
  /**
   * Plans one call anew: with arguments that a person has edited, or because the page is not the one it was approved for.
   */
  planCall(input: PlanCallInput): Promise<PlannedCall>;
  /** Runs one call by a tool of the engine workers, journaled: an attempt after a worker's death never runs it twice. */
  runTool(input: RunToolInput): Promise<ToolEnd>;
}

export interface ThinkInput {
  sessionId: string;
  stepIndex: number;
  /** Number of the turn within its step, from 0. */
  turn: number;
  step: Step;
  /** With one model: the workflow goes through the others. */
  ai: SessionConfig['ai'];
  /** How the calls of the turn before ended, in their order. */
  ends: CallEnd[];
  /** What the engine has to say to the model beside the results (a nudge against repetition). */
  notes: string[];
  bookkeeping: Bookkeeping;
}

export interface ThinkOutput {
  /** `answer`: the model has ended its turn, and the task with it. */
  kind: 'calls' | 'answer';
  /** Its text, cut for Temporal's history; the whole stands in the store. */
  text: string;
  /** The answer was cut off by the model's limit (S0.A6). */
  isTruncated?: true;
  calls: PlannedCall[];
  model: string;
  usage: ModelTokens;
}

export interface PlanCallInput {
  sessionId: string;
  stepIndex: number;
  turn: number;
  callId: string;
  /** In place of the model's own. */
  args?: Record<string, unknown> | undefined;
}

export interface RunToolInput {
  sessionId: string;
  stepIndex: number;
  turn: number;
  callId: string;
  name: string;
  bookkeeping: Bookkeeping;
}

/** `isUnknown`: it was begun by a worker that died, and nobody knows whether it took effect. */
export interface ToolEnd {
  status: 'success' | 'error';
  /** One line. */
  summary: string;
  durationMs: number;
  isUnknown?: true;
}
