import { z } from 'zod';
import { commaList } from './schemas';
import { defineSetting } from './setting';

/** The tools of tasks besides those of the browser. */
export const TOOL_SETTINGS = {
  toolModules: defineSetting({
    env: 'SUREFOOT_TOOLS',
    schema: commaList(),
    doc: 'Modules of tools for tasks, by their paths ([tools](tools.md)).',
  }),
  mcp: defineSetting({
    env: 'SUREFOOT_MCP',
    schema: z.string().optional(),
    doc: 'MCP servers, as JSON or the path of a file ([tools](tools.md)).',
  }),
};
