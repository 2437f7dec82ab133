import { z } from 'zod';
import { commaList } from './schemas';
import { defineSetting } from './setting';

/** The tools of tasks besides those of the browser. */
export const TOOL_SETTINGS = {
  toolModules: defineSetting({
    env: 'SUREFOOT_TOOLS',
    schema: commaList(),
    doc: 'Modules of [tools](../tools.md#your-own) for tasks, by their paths.',
  }),
  mcp: defineSetting({
    env: 'SUREFOOT_MCP',
    schema: z.string().optional(),
    doc: '[MCP servers](../tools.md#mcp-servers), as JSON or the path of a file.',
  }),
};
