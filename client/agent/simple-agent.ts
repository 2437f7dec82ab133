import { Agent } from './agent';
import { openAgentConnection } from './connection';

/**
 * Creates an agent with the settings of the environment (DATABASE_URL and TEMPORAL_ADDRESS), or of the local stack that
 * runs here. `close` ends its connection too.
 */
export async function createSimpleAgent(
  model: string,
  workingDirectory: string,
  systemPrompt?: string,
): Promise<Agent> {
  const connection = await openAgentConnection();
  const agent = new Agent({ config: { model, workingDirectory }, connection, systemPrompt });
  const closeAgent = agent.close.bind(agent);
  agent.close = async (options) => {
    await closeAgent(options);
    await connection.close();
  };
  return agent;
}
