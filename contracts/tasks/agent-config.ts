import { z } from 'zod';
import { DEFAULT_MAX_STEPS } from './agent-loop';
import { ToolClassificationSchema } from '../commands/tool-classification';

/** A tool that the process of the caller runs (runAgentLoop, IAgent): declared here, executed there. */
export const ClientToolSchema = z.strictObject({
  name: z.string().regex(/^[a-zA-Z_][\w-]{0,63}$/, 'expected 1 to 64 letters, digits, _ and -'),
  description: z.string().max(4000),
  /** JSON schema of its arguments. */
  parameters: z.record(z.string(), z.unknown()).optional(),
  classification: ToolClassificationSchema.optional(),
  /** Ask a person before every call, whatever the approval mode says. */
  confirm: z.boolean().optional(),
  /** The process says of each call whether a person is to be asked, and the session asks. */
  asks: z.boolean().optional(),
});
export type ClientTool = z.infer<typeof ClientToolSchema>;

/** How the tasks of a session are run: who executes the browser tools, what needs approval, and how much is remembered. */
export const AgentConfigSchema = z.strictObject({
  /** Who executes the browser tools: our own Chrome, a person's browser over the relay, or the caller's process. */
  executor: z.enum(['playwright', 'relay', 'client']),
  /** With `relay`: the browser session that was registered. */
  browserSessionId: z.string().min(1),
  /** With `relay`: how long a session waits for its browser to come back. */
  waitForBrowserMs: z.int().min(0),
  /** Task queue of the process that runs `clientTools`. */
  clientQueue: z.string().min(1).max(200),
  clientTools: z.array(ClientToolSchema).max(128),
  /** Names of the tools a model may use; left out, all that there are. */
  tools: z.array(z.string().min(1)).max(256),
  /** Act by coordinates with the vendor's own computer-use tool, where the snapshot is blind (canvas, maps). */
  computerUse: z.boolean(),
  /** S2.A1, of steps too. */
  approvalMode: z.enum(['default', 'yolo', 'always']),
  /** Of steps too; no limit where it is left out. After it a task goes on without the call, and a step fails (TL004). */
  approvalTimeoutMs: z.int().positive(),
  /** Model turns of one task. */
  maxSteps: z.int().min(1).max(1000),
  systemPrompt: z.string().max(50_000),
  /** Messages and tokens of the conversation that a model is sent; what is older is summed up. */
  maxHistorySize: z.int().min(2),
  maxHistoryTokens: z.int().min(1000),
  /** A conversation: the session stays open for further tasks after its last, until it is closed or idle for too long. */
  stayOpen: z.boolean(),
  idleTimeoutMs: z.int().positive(),
});

export type AgentConfigInput = Partial<z.infer<typeof AgentConfigSchema>>;

type Given = z.infer<typeof AgentConfigSchema>;

/** The configuration with its defaults. */
export type AgentConfig = Pick<
  Given,
  'executor' | 'approvalMode' | 'maxSteps' | 'stayOpen' | 'waitForBrowserMs' | 'maxHistorySize' | 'maxHistoryTokens'
> &
  Partial<Given>;

const DEFAULTS = {
  executor: 'playwright',
  approvalMode: 'default',
  maxSteps: DEFAULT_MAX_STEPS,
  stayOpen: false,
  waitForBrowserMs: 300_000,
  maxHistorySize: 400,
  maxHistoryTokens: 100_000,
} as const satisfies AgentConfig;

export function resolveAgentConfig(given: { [K in keyof Given]?: Given[K] | undefined } = {}): AgentConfig {
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...DEFAULTS, ...named };
}

/** Finds what is wrong between fields. */
export function agentConfigIssues({ executor, browserSessionId, clientQueue, clientTools = [] }: AgentConfigInput): {
  path: string;
  message: string;
}[] {
  const issues: { path: string; message: string }[] = [];
  if (executor === 'relay' && browserSessionId === undefined)
    issues.push({
      path: 'config.agent.browserSessionId',
      message: 'expected the browser session to use over the relay',
    });
  if ((executor === 'client' || clientTools.length > 0) && clientQueue === undefined)
    issues.push({
      path: 'config.agent.clientQueue',
      message: 'expected the task queue of the process that runs the tools',
    });
  return issues;
}
