import { isBrowserTool } from '../../../contracts/tools/browser-tools';
import { createEngineTools, type EngineTools } from './engine-tools';
import { readMcpConfig } from './mcp/config';
import type * as Servers from './mcp/servers';
import { loadUserTools } from './user-modules';

interface ToolSettings {
  toolModules: readonly string[];
  mcp: string | undefined;
}

/**
 * Loads all tools of an engine worker. Rejects where the settings are wrong, so that the worker fails at its start and no
 * session in its middle.
 */
export async function openTools(
  { toolModules, mcp }: ToolSettings,
  env: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): Promise<{ engineTools: EngineTools; close: () => Promise<void> }> {
  const engineTools = createEngineTools(isBrowserTool);
  for (const tool of loadUserTools(toolModules)) engineTools.add(tool);
  const configs = readMcpConfig(mcp, env);
  if (configs.length === 0) return { engineTools, close: () => Promise.resolve() };
  // The SDK of the protocol is loaded by a worker that has such servers only.
  const { startMcpServers } = require('./mcp/servers') as typeof Servers;
  const servers = await startMcpServers(configs, engineTools, warn);
  return { engineTools, close: () => servers.close() };
}
