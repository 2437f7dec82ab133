import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { DefinedTool } from '../../../contracts/tools/define-tool';
import { isTool, type ITool } from '../../../contracts/tools/tool';
import type { EngineTool } from './engine-tool';

/** The most careful assumptions, for a tool that states none. */
const DEFAULT_FACTS = { classification: 'write', effect: 'commit', timeoutMs: 60_000 } as const;
const NAME = /^[a-zA-Z_][\w-]{0,63}$/;

export class ToolModuleError extends Error {}

/**
 * The tools of the operator's own modules. Each exports tools under any names, or lists of them. A module that can't be
 * loaded or has none is an error at the start: a session would find it missing much later.
 */
export function loadUserTools(paths: readonly string[], folder = process.cwd()): EngineTool[] {
  const load = createRequire(resolve(folder, 'tools.js'));
  return paths.flatMap((path) => {
    const file = resolve(folder, path);
    let loaded: unknown;
    try {
      loaded = load(file);
    } catch (cause) {
      throw new ToolModuleError(`The tool module ${path} can't be loaded: ${(cause as Error).message}`, { cause });
    }
    const tools = toolsIn(loaded);
    if (tools.length === 0)
      throw new ToolModuleError(
        `The tool module ${path} exports no tool: expected an export made with defineTool, or an object with name, description, schema, validateToolParams, getDescription, shouldConfirmExecute and execute.`,
      );
    return tools.map((tool): EngineTool => {
      if (!NAME.test(tool.name))
        throw new ToolModuleError(
          `The tool module ${path} has a tool called “${tool.name}”: expected 1 to 64 letters, digits, _ and -, not beginning with a digit.`,
        );
      return { tool, origin: path, ...DEFAULT_FACTS, ...(tool as Partial<DefinedTool>).facts };
    });
  });
}

/** One tool may be exported twice, as `default` and by its name. */
function toolsIn(loaded: unknown): ITool[] {
  if (isTool(loaded)) return [loaded];
  if (typeof loaded !== 'object' || loaded === null) return [];
  const members = Object.values(loaded).flatMap((member: unknown) =>
    Array.isArray(member) ? (member as unknown[]) : [member],
  );
  const nested = members.flatMap((member) =>
    typeof member === 'object' && member !== null && !isTool(member) ? Object.values(member) : [member],
  );
  return [...new Set(nested.filter(isTool))];
}
