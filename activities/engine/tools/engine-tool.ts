import type { EffectClass } from '../../../contracts/commands/define-command';
import type { ToolClassification } from '../../../contracts/commands/tool-classification';
import type { ITool } from '../../../contracts/tools/tool';

/** A tool that runs in the engine workers: a module of the operator, or a tool of an MCP server. */
export interface EngineTool {
  tool: ITool;
  /** What is wrong with arguments by a schema of strangers, which is not to be run on the main thread. */
  checkArguments?: ((args: unknown) => Promise<string | null>) | undefined;
  /** The file or MCP server that it comes from, for errors. */
  origin: string;
  /** The effect class of running it twice. */
  effect: EffectClass;
  classification: ToolClassification;
  timeoutMs: number;
  server?: string | undefined;
}
