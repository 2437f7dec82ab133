/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import type { AgentEvent } from './agent-event';
import type { IChat, IChatConfig, ILogger, ITokenUsage, LogLevel, MessageItem } from '../tasks/chat';
import type { IToolScheduler, IToolSchedulerConfig } from '../tools/tool-call';
import type { ITool } from '../tools/tool';

/** S2.43. */
export interface IAgentConfig {
  model: string;
  workingDirectory: string;
  apiKey?: string | undefined;
  sessionId?: string | undefined;
  maxHistorySize?: number | undefined;
  maxHistoryTokens?: number | undefined;
  debugMode?: boolean | undefined;
  logger?: ILogger | undefined;
  logLevel?: LogLevel | undefined;
}

/** S2.42: tools and their declarations come from the tool list (S2.R18). */
export interface AllConfig {
  agentConfig: IAgentConfig;
  toolSchedulerConfig: Omit<IToolSchedulerConfig, 'tools'>;
  chatConfig: Omit<IChatConfig, 'toolDeclarations'>;
}

/** S2.44: `lastUpdateTime` in epoch milliseconds, `tokenLimit` in tokens. */
export interface IAgentStatus {
  isRunning: boolean;
  currentTurn: number;
  historySize: number;
  config: IAgentConfig;
  lastUpdateTime: number;
  tokenUsage: ITokenUsage;
  modelInfo: { model: string; tokenLimit: number };
}

/** S2.45. */
export type EventHandler = (event: AgentEvent) => void;

/** S2.46: `process` streams until the request is finished, `processOneTurn` exactly one model turn (mind the order of arguments, S2.R15). */
export interface IAgent {
  process(userInput: string, sessionId: string, abortSignal: AbortSignal): AsyncGenerator<AgentEvent>;
  processOneTurn(sessionId: string, chatMessage: MessageItem, abortSignal: AbortSignal): AsyncGenerator<AgentEvent>;
  getChat(): IChat<any>;
  getToolList(): ITool[];
  getTool(toolName: string): ITool | undefined;
  registerTool(tool: ITool): void;
  removeTool(toolName: string): boolean;
  getToolScheduler(): IToolScheduler;
  getTokenUsage(): ITokenUsage;
  clearHistory(): void;
  setSystemPrompt(systemPrompt: string): void;
  getSystemPrompt(): string | undefined;
  getStatus(): IAgentStatus;
  /** One handler per id. */
  onEvent(id: string, handler: EventHandler): void;
  offEvent(id: string): void;
}

/** S2.48. */
export type PartialAgentConfig = Partial<IAgentConfig> & Pick<IAgentConfig, 'model' | 'workingDirectory'>;

/** S2.47. */
export interface IAgentFactory {
  createAgent(config: IAgentConfig): Promise<IAgent>;
  createSimpleAgent(model: string, workingDirectory: string, systemPrompt?: string): Promise<IAgent>;
}

/** S2.49. */
export function isAgent(obj: unknown): obj is IAgent {
  return hasMethods(obj, ['process', 'processOneTurn', 'getChat', 'getToolScheduler', 'getStatus', 'onEvent']);
}

/** S2.50, with the methods that S2.X names. */
export function isChat(obj: unknown): obj is IChat<any> {
  return hasMethods(obj, ['sendMessageStream', 'convertFromChunkItems', 'getHistory', 'addHistory']);
}

function hasMethods(obj: unknown, names: readonly string[]): boolean {
  if (typeof obj !== 'object' || obj === null) return false;
  return names.every((name) => typeof (obj as Record<string, unknown>)[name] === 'function');
}
