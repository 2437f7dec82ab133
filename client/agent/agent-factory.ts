import type { AllConfig, IAgentConfig, IAgentFactory } from '../../contracts/agents/agent';
import type { ITool } from '../../contracts/tools/tool';
import { Agent } from './agent';
import type { AgentOptions } from './agent-options';
import type { AgentConnection } from './connection';

/** Options of all agents of a factory; `processTools` run in this process. */
type Defaults = Omit<AgentOptions, 'config' | 'connection'> & { processTools?: readonly ITool[] | undefined };

/** Creates S2.47 on one connection. Close each agent; the factory does not close the connection. */
export function createAgentFactory(
  connection: AgentConnection,
  { processTools: ownTools, ...defaults }: Defaults = {},
): {
  createAgent(config: IAgentConfig): Promise<Agent>;
  createSimpleAgent(model: string, workingDirectory: string, systemPrompt?: string): Promise<Agent>;
  /** S2.42. */
  createConfiguredAgent(config: AllConfig): Promise<Agent>;
} & IAgentFactory {
  const scheduler = { ...defaults.scheduler, ...(ownTools === undefined ? {} : { tools: [...ownTools] }) };
  const create = (config: IAgentConfig, more: Partial<AgentOptions> = {}): Promise<Agent> =>
    Promise.resolve(new Agent({ ...defaults, scheduler, ...more, config, connection }));
  return {
    createAgent: (config) => create(config),
    createSimpleAgent: (model, workingDirectory, systemPrompt) =>
      create({ model, workingDirectory }, systemPrompt === undefined ? {} : { systemPrompt }),
    createConfiguredAgent({ agentConfig, toolSchedulerConfig, chatConfig }) {
      const { apiKey, modelName, tokenLimit, systemPrompt, initialHistory } = chatConfig;
      return create(
        { ...agentConfig, model: agentConfig.model || modelName, apiKey: agentConfig.apiKey ?? apiKey },
        { scheduler: { ...scheduler, ...toolSchedulerConfig }, systemPrompt, initialHistory, tokenLimit },
      );
    },
  };
}
