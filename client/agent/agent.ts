import { AgentEventType, type AgentEvent } from '../../contracts/events/agent-event';
import type { EventHandler, IAgent, IAgentConfig, IAgentStatus } from '../../contracts/tasks/agent';
import type { IChat, ILogger, ITokenUsage, MessageItem } from '../../contracts/tasks/chat';
import { LogLevel } from '../../contracts/tasks/chat';
import type { StartConfig } from '../../contracts/sessions/config';
import type { IToolScheduler } from '../../contracts/tools/tool-call';
import type { ITool } from '../../contracts/tools/tool';
import { createChat } from './conversation/chat';
import type { AgentConnection } from './connection';
import { callSafely } from './call-safely';
import { toText } from './conversation/history';
import { createLogger } from './logger';
import { errorMessage } from './tools/call-checks';
import { OpenSession, type UserMessage } from './conversation/open-session';
import { SessionScheduler } from './tools/session-scheduler';
import { TokenTracker } from './conversation/token-tracker';
import type { ToolSchedulerConfig } from './tools/tool-scheduler';

export interface AgentOptions {
  config: IAgentConfig;
  connection: AgentConnection;
  /** Tools of this process, beside those that Surefoot has. */
  scheduler?: ToolSchedulerConfig | undefined;
  systemPrompt?: string | undefined;
  initialHistory?: readonly MessageItem[] | undefined;
  /** Of the model's window. */
  tokenLimit?: number | undefined;
  /** S2.A12: model turns that one message may take. */
  maxTurns?: number | undefined;
  /** Names of the tools the model may use; left out, all that there are. */
  tools?: readonly string[] | undefined;
  /** Further settings of the sessions that this agent starts. */
  session?: StartConfig | undefined;
}

const DEFAULT_MAX_TURNS = 10;
const DEFAULT_TOKEN_LIMIT = 128_000;

/**
 * S2.46 over sessions that stay open: what this process is told and tells stands in their log and store, so that the
 * conversation outlives it, and another process goes on with it under the same session id. One run at a time (S2.A13).
 * `close` ends what this process keeps open, not the conversation.
 */
export class Agent implements IAgent {
  private readonly handlers = new Map<string, EventHandler>();
  private readonly sessions = new Map<string, Promise<OpenSession>>();
  private readonly logger: ILogger;
  private readonly tracker: TokenTracker;
  private readonly scheduler: SessionScheduler;
  private readonly chat: IChat<MessageItem>;
  private current: OpenSession | undefined;
  private systemPrompt: string | undefined;
  private readonly addedHistory: MessageItem[] = [];
  private model: string;
  private isRunning = false;
  private lastUpdateTime = Date.now();
  private readonly tokenLimit: number;

  constructor(private readonly options: AgentOptions) {
    const { config } = options;
    this.model = config.model;
    this.tokenLimit = options.tokenLimit ?? DEFAULT_TOKEN_LIMIT;
    this.systemPrompt = options.systemPrompt;
    this.logger =
      config.logger ?? createLogger({ level: config.debugMode === true ? LogLevel.DEBUG : config.logLevel });
    this.tracker = new TokenTracker(this.tokenLimit, this.logger);
    this.scheduler = new SessionScheduler(
      { logger: this.logger, ...options.scheduler, onToolCallsUpdate: (calls) => this.forwardToolCalls(calls) },
      {
        onToolsChanged: () => this.changeSessions((session) => session.changeTools()),
        decide: async (...answer) => await this.current?.decide(...answer),
        cancelCall: async (...call) => (await this.current?.cancelCall(...call)) ?? false,
      },
    );
    this.chat = createChat({
      history: (curated) => [...(this.current?.history(curated) ?? []), ...this.addedHistory],
      clear: () => this.clearHistory(),
      add: (items) => void this.addedHistory.push(...items),
      sendTurn: (message, promptId) =>
        this.processOneTurn(this.sessionName(promptId), message, new AbortController().signal),
      systemPrompt: { get: () => this.systemPrompt, set: (prompt) => this.setSystemPrompt(prompt) },
      tracker: this.tracker,
      isRunning: () => this.isRunning,
      model: { get: () => this.modelInfo(), set: (model) => this.changeModel(model) },
    });
  }

  /** S2.R14: from the message on to the end of its last turn. */
  process(userInput: string, sessionId: string, abortSignal: AbortSignal): AsyncGenerator<AgentEvent> {
    const maxTurns = this.options.maxTurns ?? DEFAULT_MAX_TURNS;
    return this.runExclusively(sessionId, abortSignal, (session, stop) =>
      session.send({ text: userInput, maxTurns, ...this.messageContext(session) }, stop),
    );
  }

  /** S2.R15: the tools that the turn calls are run; what they gave, the next turn is told. */
  processOneTurn(sessionId: string, { content }: MessageItem, abortSignal: AbortSignal): AsyncGenerator<AgentEvent> {
    return this.runExclusively(sessionId, abortSignal, (session, stop) =>
      session.send({ text: toText(content), maxTurns: 1, isOneTurn: true, ...this.messageContext(session) }, stop),
    );
  }

  /**
   * What a session is doing, told to a process that has not asked for it: everything after the place in its log that a
   * reader has come to (`cursor`), each event once, to the end of the message that is being answered. Ends at once where
   * nothing is being done.
   */
  attach(sessionId: string, abortSignal: AbortSignal, after = 0): AsyncGenerator<AgentEvent> {
    return this.runExclusively(sessionId, abortSignal, (session, stop) => session.attach(after, stop));
  }

  /** The place in the log of the session up to which its events have been told: where another process attaches. */
  get cursor(): number {
    return this.current?.cursor ?? 0;
  }

