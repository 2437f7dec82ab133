import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import type { TurnPosition } from '../models/steps/reply-records';
import type { FunctionTool, PromptPart } from '../models/language-model';

/** A call as a model wrote it; `args` is JSON text, which may be no JSON at all. */
export interface ModelToolCall {
  callId: string;
  functionId?: string | undefined;
  name: string;
  args: string;
}

/** What the tools of a session look like to the loop that offers them to a model. */
export interface ToolRegistry {
  /** Those that this session's model may call, in an order that never changes within a session (prompt caches). */
  declarations(sessionId: string): Promise<FunctionTool[]>;
  /** Looks every call up, checks its arguments, and says what it would do and who has to be asked. Keeps the whole arguments. */
  plan(place: TurnPosition, calls: readonly ModelToolCall[]): Promise<PlannedCall[]>;
  /** Plans a call that was planned before: with arguments that a person has edited, or on the page as it is now. */
  replan(place: TurnPosition, callId: string, args: Record<string, unknown> | undefined): Promise<PlannedCall>;
  /** What the model is told of a call that has ended: its text, redacted and capped, and its picture where it took one. */
  resultOf(place: TurnPosition, call: ModelToolCall, end: CallEnd): Promise<PromptPart[]>;
}
