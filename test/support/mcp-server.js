// A real MCP server for tests, over stdio or (with `http`) streamable HTTP on a port that it prints. Some of its tools
// behave as badly as tools do.
const { createServer } = require('node:http');
const { randomUUID } = require('node:crypto');
const { appendFileSync } = require('node:fs');
const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js');
const { StreamableHTTPServerTransport } = require('@modelcontextprotocol/sdk/server/streamableHttp.js');
const { z } = require('zod');

const text = (value) => ({ content: [{ type: 'text', text: value }] });

function newServer() {
  const server = new McpServer({ name: 'bad', version: '1.0.0' });
  server.registerTool(
    'echo',
    { description: 'Says it again', inputSchema: { text: z.string() }, annotations: { readOnlyHint: true } },
    ({ text: said }) => text(said),
  );
  server.registerTool('count', { description: 'Notes the call', inputSchema: {} }, () => {
    appendFileSync(process.env.COUNT_FILE, 'x');
    return text('noted');
  });
  server.registerTool('code', { description: 'Takes a code', inputSchema: { code: z.string().regex(/^(a+)+$/) } }, () =>
    text('taken'),
  );
  server.registerTool('hang', { description: 'Never answers', inputSchema: {} }, () => new Promise(() => {}));
  server.registerTool('die', { description: 'Ends the server', inputSchema: {} }, () => process.exit(1));
  server.registerTool(
    'fail',
    { description: 'Says no', inputSchema: {}, annotations: { destructiveHint: true } },
    () => ({
      ...text(`it can not be done with ${process.env.API_TOKEN}`),
      isError: true,
    }),
  );
  server.registerTool('big', { description: 'MB', inputSchema: { mb: z.number() } }, ({ mb }) =>
    text('x'.repeat(mb * 1024 * 1024)),
  );
  server.registerTool('env', { description: 'What it was given', inputSchema: {} }, () =>
    text(JSON.stringify(Object.keys(process.env).sort())),
  );
  server.registerTool('picture', { description: 'A picture', inputSchema: {} }, () => ({
    content: [{ type: 'image', data: Buffer.from('png').toString('base64'), mimeType: 'image/png' }],
  }));
  server.registerTool(
    'report_progress',
    { description: 'Reports its progress', inputSchema: {} },
    async (_, { sendNotification, _meta }) => {
      for (const progress of [1, 2]) {
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken: _meta.progressToken, progress, total: 2, message: `part ${progress}` },
        });
      }
      return text('all');
    },
  );
  return server;
}

async function main() {
  if (process.argv[2] !== 'http') return newServer().connect(new StdioServerTransport());
  const sessions = new Map();
  const serve = async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id']);
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    await newServer().connect(transport);
    await transport.handleRequest(request, response);
  };
  const http = createServer((request, response) => void serve(request, response));
  http.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => console.log(http.address().port));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
