import type { IToolCallRequestInfo } from '../../../../contracts/tools/tool-call';
import type { ITool, ToolCallConfirmationDetails, ToolResult } from '../../../../contracts/tools/tool';
import type { ToolConfirmationOutcome } from '../../../../contracts/approvals/confirmation-outcome';

export type Args = Record<string, unknown>;

export interface ToolScript {
  name?: string;
  problem?: (args: Args) => string | null;
  details?:
    | ToolCallConfirmationDetails
    | false
    | ((args: Args, signal: AbortSignal) => Promise<ToolCallConfirmationDetails | false>);
  execute?: (args: Args, signal: AbortSignal, updateOutput?: (output: string) => void) => Promise<ToolResult>;
  canUpdateOutput?: boolean;
}

/** A tool that does what its script says, and remembers what it was asked to run. */
export function aTool(script: ToolScript = {}): ITool & { runs: Args[] } {
  const { name = 'echo', problem = () => null, details = false, canUpdateOutput = true } = script;
  const runs: Args[] = [];
  const tool: ITool = {
    name,
    description: `${name} of a test`,
    schema: { name, description: `${name} of a test` },
    isOutputMarkdown: false,
    canUpdateOutput,
    validateToolParams: (args) => problem(args as Args),
    getDescription: (args) => `${name} ${JSON.stringify(args)}`,
    shouldConfirmExecute: (args, signal) =>
      typeof details === 'function' ? details(args as Args, signal) : Promise.resolve(details),
    execute: async (args, signal, updateOutput) => {
      runs.push(args as Args);
      return script.execute === undefined
        ? { llmContent: `ran ${JSON.stringify(args)}`, returnDisplay: 'ran' }
        : await script.execute(args as Args, signal, updateOutput);
    },
  };
  return { ...tool, runs };
}

interface Card {
  details: ToolCallConfirmationDetails;
  answers: unknown[][];
}

/** A card, and the answers that its tool received. */
export function aCard(
  type: ToolCallConfirmationDetails['type'] = 'info',
  more: Partial<Record<string, unknown>> = {},
): Card {
  const answers: unknown[][] = [];
  const onConfirm = (...answer: [ToolConfirmationOutcome, unknown?]): Promise<void> => {
    answers.push(answer);
    return Promise.resolve();
  };
  const of = {
    edit: { fileName: 'a.txt', fileDiff: '-a\n+b' },
    exec: { command: 'git push', rootCommand: 'git' },
    mcp: { serverName: 'files', toolName: 'read', toolDisplayName: 'Read' },
    info: { prompt: 'May it?' },
  }[type];
  return { details: { type, title: 'Sure?', ...of, ...more, onConfirm } as ToolCallConfirmationDetails, answers };
}

let calls = 0;
export function aRequest(name = 'echo', args: unknown = { text: 'hello' }): IToolCallRequestInfo {
  calls += 1;
  return { callId: `call_${calls}`, name, args: args as Args, isClientInitiated: false, promptId: 'p' };
}

export function never<T>(): Promise<T> {
  return new Promise(() => {});
}
