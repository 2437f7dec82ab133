import { z } from 'zod';
import type { EffectClass } from '../commands/define-command';
import type { ToolClassification } from '../commands/tool-classification';
import type { ITool, ToolCallConfirmationDetails, ToolResult } from './tool';

/** What the engine has to know about a tool beside S2's interface. */
export interface ToolFacts {
  classification: ToolClassification;
  /** What running it twice may do: after a worker's death a `commit` is not run again, whatever came of it. */
  effect: EffectClass;
  timeoutMs: number;
}

/** A tool with its facts; a plain ITool is taken for one that commits. */
export interface DefinedTool extends ITool {
  facts: ToolFacts;
}

export interface ToolRun {
  signal: AbortSignal;
  /** Reports output while the tool runs. */
  updateOutput: (output: string) => void;
}

export interface ToolDefinition<P> extends Partial<ToolFacts> {
  name: string;
  description: string;
  /** Schema of its arguments, an object. */
  parameters: z.ZodType<P>;
  /** True: a person is asked before every call. A function: whether, or with which words, for these arguments. */
  confirm?: boolean | ((args: P) => boolean | string | ToolCallConfirmationDetails);
  /** One sentence on what this call would do. */
  describe?: (args: P) => string;
  execute: (args: P, run: ToolRun) => Promise<string | ToolResult> | string | ToolResult;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** Makes a tool of a name, a schema and a function. Without more it counts as one that changes something. */
export function defineTool<P>(definition: ToolDefinition<P>): DefinedTool {
  const { name, description, parameters, confirm, describe, execute } = definition;
  const { classification = 'write', timeoutMs = DEFAULT_TIMEOUT_MS } = definition;
  const effect = definition.effect ?? (classification === 'read' ? 'pure' : 'commit');
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input' });
  const describeCall = (args: P): string => describe?.(args) ?? `${name} ${JSON.stringify(args)}`;
  const asking = confirm ?? (classification === 'destructive' || classification === 'external');

  return {
    name,
    description,
    schema: { name, description, parameters: schema },
    isOutputMarkdown: false,
    canUpdateOutput: true,
    facts: { classification, effect, timeoutMs },
    validateToolParams: (given) => problemOf(parameters, given),
    getDescription: (given) => {
      const parsed = parameters.safeParse(given);
      return parsed.success ? describeCall(parsed.data) : name;
    },
    async shouldConfirmExecute(given) {
      const parsed = parameters.safeParse(given);
      if (!parsed.success) return false;
      const answer = typeof asking === 'function' ? asking(parsed.data) : asking;
      if (typeof answer === 'object') return answer;
      if (answer === false) return false;
      const prompt = typeof answer === 'string' ? answer : describeCall(parsed.data);
      return { type: 'info', title: `Run ${name}?`, prompt, onConfirm: async () => {} };
    },
    async execute(given, signal, updateOutput = () => {}) {
      const problem = problemOf(parameters, given);
      if (problem !== null) throw new Error(`Parameter validation failed for ${name}: ${problem}.`);
      const result = await execute(parameters.parse(given), { signal, updateOutput });
      return typeof result === 'string' ? { llmContent: result, returnDisplay: result } : result;
    },
  };
}

function problemOf(schema: z.ZodType, given: unknown): string | null {
  const parsed = schema.safeParse(given);
  if (parsed.success) return null;
  return parsed.error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
