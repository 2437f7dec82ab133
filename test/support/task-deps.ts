import { createRegistry } from '../../activities/tools/engine-tool';
import { createToolbox } from '../../activities/tools/toolbox';
import { isBrowserTool } from '../../contracts/browser-tools';
import type { Store } from '../../store/store';

/** What activities of engine workers need for tasks: the browser's tools, and none of an operator's own. */
export function taskDeps(store: Store, env: NodeJS.ProcessEnv = {}) {
  const registry = createRegistry(isBrowserTool);
  return { registry, toolbox: createToolbox({ store, env, registry }), env };
}
