/**
 * The names of S2 for programs that were written against `@continue-reasoning/mini-agent` (S2.R20): map that name to
 * `surefoot/mini-agent` in your bundler, or in `paths` of your tsconfig. S0's names are not exported, as S0 and S2 both
 * have a ToolResult (X.A1).
 */
export * from '../../contracts/agents/agent';
export * from '../../contracts/agents/agent-event';
export * from '../../contracts/tasks/chat';
export * from '../../contracts/approvals/confirmation-outcome';
export * from '../../contracts/tools/tool-call';
export * from '../../contracts/agents/tool-call-transport';
export * from '../../contracts/tools/tool';
export { Agent } from './agent';
export { createAgentFactory } from './agent-factory';
export { openAgentConnection } from './connection';
export { TokenTracker } from './conversation/token-tracker';
export { ToolScheduler } from './tools/tool-scheduler';
