import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { DuplicateTool, type EngineTools } from '../engine-tools';
import { beginningOf, toEngineTool } from './adapter';
import type { McpServerConfig } from './config';
import { createMcpServer, type McpServer } from './server';
import { pathText } from '../../../../contracts/errors/issues';
import { CheckRefused, toolSchemaProblems } from '../../../../runtime/schemas/checks';

const RECONNECT_MS = 30_000;

/** A tool whose schema can't be used here is offered all the same: its server checks its arguments. */
async function warnOfUnchecked(
  server: string,
  { name, inputSchema }: Tool,
  warn: (message: string) => void,
): Promise<void> {
  const problems = await toolSchemaProblems(inputSchema).catch((error: unknown) => {
    if (error instanceof CheckRefused) return [{ path: [], message: error.message }];
    throw error;
  });
  const [problem] = problems;
  if (problem === undefined) return;
  const at = problem.path.length === 0 ? '' : ` at ${pathText(problem.path)}`;
  warn(
    `Arguments for ${name} of the MCP server ${server} are left for it to check, because of its schema${at}: ${problem.message}.`,
  );
}

export interface McpServers {
  close(): Promise<void>;
}

/**
 * Connects to the MCP servers and adds their tools. A server that can't be reached is logged and tried again; meanwhile
 * the engine works without its tools.
 */
export async function startMcpServers(
  configs: readonly McpServerConfig[],
  engineTools: EngineTools,
  warn: (message: string) => void,
): Promise<McpServers> {
  const servers: McpServer[] = [];
  const timers = new Set<NodeJS.Timeout>();

  async function addTools(config: McpServerConfig, server: McpServer): Promise<void> {
    let listed: Tool[];
    try {
      listed = await server.listTools();
    } catch (error) {
      warn(`${(error as Error).message} Its tools are missing until it is there.`);
      const timer = setTimeout(() => {
        timers.delete(timer);
        void addTools(config, server);
      }, RECONNECT_MS);
      timer.unref();
      timers.add(timer);
      return;
    }
    const wanted = listed.filter(({ name }) => config.tools === undefined || config.tools.includes(name));
    for (const tool of wanted) {
      try {
        engineTools.add(toEngineTool(server, config, tool));
        await warnOfUnchecked(server.name, tool, warn);
      } catch (error) {
        if (!(error instanceof DuplicateTool)) throw error;
        warn(error.message);
      }
    }
  }

  await Promise.all(
    configs.map(async (config) => {
      const server = createMcpServer(config, warn);
      servers.push(server);
      engineTools.expect(beginningOf(server.name));
      await addTools(config, server);
    }),
  );
  return {
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
