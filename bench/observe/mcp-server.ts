import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** Playwright's MCP server over stdio, with its own Chromium. */
export interface McpServer {
  /** Calls a tool and resolves to the text of its answer. */
  call(tool: string, input: Record<string, unknown>): Promise<string>;
  stop(): Promise<void>;
}

interface Answer {
  id?: number;
  result?: { content?: { type: string; text?: string }[]; isError?: boolean };
  error?: { message: string };
}

const CALL_LIMIT_MS = 60_000;

export async function startMcpServer(chromiumPath: string): Promise<McpServer> {
  const cli = join(dirname(require.resolve('@playwright/mcp/package.json')), 'cli.js');
  const options = ['--headless', '--isolated', '--no-sandbox', '--executable-path', chromiumPath];
  // The server writes files to its working directory.
  const home = mkdtempSync(join(tmpdir(), 'surefoot-bench-mcp-'));
  const child = spawn(process.execPath, [cli, ...options], { cwd: home, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (answer: Answer) => void>();
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', () => reject(new Error('The MCP server ended before it answered.')));
  });
  ended.catch(() => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  async function request(method: string, params: object): Promise<Answer['result']> {
    const id = (last += 1);
    const answered = new Promise<Answer>((resolve, reject) => {
      waiting.set(id, resolve);
      setTimeout(() => reject(new Error(`No answer to ${method} within ${CALL_LIMIT_MS} ms.`)), CALL_LIMIT_MS).unref();
    });
    send({ id, method, params });
    const { result, error } = await Promise.race([answered, ended]);
    waiting.delete(id);
    if (error !== undefined) throw new Error(`The MCP server refused ${method}: ${error.message}`);
    return result;
  }
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'surefoot-bench', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return {
    async call(tool, input) {
      const result = await request('tools/call', { name: tool, arguments: input });
      const answer = (result?.content ?? []).map(({ text }) => text ?? '').join('\n');
      if (result?.isError === true) throw new Error(`${tool} failed: ${answer}`);
      return answer;
    },
    async stop() {
      child.kill();
      await ended.catch(() => {});
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
