import { createHash } from 'node:crypto';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { ContentPart } from '../../../../contracts/tasks/chat';
import type { EffectClass } from '../../../../contracts/commands/define-command';
import type { ToolClassification } from '../../../../contracts/commands/tool-classification';
import type { ITool, ToolResult } from '../../../../contracts/tools/tool';
import type { EngineTool } from '../engine-tool';
import { argumentsProblem } from '../../../../runtime/schemas/arguments';
import type { McpServerConfig } from './config';
import type { McpServer } from './server';

const LONGEST_NAME = 64;

/** Adapts a tool of an MCP server, under the name `server__tool`. */
export function toEngineTool(
  server: McpServer,
  { timeoutMs, trustHints }: Pick<McpServerConfig, 'timeoutMs' | 'trustHints'>,
  tool: Tool,
): EngineTool {
  const { classification, effect } = classify(tool.annotations ?? {}, trustHints);
  const name = nameOf(server.name, tool.name);
  const check = (params: unknown): Promise<string | null> => argumentsProblem(tool.inputSchema, params);
  const title = tool.title ?? tool.annotations?.title ?? tool.name;
  const description = (tool.description ?? title).slice(0, 4000);
  const adapted: ITool = {
    name,
    description,
    schema: { name, description, parameters: tool.inputSchema },
    isOutputMarkdown: false,
    canUpdateOutput: true,
    // Its schema is the server's, so it is checked in a thread, by `checkArguments`.
    validateToolParams: () => null,
    getDescription: () => `${title} of the MCP server ${server.name}`,
    async shouldConfirmExecute(params) {
      if (classification === 'read' || (await check(params)) !== null) return false;
      return {
        type: 'mcp',
        title: `Run ${title} of the MCP server ${server.name}?`,
        serverName: server.name,
        toolName: tool.name,
        toolDisplayName: title,
        onConfirm: async () => {},
      };
    },
    async execute(params, signal, updateOutput) {
      const wrong = await check(params);
      if (wrong !== null) throw new Error(`Parameter validation failed for ${name}: ${wrong}.`);
      const onProgress = (text: string): void => updateOutput?.(`${text}\n`);
      const result = await server.call(tool.name, params as Record<string, unknown>, { signal, onProgress });
      const unfit = await outputProblem(tool, result);
      if (unfit !== null)
        throw new Error(`The MCP server ${server.name} broke its own schema for ${tool.name}: ${unfit}.`);
      return toResult(result);
    },
  };
  return {
    tool: adapted,
    checkArguments: check,
    origin: `the MCP server ${server.name}`,
    server: server.name,
    classification,
    effect,
    timeoutMs,
  };
}

async function outputProblem(
  { outputSchema }: Pick<Tool, 'outputSchema'>,
  { structuredContent, isError }: CallToolResult,
): Promise<string | null> {
  if (outputSchema === undefined || structuredContent === undefined || isError === true) return null;
  return await argumentsProblem(outputSchema, structuredContent);
}

/**
 * Classifies a tool by its annotations. A tool without any may do anything, anywhere; so may one of a server that the
 * operator does not trust, unless it says that it destroys.
 */
function classify(
  { readOnlyHint, destructiveHint, idempotentHint }: NonNullable<Tool['annotations']>,
  isTrusted: boolean,
): {
  classification: ToolClassification;
  effect: EffectClass;
} {
  if (!isTrusted) return { classification: destructiveHint === true ? 'destructive' : 'external', effect: 'commit' };
  if (readOnlyHint === true) return { classification: 'read', effect: 'pure' };
  const effect = idempotentHint === true ? 'idempotent' : 'commit';
  if (destructiveHint === undefined) return { classification: 'external', effect };
  return { classification: destructiveHint ? 'destructive' : 'write', effect };
}

/** How the names of a server's tools begin. */
export function beginningOf(server: string): string {
  return `${server}__`.replaceAll(/[^\w-]/g, '_').slice(0, LONGEST_NAME - 9);
}

function nameOf(server: string, tool: string): string {
  const name = `${server}__${tool}`.replaceAll(/[^\w-]/g, '_');
  if (name.length <= LONGEST_NAME) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, LONGEST_NAME - 9)}_${hash}`;
}

function toResult({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const parts = content.map((part): ContentPart => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    if (part.type === 'image') return { type: 'image', data: part.data, mimeType: part.mimeType };
    if (part.type === 'resource' && 'text' in part.resource)
      return { type: 'text', text: `${part.resource.uri}\n${part.resource.text}` };
    if (part.type === 'resource_link') return { type: 'text', text: `${part.name}: ${part.uri}` };
    return { type: 'text', text: `[${part.type} is not shown here]` };
  });
  const text = parts
    .map((part) => part.text ?? '')
    .filter((each) => each !== '')
    .join('\n');
  if (isError === true) throw new Error(text === '' ? 'The tool failed and said nothing.' : text);
  if (parts.length === 0 && structuredContent !== undefined) {
    const json = JSON.stringify(structuredContent);
    return { llmContent: json, returnDisplay: json };
  }
  return { llmContent: parts, returnDisplay: text };
}
