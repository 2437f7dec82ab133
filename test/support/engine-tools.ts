import { isBrowserTool } from '../../contracts/tools/browser-tools';
import { createEngineTools, type EngineTools } from '../../activities/engine/tools/engine-tools';
import type { EngineTool } from '../../activities/engine/tools/engine-tool';
import type { ToolRegistry } from '../../activities/engine/tools/port';
import { createToolRegistry } from '../../activities/engine/tools/tool-registry';
import type { Store } from '../../store/store';

/** What an engine worker has of tools: the browser's, and these. */
export function aToolRegistry(
  store: Store,
  tools: readonly EngineTool[] = [],
  env: NodeJS.ProcessEnv = {},
): { engineTools: EngineTools; toolRegistry: ToolRegistry; env: NodeJS.ProcessEnv } {
  const engineTools = createEngineTools(isBrowserTool);
  for (const tool of tools) engineTools.add(tool);
  return { engineTools, toolRegistry: createToolRegistry({ store, env, engineTools }), env };
}
