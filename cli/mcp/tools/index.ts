import type { McpTool } from '../mcp-tool';
import { answerApproval, listApprovals, resolveUnknown } from './approvals';
import { BROWSER_MCP_TOOLS } from './browser';
import { CONTROL_TOOLS } from './control';
import { getFile, getResults, getScreenshot, uploadFile } from './results';
import { followSessionTool, listSessions, sendMessage, showSession, startSession } from './sessions';

/** In the order in which clients list them. */
export const MCP_TOOLS: readonly McpTool[] = [
  startSession,
  followSessionTool,
  sendMessage,
  showSession,
  listSessions,
  getResults,
  getScreenshot,
  getFile,
  uploadFile,
  listApprovals,
  answerApproval,
  resolveUnknown,
  ...CONTROL_TOOLS,
  ...BROWSER_MCP_TOOLS,
];
