import type { ToolConfirmationOutcome } from '../approvals/confirmation-outcome';
import type { ContentPart, ToolDeclaration } from '../tasks/chat';

/** S2.1. */
export interface FileDiff {
  fileDiff: string;
  fileName: string;
}

/** S2.2. */
export type ToolResultDisplay = string | FileDiff;

/** S2.3: what an ITool returns: `llmContent` for the model, `returnDisplay` for the person. Not S0's ToolResult (X.A1). */
export interface ToolResult {
  summary?: string | undefined;
  llmContent: string | ContentPart[];
  returnDisplay: ToolResultDisplay;
}

/** S2.4. */
export interface ToolConfirmationPayload {
  newContent: string;
}

/** S2.6: the only kind whose answer takes a payload (S2.R7). */
export interface ToolEditConfirmationDetails {
  type: 'edit';
  title: string;
  onConfirm: (outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload) => Promise<void>;
  fileName: string;
  fileDiff: string;
  isModifying?: boolean | undefined;
}

/** S2.7. */
export interface ToolExecuteConfirmationDetails {
  type: 'exec';
  title: string;
  onConfirm: (outcome: ToolConfirmationOutcome) => Promise<void>;
  command: string;
  rootCommand: string;
}

/** S2.8. */
export interface ToolMcpConfirmationDetails {
  type: 'mcp';
  title: string;
  serverName: string;
  toolName: string;
  toolDisplayName: string;
  onConfirm: (outcome: ToolConfirmationOutcome) => Promise<void>;
}

/** S2.9. */
export interface ToolInfoConfirmationDetails {
  type: 'info';
  title: string;
  onConfirm: (outcome: ToolConfirmationOutcome) => Promise<void>;
  prompt: string;
  urls?: string[] | undefined;
}

/** S2.10: discriminated on `type`. */
export type ToolCallConfirmationDetails =
  | ToolEditConfirmationDetails
  | ToolExecuteConfirmationDetails
  | ToolMcpConfirmationDetails
  | ToolInfoConfirmationDetails;

/** S2.11: `validateToolParams` returns what is wrong, null when nothing is; both methods after it begin with it (S2.R5). */
export interface ITool<TParams = unknown, TResult extends ToolResult = ToolResult> {
  name: string;
  description: string;
  schema: ToolDeclaration;
  isOutputMarkdown: boolean;
  canUpdateOutput: boolean;
  validateToolParams(params: TParams): string | null;
  getDescription(params: TParams): string;
  /** Resolves to false when no approval is required, and at once when the params are invalid. */
  shouldConfirmExecute(params: TParams, abortSignal: AbortSignal): Promise<ToolCallConfirmationDetails | false>;
  execute(params: TParams, signal: AbortSignal, updateOutput?: (output: string) => void): Promise<TResult>;
}

/** S2.51. */
export function isTool(obj: unknown): obj is ITool {
  if (typeof obj !== 'object' || obj === null) return false;
  const tool = obj as Partial<ITool>;
  return (
    typeof tool.name === 'string' &&
    typeof tool.description === 'string' &&
    typeof tool.schema === 'object' &&
    typeof tool.validateToolParams === 'function' &&
    typeof tool.getDescription === 'function' &&
    typeof tool.shouldConfirmExecute === 'function' &&
    typeof tool.execute === 'function'
  );
}
