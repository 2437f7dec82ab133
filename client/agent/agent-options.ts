import type { IAgentConfig } from '../../contracts/agents/agent';
import type { StartConfig } from '../../contracts/sessions/config';
import type { MessageItem } from '../../contracts/tasks/chat';
import { modelChain, parseModelName } from '../../contracts/models/model-name';
import type { CallerKey } from '../../contracts/sessions/model-connections';
import { ClientError } from '../../service/port/port';
import type { AgentConnection } from './connection';
import type { ConversationPlan } from './conversation/conversation';
import type { ToolSchedulerConfig } from './tools/tool-scheduler';

export interface AgentOptions {
  config: IAgentConfig;
  connection: AgentConnection;
  /** Tools that run in this process, beside the tools of Surefoot. */
  scheduler?: ToolSchedulerConfig | undefined;
  systemPrompt?: string | undefined;
  initialHistory?: readonly MessageItem[] | undefined;
  /** Size of the model's context window. */
  tokenLimit?: number | undefined;
  /** S2.A12: the model turns of one message at most. */
  maxTurns?: number | undefined;
  /** Names of the tools that the model may use; all tools if undefined. */
  tools?: readonly string[] | undefined;
  /** Configures the sessions that this agent starts. */
  session?: StartConfig | undefined;
}

/** A process that died leaves its conversation open; nobody may come back to it. */
const DEFAULT_IDLE_MS = 3_600_000;

/**
 * The key of an agent for its model's vendor (S2.43): the first of several models'. `rules` needs none. Throws for a model
 * that names no vendor, as nobody could say whose key it is.
 */
export function callerKeyOf({ model, apiKey = '' }: IAgentConfig): CallerKey | undefined {
  if (apiKey === '') return undefined;
  const [first = ''] = modelChain(model);
  const vendor = parseModelName(first)?.vendor;
  if (vendor === 'rules') return undefined;
  if (vendor !== undefined) return { vendor, key: apiKey };
  throw new ClientError(
    'invalid',
    'SP001',
    `The apiKey can't be used: the model “${model}” names no vendor. Write the model as vendor/model, or leave the apiKey out; the workers' own keys are used then.`,
  );
}

/** What the sessions of an agent are started with. */
export function conversationPlan(options: AgentOptions, systemPrompt: string | undefined): ConversationPlan {
  const { config, session = {}, scheduler = {}, tools } = options;
  const { maxHistorySize, maxHistoryTokens, model } = config;
  const { approvalMode, approvalTimeoutMs } = scheduler;
  return {
    config: { ...session, aiConfig: { ...session.aiConfig, model } },
    agent: {
      idleTimeoutMs: DEFAULT_IDLE_MS,
      ...session.agent,
      ...(tools === undefined ? {} : { tools: [...tools] }),
      ...(approvalMode === undefined ? {} : { approvalMode }),
      ...(approvalTimeoutMs === undefined ? {} : { approvalTimeoutMs }),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...(maxHistorySize === undefined ? {} : { maxHistorySize }),
      ...(maxHistoryTokens === undefined ? {} : { maxHistoryTokens }),
    },
  };
}
