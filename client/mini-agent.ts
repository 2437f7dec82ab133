/**
 * One door to S2 for programs that were written against its package (S2.R20, `@continue-reasoning/mini-agent`): give that
 * name to `surefoot/mini-agent` in the module map of your bundler, or in `paths` of your tsconfig. S0's names stay out:
 * two sources have a ToolResult (X.A1).
 */
export * from '../contracts/agent';
export * from '../contracts/agent-events';
export * from '../contracts/chat';
export * from '../contracts/tool-calls';
export * from '../contracts/tools';
export { Agent } from './agent/agent';
export { createAgentFactory } from './agent/agent-factory';
export { openAgentConnection } from './agent/connection';
export { TokenTracker } from './agent/conversation/token-tracker';
export { ToolScheduler } from './agent/tools/tool-scheduler';
