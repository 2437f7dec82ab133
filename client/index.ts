/**
 * `surefoot`: sessions over HTTP. It needs `fetch` and nothing of Node, Temporal or Postgres, and runs in browsers and edge
 * runtimes too. `surefoot/agent` and `surefoot/engine` are for programs beside the servers.
 */
export {
  createClient,
  type Client,
  type EndedSession,
  type FollowOptions,
  type RunOptions,
  type WaitOptions,
} from './create-client';
export { type ClientOptions } from './http/client-options';
export type { ResultOf, ResultSchema, SessionRequest, TypedSchema } from './http/typed-results';
export type { ResultRequest } from '../contracts/results/result-request';
export type { SessionResult } from '../contracts/results/result';
export type { AgentLoopOptions } from './remote-browser/agent-loop';
export { ApiError } from './http/api-error';
export type {
  ApprovalListQuery,
  BrowserSessionQuery,
  EventPageQuery,
  SessionListQuery,
  SessionQuery,
} from './http/queries';
export { SessionStatus } from '../contracts/sessions/session';
export type { StartRequest, VariableInput } from '../contracts/sessions/start-request';
export type { StepInput } from '../contracts/sessions/step-input';
export type { StartConfig } from '../contracts/sessions/config';
export { CommandAction, CommandStatus } from '../contracts/commands/commands';
export { ErrorCategory, ErrorSeverity } from '../contracts/errors/error-definition';
export { TaskLoopEventType } from '../contracts/events/task-loop';
export { StepStatus } from '../contracts/steps/step-result';
export { StreamEventType, type StreamEvent } from '../contracts/events/stream-event';
export type { FormatName, FrameOf } from '../contracts/events/formats/formats';
export { ToolConfirmationOutcome } from '../contracts/approvals/confirmation-outcome';
export type {
  AgentLoopParams,
  AgentLoopResult,
  StepUpdate,
  BrowserToolResult,
  TurnLog,
} from '../contracts/tasks/agent-loop';
