import { AgentEventType, type AgentEvent } from '../../contracts/agents/agent-event';
import type { EventHandler, IAgent, IAgentStatus } from '../../contracts/agents/agent';
import type { CallerKey } from '../../contracts/sessions/model-connections';
import type { IChat, ILogger, ITokenUsage, MessageItem } from '../../contracts/tasks/chat';
import { LogLevel } from '../../contracts/tasks/chat';
import type { IToolScheduler } from '../../contracts/tools/tool-call';
import type { ITool } from '../../contracts/tools/tool';
import { createChat } from './conversation/chat';
import { callerKeyOf, conversationPlan, type AgentOptions } from './agent-options';
import { callSafely } from './call-safely';
import { toText } from './conversation/history';
import { assertHistory, messageImages } from './conversation/message-images';
import { createAgentLogger } from './logger';
import { OpenSession, type UserMessage } from './conversation/open-session';
import { SessionScheduler } from './tools/session-scheduler';
import { TokenTracker } from './conversation/token-tracker';
import type { ToolSchedulerConfig } from './tools/tool-scheduler';
import { errorMessage } from '../../contracts/errors/error-message';

const DEFAULT_MAX_TURNS = 10;
const DEFAULT_TOKEN_LIMIT = 128_000;

/**
 * S2.46 on sessions that stay open. Messages, replies and results lie in the log and the store, so the conversation
 * outlives the death of this process, and another process continues it under the same session id. One run at a time (S2.A13).
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
  private initialHistory: readonly MessageItem[];
  private readonly callerKey: CallerKey | undefined;
  private model: string;
  private isRunning = false;
  private lastUpdateTime = Date.now();
  private readonly tokenLimit: number;

  constructor(private readonly options: AgentOptions) {
    const { config } = options;
    this.callerKey = callerKeyOf(config);
    this.model = config.model;
    this.tokenLimit = options.tokenLimit ?? DEFAULT_TOKEN_LIMIT;
    this.systemPrompt = options.systemPrompt;
    this.initialHistory = options.initialHistory ?? [];
    assertHistory(this.initialHistory);
    this.logger =
      config.logger ?? createAgentLogger({ level: config.debugMode === true ? LogLevel.DEBUG : config.logLevel });
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
      history: (curated) => [...this.givenHistory(), ...(this.current?.history(curated) ?? []), ...this.addedHistory],
      clear: () => this.clearHistory(),
      add: (items) => {
        // Refused here, before the item is part of every later message.
        assertHistory([...this.addedHistory, ...items]);
        this.addedHistory.push(...items);
      },
      sendTurn: (message, promptId) =>
        this.processOneTurn(this.sessionName(promptId), message, new AbortController().signal),
      systemPrompt: { get: () => this.systemPrompt, set: (prompt) => this.setSystemPrompt(prompt) },
      tracker: this.tracker,
      isRunning: () => this.isRunning,
      model: { get: () => this.modelInfo(), set: (model) => this.changeModel(model) },
    });
  }

  /** S2.R14: yields the events from the message to the end of its last turn. */
  process(userInput: string, sessionId: string, abortSignal: AbortSignal): AsyncGenerator<AgentEvent> {
    const maxTurns = this.options.maxTurns ?? DEFAULT_MAX_TURNS;
    return this.runExclusively(sessionId, abortSignal, (session, stop) =>
      session.send({ text: userInput, maxTurns, ...this.messageContext(session) }, stop),
    );
  }

  /** S2.R15: runs one model turn and the tools that it calls; the next turn gets their results. */
  processOneTurn(sessionId: string, message: MessageItem, abortSignal: AbortSignal): AsyncGenerator<AgentEvent> {
    return this.runExclusively(sessionId, abortSignal, (session, stop) => {
      const sent = { text: toText(message.content), images: messageImages(message), maxTurns: 1, isOneTurn: true };
      return session.send({ ...sent, ...this.messageContext(session) }, stop);
    });
  }

  /**
   * Joins a session whose message another process has sent: yields the events after the position `after` of its log, each
   * once, until the message is answered. Ends at once where no message is being answered.
   */
  attach(sessionId: string, abortSignal: AbortSignal, after = 0): AsyncGenerator<AgentEvent> {
    return this.runExclusively(sessionId, abortSignal, (session, stop) => session.attach(after, stop));
  }

  /** Position in the session's log of the last event that was yielded: another process attaches after it. */
  get cursor(): number {
    return this.current?.cursor ?? 0;
  }

  /**
   * Stops the tools and connections of this process, and ends its sessions when they have done what they were sent. With `keep`
   * they stay open for the next process, until they are idle for too long.
   */
  async close({ keep = false }: { keep?: boolean } = {}): Promise<void> {
    this.scheduler.cancelOwn('The process that runs this tool is stopping.');
    const opened = await Promise.allSettled(this.sessions.values());
    await Promise.all(opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value.close(keep)] : [])));
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
    this.initialHistory = [];
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
    // The key is shown to nobody.
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

  /** Refuses a second run (S2.A13). An exception becomes the last event of the run. */
  private async *runExclusively(
    name: string,
    abortSignal: AbortSignal,
    events: (session: OpenSession, stop: AbortSignal) => AsyncGenerator<AgentEvent>,
  ): AsyncGenerator<AgentEvent> {
    if (this.isRunning) {
      yield this.emit(
        errorEvent('The agent is already processing a message; wait until it is answered, or cancel it.', 0),
      );
      return;
    }
    this.isRunning = true;
    try {
      const session = await this.open(name);
      this.current = session;
      for await (const event of events(session, abortSignal)) yield this.emit(event);
    } catch (error) {
      this.logger.error(`The agent could not continue: ${errorMessage(error)}`);
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
    const opened = OpenSession.open({
      connection: this.options.connection,
      name,
      scheduler: this.scheduler,
      tracker: this.tracker,
      logger: this.logger,
      plan: () => conversationPlan(this.options, this.systemPrompt),
      callerKey: this.callerKey,
    });
    this.sessions.set(name, opened);
    opened.catch(() => this.sessions.delete(name));
    return opened;
  }

  /** Adds the history that the session does not have; it is sent once, with the next message that arrives. */
  private messageContext({ isNew }: OpenSession): Pick<UserMessage, 'previousMessages' | 'onSent' | 'model'> {
    const added = [...this.addedHistory];
    return {
      previousMessages: isNew ? [...this.initialHistory, ...added] : added,
      onSent: () => void this.addedHistory.splice(0, added.length),
      model: this.model,
    };
  }

  /** What the next session begins with; one that is started has it. */
  private givenHistory(): readonly MessageItem[] {
    return this.current === undefined || this.current.isNew ? this.initialHistory : [];
  }

  private sessionName(promptId: string): string {
    return this.current?.name ?? this.options.config.sessionId ?? promptId;
  }

  private changeSessions(make: (session: OpenSession) => void): void {
    const { current } = this;
    // At once: its history is read right after it was cleared.
    if (current !== undefined) make(current);
    for (const opened of this.sessions.values())
      void opened.then(
        (session) => {
          if (session !== current) make(session);
        },
        () => {},
      );
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
    this.current?.emitConfirmations();
    const { onToolCallsUpdate } = this.options.scheduler ?? {};
    callSafely(this.logger, 'onToolCallsUpdate', () => onToolCallsUpdate?.(calls));
  }
}

function errorEvent(message: string, turn: number): AgentEvent {
  const timestamp = Date.now();
  return { type: AgentEventType.Error, data: { message, timestamp, turn }, timestamp };
}
