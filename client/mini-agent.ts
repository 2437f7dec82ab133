/**
 * One door to S2 for programs that were written against its package (S2.R20, `@continue-reasoning/mini-agent`): give that
 * name to `surefoot/mini-agent` in the module map of your bundler, or in `paths` of your tsconfig. S0's names stay out:
 * two sources have a ToolResult (X.A1).
 */
export * from '../contracts/tasks/agent';
export * from '../contracts/events/agent-event';
export * from '../contracts/tasks/chat';
export * from '../contracts/tools/tool-call';
export * from '../contracts/tools/tool';
export { Agent } from './agent/agent';
export { createAgentFactory } from './agent/agent-factory';
export { openAgentConnection } from './agent/connection';
export { TokenTracker } from './agent/conversation/token-tracker';
export { ToolScheduler } from './agent/tools/tool-scheduler';
