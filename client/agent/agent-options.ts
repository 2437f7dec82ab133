import type { IAgentConfig } from '../../contracts/agents/agent';
import type { StartConfig } from '../../contracts/sessions/config';
import type { MessageItem } from '../../contracts/tasks/chat';
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
