import type { ConfirmationCard } from '../approvals/approval';
import type { ApprovalView } from '../browsers/approval-view';
import type { EffectClass } from '../commands/define-command';
import type { ToolClassification } from '../commands/tool-classification';
import type { ClientClearance } from './client-question';
import type { StepVerdict } from '../steps/step-verdict';
import type { PlannedCommand } from '../commands/planned-command';

/**
 * A tool call of an accepted reply, looked up, checked and described where the tools are, small enough for Temporal's
 * history. The workflow decides with it: ask a person, run, or answer the model with an error.
 */
export interface PlannedCall {
  /** `call_…`, made of session, step, turn and place, so that it is the same however often the reply is planned. */
  callId: string;
  functionId?: string | undefined;
  name: string;
  /** Redacted and capped; the whole arguments stand in the store under the call id. */
  args: Record<string, unknown>;
  /** Of tool, arguments and page: what an approval is bound to. */
  hash: string;
  classification: ToolClassification;
  effect: EffectClass;
  run: CallRun;
  /** What the tool itself wants a person to be asked; absent where it does not. */
  card?: ConfirmationCard | undefined;
  /** What it would do, as a sentence without its full stop: for a card of calls whose tool has none. */
  summary?: string | undefined;
  /** The part of the page that a person decides on, where the call was planned to be asked about. */
  view?: ApprovalView | undefined;
  /** A person is asked whatever the approval mode says and whatever was remembered. */
  requiresApproval?: true | undefined;
  /** A person has approved it, and something else would have left: it is asked about once more. */
  isAskedAgain?: true | undefined;
  /** Of a call of the caller's process that a person was asked about in the session. */
  clearance?: ClientClearance | undefined;
  /** What a remembered approval applies to (S2.A2). */
  scope: { tool: string; server?: string | undefined; rootCommand?: string | undefined };
  /** Where a navigation goes, for the guard against going in circles. */
  navigatesTo?: string | undefined;
  pageUrl?: string | undefined;
  /** Of action and page: equal for the same action on a page that reads the same. */
  actionDigest?: string | undefined;
}

/** Where a call is run. */
export type CallRun =
  /** Not at all: unknown tool, bad arguments. The message is the result for the model. */
  | { kind: 'refused'; message: string }
  /** As one command in the session's own browser. */
  | { kind: 'browser'; command: PlannedCommand }
  /** By a tool of the engine workers (user modules, MCP); `isFree`: it may run beside other calls. */
  | { kind: 'tool'; isFree: boolean; timeoutMs: number }
  | { kind: 'relay'; timeoutMs: number }
  /** `asks`: the process says whether a person is to be asked. */
  | { kind: 'client'; timeoutMs: number; asks?: true };

/** How a call ended, as the workflow knows it: the store has its result for the model. */
export interface CallEnd {
  callId: string;
  status: 'success' | 'error' | 'cancelled';
  /** The result for the model of a call that was not run, or whose end only the workflow knows. */
  message?: string | undefined;
  /** Its page was gone before it was begun: nothing speaks against it, it may be called again. */
  isSkipped?: true | undefined;
  /** Why its command failed: the cause of a task that fails next. */
  failure?: { code: string; message: string } | undefined;
  /** The task ends with it. */
  endsStep?: StepVerdict | undefined;
}
