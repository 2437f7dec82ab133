import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { ApiClient } from '../../client/http/api-client';
import type { ApiPlace } from './api-place';
import type { Person } from './person';

/** What a tool of the MCP server gets for one call. */
export interface McpContext {
  api: ApiClient;
  place: ApiPlace;
  /** Aborted when the client gives the call up; the session goes on. */
  signal: AbortSignal;
  /** How sessions that are started here treat approvals: the operator's choice, and no argument of a model. */
  approvalMode: ApprovalModeName;
  /** Reports a line to a client that has asked for progress. */
  progress: (message: string) => void;
  /** Asks the person at the client; undefined where the client can't (elicitation). */
  person: Person | undefined;
}

export type ApprovalModeName = 'default' | 'always' | 'yolo';

/** What a client has to know beside the text. */
type Hints = Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>;

interface Definition<P extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  parameters: P;
  hints: Hints;
  /** Answers for a person: only for clients that can't ask the person themselves. */
  isForPerson?: boolean;
  run(args: z.output<P>, call: McpContext): Promise<CallToolResult>;
}

export type McpTool = Definition<z.ZodObject>;

/** A tool of the MCP server: its arguments are typed where it is defined. */
export function defineMcpTool<P extends z.ZodObject>(tool: Definition<P>): McpTool {
  return tool as unknown as McpTool;
}

export const READS: Hints = { readOnlyHint: true, openWorldHint: false };
/** Changes a session of the engine, and nothing that is lost. */
export const CHANGES: Hints = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

export function textResult(lines: readonly string[], data?: Record<string, unknown>): CallToolResult {
  const text = lines.join('\n');
  return { content: [{ type: 'text', text }], ...(data === undefined ? {} : { structuredContent: data }) };
}

/** The sentence of a call that could not be carried out; a model reads it and goes another way. */
export function errorResult(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}
