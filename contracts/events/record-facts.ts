import type { ToolClassification } from '../commands/tool-classification';
import type { ModelTokens } from '../models/usage';
import type { ConfirmationCard } from '../approvals/approval';

/**
 * What a record holds for the `agent`, `execution` and `steps` formats beside its S1 data: small, redacted, and enough for
 * each of them to be a pure fold of the log (X.M).
 */
export type RecordFacts =
  /** A model call begins; `isRestart`: the text streamed by an earlier attempt at the same turn is void. */
  | { kind: 'response.start'; responseId: string; model: string; isRestart?: true }
  /** A fragment of the answer's text, or the whole text when it is done. */
  | { kind: 'text'; content: string; chunkIdx: number }
  /** A fragment of the model's thoughts, or all of them. */
  | { kind: 'thinking'; content: string; chunkIdx: number }
  /** A call that the model has finished writing; `args` is JSON text, as the model gave it. */
  | {
      kind: 'function-call';
      callId: string;
      functionId?: string | undefined;
      name: string;
      args: string;
      chunkIdx: number;
    }
  /** The model's reply is complete, incomplete (cut off), or the call failed for good; `cost` in US dollars. */
  | {
      kind: 'reply';
      responseId: string;
      previousResponseId: string;
      model: string;
      end: 'complete' | 'incomplete' | 'failed';
      reason?: string | undefined;
      usage: ModelTokens;
      cost?: string | undefined;
      /** The vendor's calls that the usage is of: repairs, summaries, investigations and failed calls too. */
      billedCalls?: number | undefined;
      /** Of a failed reply: what its turn has used until then. The reply of another model counts it again. */
      usedInVain?: { usage: ModelTokens; billedCalls: number } | undefined;
    }
  /** A person must approve a call before it runs. */
  | {
      kind: 'approval';
      approvalId: string;
      callId: string;
      toolName: string;
      args: Record<string, unknown>;
      classification: ToolClassification;
      card: ConfirmationCard;
    }
  /** A call has begun to run. */
  | { kind: 'call'; callId: string; toolName: string; args: Record<string, unknown> }
  /** The output of a running call since the last such record. */
  | { kind: 'output'; callId: string; toolName: string; text: string }
  /**
   * A call has ended: `text` is what the model gets, cut at S0.A9's limit; `isUnrun`: it never ran (rejected, invalid,
   * cancelled before its start), so it has no start.
   */
  | {
      kind: 'result';
      callId: string;
      toolName: string;
      summary: string;
      text: string;
      error?: string | undefined;
      durationMs?: number | undefined;
      hasScreenshot?: true;
      isUnrun?: true;
    }
  /** A turn is over: all its results are in. `tokens` in and out. */
  | { kind: 'turn'; hasToolCalls: boolean; tokens: number }
  /** How a task ended, on its STEP_COMPLETED or STEP_FAILED: S0's answer and status. */
  | { kind: 'task-end'; status: 'complete' | 'error' | 'max_steps'; answer: string; turns: number };
