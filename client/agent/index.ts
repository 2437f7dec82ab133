/**
 * `surefoot/agent`: agents of your own program, whose tools run in it (docs/agents.md). S0 and S2 both have a ToolResult
 * (X.A1): here it is S2's, and S0's is the result of `AgentLoopParams['executeTool']`.
 */
export { createAgentLoop, runAgentLoop } from './agent-loop';
export { createSimpleAgent } from './simple-agent';
export type {
  AgentLoopParams,
  AgentLoopResult,
  RunAgentLoop,
  StepUpdate,
  TurnLog,
} from '../../contracts/tasks/agent-loop';
export * from './mini-agent';
export type { AgentConnection, OpenAgentConnection } from './connection';
