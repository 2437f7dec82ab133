/**
 * `surefoot/contracts`: every type, enum, schema and constant of the sources under its own name, and what the sources leave to
 * an implementation: the timeout validator, the container, the coordinator, and the folds of a log into S1's and S3's events.
 * S0 and S2 both have a ToolResult (X.A1): S0's is `BrowserToolResult`. `LogLevel` is S1's (X.A2).
 */
export { runAgentLoop } from './agent/agent-loop';
export {
  type AgentEvent,
  AgentEventType,
  type ChatMessage,
  type LLMResponseAgentEvent,
  type ToolCallRequest,
  type ToolCallResponse,
  type ToolExecutionDoneEvent,
  type ToolExecutionStartEvent,
  createAgentEventFromLLMResponse,
} from '../contracts/agents/agent-event';
export {
  type AllConfig,
  type EventHandler,
  type IAgent,
  type IAgentConfig,
  type IAgentFactory,
  type IAgentStatus,
  type PartialAgentConfig,
  isAgent,
  isChat,
} from '../contracts/agents/agent';
export { type APIError, APIErrorSchema, type APIResponse, type PaginatedResponse } from '../contracts/api';
export { ToolConfirmationOutcome } from '../contracts/approvals/confirmation-outcome';
export {
  CommandAction,
  type CommandParameters,
  CommandParametersSchema,
  type CommandResponse,
  CommandResponseSchema,
  CommandStatus,
} from '../contracts/commands/commands';
export { ERROR_CODES } from '../contracts/errors/error-codes';
export { ErrorCategory, ErrorSeverity } from '../contracts/errors/error-definition';
export { type StandardError, StandardErrorSchema } from '../contracts/errors/standard-error';
export { type StandardWarning, StandardWarningSchema } from '../contracts/errors/standard-warning';
export {
  type ApprovalRequiredEvent,
  ApprovalRequiredEventSchema,
  type DoneEvent,
  DoneEventSchema,
  type ErrorEvent,
  ErrorEventSchema,
  type ExecutionEvent,
  ExecutionEventSchema,
  type IterationCompleteEvent,
  IterationCompleteEventSchema,
  type TokenDeltaEvent,
  TokenDeltaEventSchema,
  type ToolCallEvent,
  ToolCallEventSchema,
  type ToolResultEvent,
  ToolResultEventSchema,
} from '../contracts/events/execution-event';
export {
  type AIGeneratedCommand,
  AIGeneratedCommandSchema,
  type AIResponse,
  AIResponseSchema,
  type ExecutorCommand,
  ExecutorCommandSchema,
  type StepResult,
  StepResultSchema,
  type StreamEvent,
  type StreamEventData,
  StreamEventDataSchema,
  StreamEventSchema,
} from '../contracts/events/formats/s1';
export { StreamEventType } from '../contracts/events/stream-event';
export {
  type IEventPublisher,
  type TaskLoopCallbacks,
  type TaskLoopEvent,
  type TaskLoopEventData,
  TaskLoopEventDataSchema,
  TaskLoopEventSchema,
  TaskLoopEventType,
  type TaskLoopStepRequest,
  TaskLoopStepRequestSchema,
} from '../contracts/events/task-loop';
export { DecisionAction, type ResultValidation, ResultValidationSchema } from '../contracts/models/ai-response';
export {
  type CoordinatorHealth,
  CoordinatorHealthSchema,
  type ModuleSessionLinkCallback,
  type SessionCoordinator,
  type SessionIntegrityReport,
  SessionIntegrityReportSchema,
  type WorkflowSessionCallback,
} from '../contracts/modules/coordinator';
export { DEPENDENCY_TOKENS, type DIContainer, type ModuleRegistration } from '../contracts/modules/dependencies';
export {
  type BaseModuleConfig,
  BaseModuleConfigSchema,
  LogLevel,
  type LoggingConfig,
  LoggingConfigSchema,
  type PerformanceConfig,
  PerformanceConfigSchema,
} from '../contracts/modules/module-config';
export {
  type ISessionManager,
  type ModuleSessionConfig,
  ModuleSessionConfigSchema,
  type ModuleSessionInfo,
  ModuleSessionInfoSchema,
  type SessionLifecycleCallbacks,
  type SessionManagerHealth,
  SessionManagerHealthSchema,
} from '../contracts/modules/module-sessions';
export {
  type BreakingChange,
  BreakingChangeSchema,
  type CompatibilityMatrix,
  CompatibilityMatrixSchema,
  SYSTEM_VERSION,
  type VersionInfo,
  VersionInfoSchema,
} from '../contracts/modules/version';
export {
  type AIProcessingConfig,
  AIProcessingConfigSchema,
  type ExecutorProcessingConfig,
  ExecutorProcessingConfigSchema,
  type StreamProcessingConfig,
  StreamProcessingConfigSchema,
  type WorkflowConfig,
  WorkflowConfigSchema,
} from '../contracts/sessions/config';
export {
  type ProcessingConfig,
  ProcessingConfigSchema,
  type ProcessingOptions,
  ProcessingOptionsSchema,
  type StepProcessingRequest,
  StepProcessingRequestSchema,
  type StepProcessingResult,
  StepProcessingResultSchema,
} from '../contracts/sessions/processing';
export { type ExecutionProgress, ExecutionProgressSchema } from '../contracts/sessions/progress';
export {
  type PageInfo,
  PageInfoSchema,
  type ScreenshotInfo,
  ScreenshotInfoSchema,
  type VariableInfo,
  VariableInfoSchema,
} from '../contracts/sessions/resources';
export { SessionStatus, type WorkflowSession, WorkflowSessionSchema } from '../contracts/sessions/session';
export {
  DEFAULT_TIMEOUT_CONFIG,
  type TimeoutConfig,
  TimeoutConfigSchema,
  type TimeoutValidationResult,
  TimeoutValidationResultSchema,
  type TimeoutValidator,
  timeoutValidator,
} from '../contracts/sessions/timeouts';
export { StepStatus } from '../contracts/steps/step-result';
export {
  type AgentLoopParams,
  type AgentLoopResult,
  AgentLoopResultSchema,
  type StepUpdate,
  StepUpdateSchema,
  type TurnLog,
  TurnLogSchema,
} from '../contracts/tasks/agent-loop';
export {
  type IAllToolCallsCompleteHandler,
  type IBaseToolCall,
  type ICancelledToolCall,
  type ICompletedToolCall,
  type IConfirmHandler,
  type IErroredToolCall,
  type IExecutingToolCall,
  type IOutputUpdateHandler,
  type IScheduledToolCall,
  type ISuccessfulToolCall,
  type IToolCall,
  type IToolCallRequestInfo,
  type IToolCallResponseInfo,
  type IToolCallsUpdateHandler,
  type IToolScheduler,
  type IToolSchedulerConfig,
  type IValidatingToolCall,
  type IWaitingToolCall,
  ToolCallStatus,
  type ToolExecutionDoneCallback,
  type ToolExecutionStartCallback,
} from '../contracts/tools/tool-call';
export {
  type FileDiff,
  type ITool,
  type ToolCallConfirmationDetails,
  type ToolConfirmationPayload,
  type ToolEditConfirmationDetails,
  type ToolExecuteConfirmationDetails,
  type ToolInfoConfirmationDetails,
  type ToolMcpConfirmationDetails,
  type ToolResult,
  type ToolResultDisplay,
  isTool,
} from '../contracts/tools/tool';
export { type BrowserToolResult, BrowserToolResultSchema } from '../contracts/tasks/agent-loop';
export { createEncoder, type EventFormat, type FrameEncoder } from '../contracts/events/formats/format';
export { FORMATS, type FormatName, type FrameOf } from '../contracts/events/formats/formats';
export type { LogRecord } from '../contracts/events/log';
export { openCoordinator, type Coordinator, type CoordinatorParts } from '../service/coordinator/coordinator';
export { createContainer, type Container } from '../runtime/container';
