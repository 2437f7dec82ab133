import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/** A small MCP server over stdio that stores notes; with examples/tools/mcp.json the engine starts it. */
const notes: string[] = [];
const server = new McpServer({ name: 'notes', version: '1.0.0' });

server.registerTool(
  'list',
  { description: 'All notes, oldest first', inputSchema: {}, annotations: { readOnlyHint: true } },
  () => ({ content: [{ type: 'text', text: notes.length === 0 ? 'There are no notes.' : notes.join('\n') }] }),
);

server.registerTool(
  'add',
  {
    description: 'Adds a note',
    inputSchema: { text: z.string().min(1) },
    annotations: { destructiveHint: false, idempotentHint: false },
  },
  ({ text }) => {
    notes.push(text);
    return { content: [{ type: 'text', text: `Note ${notes.length} is kept.` }] };
  },
);

server.connect(new StdioServerTransport()).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
