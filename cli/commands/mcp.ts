import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import type { CliCommand } from '../context/define-command';
import { EXIT, type ExitCode } from '../context/exit';
import { Option } from 'commander';
import { toPort } from '../input/options';
import { findApi } from '../mcp/api-place';
import type { ApprovalModeName } from '../mcp/mcp-tool';
import { listenForInterrupt } from '../terminal/interrupt';
import { createTerminal } from '../terminal/terminal';

interface McpCommandOptions {
  api?: string;
  approvalMode: ApprovalModeName;
  http?: number | true;
}

const DEFAULT_PORT = 3100;

export const mcp: CliCommand = {
  name: 'mcp',
  summary: 'serve sessions and their browsers to other agents (MCP)',
  description:
    'Serves the Model Context Protocol on standard input and output, or over HTTP with --http: other agents start ' +
    'and follow sessions, answer approvals, fetch results and drive browsers. The API is that of --api, else of ' +
    'the local stack here, with SUREFOOT_API_TOKEN. Over HTTP clients need SUREFOOT_MCP_TOKEN, or the token that ' +
    'is printed.',
  examples: [
    ['surefoot mcp', 'as the command of an MCP client'],
    ['surefoot mcp --http 3100', 'for clients that connect to http://127.0.0.1:3100/mcp'],
    ['surefoot mcp --api https://surefoot.example', 'for sessions elsewhere'],
  ],
  define: (command, end) =>
    command
      .option('--api <url>', 'the API to use')
      .option('--http [port]', `serve streamable HTTP on this port of 127.0.0.1 (${DEFAULT_PORT})`, toPort)
      .addOption(
        new Option('--approval-mode <mode>', 'which calls of sessions that it starts wait for a person')
          .choices(['default', 'always', 'yolo'])
          .default('default'),
      )
      .action(async (options: McpCommandOptions) => end(await serve(options))),
};

async function serve({ api, approvalMode, http }: McpCommandOptions): Promise<ExitCode> {
  const token = readSetting(SETTINGS.apiToken, process.env);
  const options = { findApi: () => findApi(api, token), approvalMode };
  // Loaded here because the SDK takes most of the start-up time of any command.
  if (http === undefined) {
    const { serveStdio } = await import('../mcp/stdio.js');
    await serveStdio(options);
    return EXIT.done;
  }
  const { startMcpHttp } = await import('../mcp/http.js');
  const ownToken = readSetting(SETTINGS.mcpToken, process.env);
  const interrupt = listenForInterrupt();
  const server = await startMcpHttp({ ...options, port: http === true ? DEFAULT_PORT : http, token: ownToken });
  const terminal = createTerminal();
  terminal.print(`MCP server at ${server.url}`);
  if (ownToken === undefined) terminal.print(`Clients send Authorization: Bearer ${server.token}`);
  await interrupt.interrupted;
  await server.close();
  interrupt.end();
  return EXIT.done;
}
