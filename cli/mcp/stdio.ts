import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createSurefootServer, type McpOptions } from './server';

/** Serves one client on standard input and output, until it closes them. */
export async function serveStdio(options: McpOptions): Promise<void> {
  const server = createSurefootServer(options);
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}