  /** Ends the tools and connections of this process. Its sessions stay open. */
  async close(): Promise<void> {
    this.scheduler.cancelAll('The process of the caller ends.');
    const opened = await Promise.allSettled(this.sessions.values());
    await Promise.all(opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value.close()] : [])));
  }

  getChat(): IChat<MessageItem> {
    return this.chat;
  }

  getToolList(): ITool[] {
    return this.scheduler.getToolList();
  }

  getTool(toolName: string): ITool | undefined {
    return this.scheduler.getTool(toolName);
  }

  registerTool(tool: ITool): void {
    this.scheduler.registerTool(tool);
  }

  removeTool(toolName: string): boolean {
    return this.scheduler.removeTool(toolName);
  }

  getToolScheduler(): IToolScheduler {
    return this.scheduler;
  }

  getTokenUsage(): ITokenUsage {
    return this.tracker.getUsage();
  }

  clearHistory(): void {
    this.addedHistory.length = 0;
    this.changeSessions((session) => session.clearHistory());
  }

  setSystemPrompt(systemPrompt: string): void {
    this.systemPrompt = systemPrompt;
    this.changeSessions((session) => session.changeSystemPrompt(systemPrompt));
  }

  getSystemPrompt(): string | undefined {
    return this.systemPrompt;
  }

  getStatus(): IAgentStatus {
    // A key is for the workers' settings, and is passed on to nobody.
    const { apiKey: _apiKey, ...config } = this.options.config;
    return {
      isRunning: this.isRunning,
      currentTurn: this.current?.turn ?? 0,
      historySize: this.chat.getHistory().length,
      config,
      lastUpdateTime: this.lastUpdateTime,
      tokenUsage: this.getTokenUsage(),
      modelInfo: this.modelInfo(),
    };
  }

  onEvent(id: string, handler: EventHandler): void {
    this.handlers.set(id, handler);
  }

  offEvent(id: string): void {
    this.handlers.delete(id);
  }

  /** S2.A13, and one way to tell what went wrong: as an event, the last one. */
  private async *runExclusively(
    name: string,
    abortSignal: AbortSignal,
    events: (session: OpenSession, stop: AbortSignal) => AsyncGenerator<AgentEvent>,
  ): AsyncGenerator<AgentEvent> {
    if (this.isRunning) {
      yield this.emit(errorEvent('The agent is already processing a message; wait for its end, or cancel it.', 0));
      return;
    }
    this.isRunning = true;
    try {
      const session = await this.open(name);
      this.current = session;
      for await (const event of events(session, abortSignal)) yield this.emit(event);
    } catch (error) {
      this.logger.error(`The agent could not go on: ${errorMessage(error)}`);
      yield this.emit(errorEvent(errorMessage(error), this.current?.turn ?? 0));
    } finally {
      this.isRunning = false;
    }
  }

  private emit(event: AgentEvent): AgentEvent {
    this.lastUpdateTime = Date.now();
    for (const [id, handler] of this.handlers) callSafely(this.logger, `The event handler ${id}`, () => handler(event));
    return event;
  }

  private open(name: string): Promise<OpenSession> {
    const known = this.sessions.get(name);
    if (known !== undefined) return known;
    const { config, connection, session = {}, scheduler = {}, tools } = this.options;
    const { maxHistorySize, maxHistoryTokens, model } = config;
    const opened = OpenSession.open({
      connection,
      name,
      scheduler: this.scheduler,
      tracker: this.tracker,
      logger: this.logger,
      plan: () => ({
        config: { ...session, aiConfig: { ...session.aiConfig, model } },
        agent: {
          ...session.agent,
          ...(tools === undefined ? {} : { tools: [...tools] }),
          ...(scheduler.approvalMode === undefined ? {} : { approvalMode: scheduler.approvalMode }),
          ...(scheduler.approvalTimeoutMs === undefined ? {} : { approvalTimeoutMs: scheduler.approvalTimeoutMs }),
          ...(this.systemPrompt === undefined ? {} : { systemPrompt: this.systemPrompt }),
          ...(maxHistorySize === undefined ? {} : { maxHistorySize }),
          ...(maxHistoryTokens === undefined ? {} : { maxHistoryTokens }),
        },
      }),
    });
    this.sessions.set(name, opened);
    opened.catch(() => this.sessions.delete(name));
    return opened;
  }

  /** What goes along with the next message; what was said elsewhere goes once, when the message has. */
  private messageContext({ isNew }: OpenSession): Pick<UserMessage, 'previousMessages' | 'onSent' | 'model'> {
    const remembered = [...this.addedHistory];
    return {
      previousMessages: isNew ? [...(this.options.initialHistory ?? []), ...remembered] : remembered,
      onSent: () => void this.addedHistory.splice(0, remembered.length),
      model: this.model,
    };
  }

  private sessionName(promptId: string): string {
    return this.current?.name ?? this.options.config.sessionId ?? promptId;
  }

  private changeSessions(make: (session: OpenSession) => void): void {
    for (const opened of this.sessions.values()) void opened.then(make, () => {});
  }

  private changeModel(model: string): boolean {
    if (model === this.model) return false;
    this.model = model;
    return true;
  }

  private modelInfo(): { model: string; tokenLimit: number } {
    return { model: this.model, tokenLimit: this.tokenLimit };
  }

  private forwardToolCalls(calls: Parameters<NonNullable<ToolSchedulerConfig['onToolCallsUpdate']>>[0]): void {
    this.current?.emitConfirmations(calls);
    const told = this.options.scheduler?.onToolCallsUpdate;
    if (told !== undefined) callSafely(this.logger, 'onToolCallsUpdate', () => told(calls));
  }
}

function errorEvent(message: string, turn: number): AgentEvent {
  const timestamp = Date.now();
  return { type: AgentEventType.Error, data: { message, timestamp, turn }, timestamp };
}
