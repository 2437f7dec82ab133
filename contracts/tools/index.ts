/** `surefoot/tools`: tools of your own, for an agent's process or for SUREFOOT_TOOLS of the workers. */
export { defineTool, type DefinedTool, type ToolDefinition, type ToolFacts, type ToolRun } from './define-tool';
export {
  isTool,
  type ITool,
  type ToolCallConfirmationDetails,
  type ToolConfirmationPayload,
  type ToolResult,
  type ToolResultDisplay,
} from './tool';
export { ToolConfirmationOutcome } from '../approvals/confirmation-outcome';
