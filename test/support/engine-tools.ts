import { isBrowserTool } from '../../contracts/tools/browser-tools';
import { createRegistry, type EngineTool, type Registry } from '../../activities/tools/engine-tool';
import type { Toolbox } from '../../activities/tools/port';
import { createToolbox } from '../../activities/tools/toolbox';
import type { Store } from '../../store/store';

/** What an engine worker has of tools: the browser's, and these. */
export function engineTools(
  store: Store,
  tools: readonly EngineTool[] = [],
  env: NodeJS.ProcessEnv = {},
): { registry: Registry; toolbox: Toolbox; env: NodeJS.ProcessEnv } {
  const registry = createRegistry(isBrowserTool);
  for (const tool of tools) registry.add(tool);
  return { registry, toolbox: createToolbox({ store, env, registry }), env };
}
