import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { createApiClient } from '../../client/http/api-client';
import { printable, printableLine } from '../../contracts/printable';
import { SYSTEM_VERSION_TEXT } from '../../contracts/modules/version';
import { ApiError } from '../../client/http/api-error';
import type { ApiPlace } from './api-place';
import { describeFailure, isApiOutage } from './failures';
import { errorResult, type ApprovalModeName, type McpContext, type McpTool } from './mcp-tool';
import { createPerson } from './person';
import { MCP_TOOLS } from './tools';

export interface McpOptions {
  /** Finds the API; called for each call of a tool. */
  findApi: () => ApiPlace;
  approvalMode: ApprovalModeName;
}

const INSTRUCTIONS =
  'Surefoot runs browser sessions durably. start_session runs plain-English steps or a task and follows it; follow_session ' +
  'goes on following; results come with show_session, get_results, get_screenshot and get_file. A session goes on whether ' +
  'you follow it or not: after a lost connection follow the same session_id again instead of starting another one.';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Creates an MCP server over the REST API. It keeps nothing: another one goes on with the same sessions. */
export function createSurefootServer(options: McpOptions): McpServer {
  const mcp = new McpServer({ name: 'surefoot', version: SYSTEM_VERSION_TEXT }, { instructions: INSTRUCTIONS });
  const canAsk = (): boolean => mcp.server.getClientCapabilities()?.elicitation !== undefined;
  const tools = MCP_TOOLS.map((tool) => {
    const { name, title, description, parameters, hints } = tool;
    const registered = mcp.registerTool(
      name,
      { title, description, inputSchema: parameters, annotations: { title, ...hints } },
      async (args: unknown, extra: Extra) => await runTool(mcp, tool, args, extra, options, canAsk()),
    );
    return { tool, registered };
  });
  mcp.server.oninitialized = () => {
    // Where the client can ask the person itself, no model passes answers on.
    if (canAsk()) for (const { tool, registered } of tools) if (tool.isForPerson === true) registered.disable();
  };
  return mcp;
}

async function runTool(
  mcp: McpServer,
  tool: McpTool,
  args: unknown,
  { signal, _meta, sendNotification }: Extra,
  { findApi, approvalMode }: McpOptions,
  canAsk: boolean,
): Promise<CallToolResult> {
  const place = findApi();
  const api = createApiClient(place.api, { token: place.token });
  const progressToken = _meta?.progressToken;
  let count = 0;
  const progress = (message: string): void => {
    if (progressToken === undefined) return;
    count += 1;
    const params = { progressToken, progress: count, message: printableLine(message) };
    // A client that has gone away does not end the call.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const person = canAsk ? createPerson({ server: mcp.server, api, signal, progress }) : undefined;
  const call: McpContext = { api, place, signal, approvalMode, progress, person };
  try {
    return printableResult(await tool.run(args as never, call));
  } catch (error) {
    const isKnown = error instanceof ApiError || isApiOutage(error);
    const message = isKnown || !(error instanceof Error) ? describeFailure(error, place.api) : error.message;
    return printableResult(errorResult(message));
  }
}

/** Clients show texts in terminals and dialogs, and a model reads what nobody sees; the bytes of files stay as they are. */
function printableResult({ content, ...result }: CallToolResult): CallToolResult {
  return {
    ...result,
    content: content.map((part) => (part.type === 'text' ? { ...part, text: printable(part.text) } : part)),
  };
}
