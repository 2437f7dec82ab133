import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Playwright's MCP server over stdio, with its own Chromium. */
export interface McpServer {
  /** Calls a tool and resolves to the text of its answer. */
  call(tool: string, input: Record<string, unknown>): Promise<string>;
  /** The definitions that a model is sent, as JSON. */
  tools(): Promise<string>;
  stop(): Promise<void>;
}

export async function startMcpServer(chromiumPath: string): Promise<McpServer> {
  const cli = join(dirname(require.resolve('@playwright/mcp/package.json')), 'cli.js');
  // The server writes files to its working directory.
  const cwd = mkdtempSync(join(tmpdir(), 'surefoot-bench-mcp-'));
  const client = new Client({ name: 'surefoot-bench', version: '1' });
  const args = [cli, '--headless', '--isolated', '--no-sandbox', '--executable-path', chromiumPath];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd, env: { TMPDIR: tmpdir() }, stderr: 'ignore' }),
  );
  return {
    async call(tool, input) {
      const { content, isError } = (await client.callTool({ name: tool, arguments: input })) as CallToolResult;
      const answer = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      if (isError === true) throw new Error(`${tool} failed: ${answer}`);
      return answer;
    },
    tools: async () => JSON.stringify((await client.listTools()).tools),
    async stop() {
      await client.close();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}
