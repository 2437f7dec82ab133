import type { EngineTool } from './engine-tool';
import { DESCRIBE_TOOL } from './more-tools';

export class DuplicateTool extends Error {}

/** Tools by name, in the order of their names: what a model is offered never changes its order. */
export interface EngineTools {
  add(tool: EngineTool): void;
  remove(name: string): boolean;
  /** The tools with this beginning come from an MCP server, which may not have been reached yet. */
  expect(beginning: string): void;
  isExpected(name: string): boolean;
  get(name: string): EngineTool | undefined;
  list(): EngineTool[];
}

/** `taken`: names that are the engine's own. */
export function createEngineTools(isReserved: (name: string) => boolean): EngineTools {
  const tools = new Map<string, EngineTool>();
  const expected: string[] = [];
  return {
    add(added) {
      const { name } = added.tool;
      const other = isReserved(name) ? 'the engine’s own tools' : tools.get(name)?.origin;
      if (other !== undefined)
        throw new DuplicateTool(
          `Two tools are called ${name}: one of ${other} and one of ${added.origin}. Rename one of them.`,
        );
      tools.set(name, added);
    },
    remove: (name) => tools.delete(name),
    expect: (beginning) => void expected.push(beginning),
    isExpected: (name) => expected.some((beginning) => name.startsWith(beginning)),
    get: (name) => tools.get(name) ?? (name === DESCRIBE_TOOL.tool.name ? DESCRIBE_TOOL : undefined),
    list: () => [...tools.values()].sort((one, other) => (one.tool.name < other.tool.name ? -1 : 1)),
  };
}
