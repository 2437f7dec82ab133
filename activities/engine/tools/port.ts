import type { CallEnd, PlannedCall } from '../../../contracts/tools/planned-call';
import type { TurnKey } from '../../../store/models/messages';
import type { FunctionTool, PromptPart } from '../../../contracts/model-port/language-model';

/** A call as a model wrote it; `args` is JSON text, which may be no JSON at all. */
export interface ModelToolCall {
  callId: string;
  functionId?: string | undefined;
  name: string;
  args: string;
}

/** The tools of a session, as the loop uses that offers them to a model. */
export interface ToolRegistry {
  /** Those that this session's model may call, in an order that never changes within a session (prompt caches). */
  declarations(sessionId: string): Promise<FunctionTool[]>;
  /** Checks every call and finds out what it would do and whether it needs an approval. Stores the whole arguments. */
  plan(place: TurnKey, calls: readonly ModelToolCall[]): Promise<PlannedCall[]>;
  /** Plans a call that was planned before: with arguments that a person has edited, or on the page as it is now. */
  replan(
    place: TurnKey,
    callId: string,
    args: Record<string, unknown> | undefined,
    isAskedAgain?: true,
  ): Promise<PlannedCall>;
  /** The result of a call that has ended, for the model: its text, redacted and truncated, and its picture where it took one. */
  resultOf(place: TurnKey, call: ModelToolCall, end: CallEnd): Promise<PromptPart[]>;
}
