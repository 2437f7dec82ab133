import { AgentEventType, type AgentEvent } from '../../../contracts/agents/agent-event';
import type { AgentConfigInput } from '../../../contracts/tasks/agent-config';
import type { TaskImage } from '../../../contracts/tasks/task-image';
import type { ILogger, ITokenTracker, MessageItem } from '../../../contracts/tasks/chat';
import { ToolCallStatus } from '../../../contracts/tools/tool-call';
import type { ToolConfirmationPayload } from '../../../contracts/tools/tool';
import type { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';
import { ClientError } from '../../../service/port/port';
import { CallStateReporter } from '../tools/call-state-reporter';
import type { CallerKey } from '../../../contracts/sessions/model-connections';
import type { AgentConnection } from '../connection';
import { Conversation, type ConversationPlan, type FoldedRecord } from './conversation';
import { toHistory } from './history';
import { REJECTED } from '../../../contracts/approvals/approval-policy';
import { toToolDeclaration, createToolRunner } from '../tools/process-tools';
import { RunEvents } from './run-events';
import type { SessionScheduler } from '../tools/session-scheduler';
import { startToolWorker, type ToolWorker } from '../tools/tool-worker';
import { errorMessage } from '../../../contracts/errors/error-message';

interface OpenSessionParts {
  connection: AgentConnection;
  name: string;
  scheduler: SessionScheduler;
  tracker: ITokenTracker;
  logger: ILogger;
  plan: () => ConversationPlan;
  callerKey: CallerKey | undefined;
}

export interface UserMessage {
  text: string;
  /** Messages before it that the session does not have. */
  previousMessages?: readonly MessageItem[] | undefined;
  images?: readonly TaskImage[] | undefined;
  maxTurns: number;
  isOneTurn?: boolean;
  model?: string | undefined;
  /** Called when the session has taken the message. */
  onSent?: (() => void) | undefined;
}

/** A conversation that an agent of this process has open. */
export class OpenSession {
  turn = 0;
  cursor = 0;
  private trackedSeq = 0;
  private worker: Promise<ToolWorker> | undefined;
  private run: RunEvents | undefined;
  /** Ids of approvals that are pending in the session, by call id. */
  private readonly approvals = new Map<string, string>();
  private readonly emittedConfirmations = new Set<string>();
  private messages: { curated: MessageItem[]; whole: MessageItem[] } = { curated: [], whole: [] };
  /** Changes run one after the other; the next message is sent after them. */
  private changes: Promise<void> = Promise.resolve();

  private constructor(
    private readonly parts: OpenSessionParts,
    private readonly conversation: Conversation,
  ) {}

  static async open(parts: OpenSessionParts): Promise<OpenSession> {
    const conversation = await Conversation.open(parts.connection, parts.name, parts.callerKey);
    const session = new OpenSession(parts, conversation);
    for (const read of await conversation.catchUp()) await session.track(read);
    parts.scheduler.sessionCalls.forgetEnded();
    session.cursor = conversation.cursor;
    await session.readHistory();
    session.changeToPlan();
    return session;
  }

  get name(): string {
    return this.conversation.name;
  }

  /** The session is not started: no message was sent. */
  get isNew(): boolean {
    return this.conversation.sessionId === undefined;
  }

  history(curated: boolean): MessageItem[] {
    return curated ? this.messages.curated : this.messages.whole;
  }

  async *send(
    { previousMessages = [], isOneTurn = false, onSent, ...message }: UserMessage,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    if (signal.aborted) return yield cancelledEvent(this.name);
    await this.changes;
    await this.startToolWorker();
    this.parts.scheduler.sessionCalls.forgetEnded();
    const { config, agent } = this.parts.plan();
    const plan = { config, agent: { ...agent, clientTools: this.declarations() } };
    const stepIndex = await this.conversation.send(plan, { ...message, history: previousMessages });
    onSent?.();
    // Until the conversation is read again.
    const { curated, whole } = this.messages;
    this.messages = { curated: [...curated, ...previousMessages], whole: [...whole, ...previousMessages] };
    const { sessions } = this.parts.connection;
    yield* this.follow(stepIndex, signal, isOneTurn, (reason) =>
      sessions.cancelTurn(this.conversation.sessionId!, { reason }),
    );
  }

  /** Yields the events after a position in the log, then live events while a message is being answered. */
  async *attach(after: number, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    if (this.conversation.sessionId === undefined) return;
    await this.changes;
    await this.startToolWorker();
    for (const read of await this.conversation.replay()) {
      await this.track(read);
      const { frame, record } = read;
      if (frame === undefined || record.seq <= after) continue;
      this.cursor = record.seq;
      yield frame;
    }
    const { openStep } = this.conversation;
    if (openStep !== undefined && !signal.aborted) yield* this.follow(openStep, signal, false);
  }

  /** Emits a confirmation for each call that waits in this process, which has no record in the log. */
  emitConfirmations(): void {
    // A run emits the calls that wait when it starts.
    if (this.run === undefined) return;
    for (const call of this.parts.scheduler.ownToolCalls()) {
      const { callId, name: toolName, args } = call.request;
      if (call.status !== ToolCallStatus.AwaitingApproval || this.emittedConfirmations.has(callId)) continue;
      this.emittedConfirmations.add(callId);
      const { onConfirm: _onConfirm, ...confirmationDetails } = call.confirmationDetails;
      const data = { callId, toolName, confirmationDetails, sessionId: this.name, turn: this.turn, args };
      this.run.push({ type: AgentEventType.ToolConfirmation, data, timestamp: Date.now() });
    }
  }

  async decide(callId: string, outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload): Promise<void> {
    const approvalId = this.approvals.get(callId);
    if (approvalId === undefined) return;
    const newContent = payload === undefined ? {} : { newContent: payload.newContent };
    const { sessions } = this.parts.connection;
    await this.ignoreLate(callId, () => sessions.decideApproval({ approvalId, outcome, ...newContent }));
  }

  async cancelCall(callId: string, reason: string): Promise<boolean> {
    const { sessionId } = this.conversation;
    const { sessions } = this.parts.connection;
    return (
      sessionId !== undefined &&
      (await this.ignoreLate(callId, () => sessions.cancelCall(sessionId, { callId, reason })))
    );
  }

  /** Resolves to false where the call was already decided or cancelled, which is no error. */
  private async ignoreLate(callId: string, ask: () => Promise<unknown>): Promise<boolean> {
    try {
      await ask();
      return true;
    } catch (error) {
      if (!(error instanceof ClientError) || !['wrong-state', 'not-found'].includes(error.kind)) throw error;
      this.parts.logger.debug(`The decision about ${callId} came too late: ${error.message}`);
      return false;
    }
  }

  /** Replaces the configuration of the previous process; the tools only where this process has tools. */
  private changeToPlan(): void {
    const { tools, systemPrompt, maxHistorySize, maxHistoryTokens } = this.parts.plan().agent;
    const wanted = { tools, systemPrompt, maxHistorySize, maxHistoryTokens };
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length > 0) this.changeAgent(() => given);
    if (this.parts.scheduler.getToolList().length > 0) this.changeTools();
  }

  changeTools(): void {
    this.changeAgent(() => ({ clientTools: this.declarations() }));
  }

  changeSystemPrompt(systemPrompt: string): void {
    this.changeAgent(() => ({ systemPrompt }));
  }

  clearHistory(): void {
    this.messages = { curated: [], whole: [] };
    this.enqueueChange((sessionId) => this.parts.connection.store.messages.clear(sessionId));
  }

  async close(keep: boolean): Promise<void> {
    this.run?.detach();
    await this.changes;
    const { sessionId } = this.conversation;
    const { connection, logger } = this.parts;
    // The queue is polled until the session knows that it ends: a call that it still makes gets its answer.
    if (!keep && sessionId !== undefined)
      await this.ignoreLate('the conversation', () => connection.sessions.close(sessionId)).catch((error: unknown) =>
        logger.warn(`The conversation could not be ended: ${errorMessage(error)}`),
      );
    await (await this.worker)?.stop();
    this.worker = undefined;
  }

  private async *follow(
    stepIndex: number,
    signal: AbortSignal,
    isOneTurn: boolean,
    cancelTurn?: (reason: string) => Promise<unknown>,
  ): AsyncGenerator<AgentEvent> {
    const { conversation, parts } = this;
    const track = (read: FoldedRecord): Promise<void> => this.track(read);
    this.run = new RunEvents({ conversation, stepIndex, track, isOneTurn, cancelTurn, logger: parts.logger });
    this.emitConfirmations();
    try {
      for await (const { event, seq } of this.run.read(signal)) {
        this.cursor = seq ?? this.cursor;
        yield event;
      }
      await this.readHistory();
    } finally {
      this.run = undefined;
    }
  }

  /** Updates turn, approvals and token usage from a record; each record counts once. */
  private async track({ record, frame }: FoldedRecord): Promise<void> {
    if (record.seq <= this.trackedSeq) return;
    this.trackedSeq = record.seq;
    const { facts, at } = record;
    if (facts !== undefined) this.parts.scheduler.follow(facts, at);
    const turn = frame?.turn ?? (frame?.data as { turn?: unknown } | undefined)?.turn;
    if (typeof turn === 'number') this.turn = Math.max(this.turn, turn);
    if (facts?.kind === 'approval') this.approvals.set(facts.callId, facts.approvalId);
    if (facts?.kind === 'result') {
      this.approvals.delete(facts.callId);
      await this.parts.scheduler.asked.end(facts.callId, facts.isUnrun === true && facts.summary.startsWith(REJECTED));
    }
    if (facts?.kind === 'reply' && facts.end !== 'failed') {
      const { inputTokens, outputTokens, cachedTokens } = facts.usage;
      const totalTokens = inputTokens + outputTokens;
      this.parts.tracker.updateUsage({ inputTokens, inputTokenDetails: { cachedTokens }, outputTokens, totalTokens });
    }
    if (frame?.type === AgentEventType.TurnComplete && this.run !== undefined) await this.readHistory();
  }

  private async readHistory(): Promise<void> {
    const { sessionId } = this.conversation;
    if (sessionId === undefined) return;
    try {
      const stored = await this.parts.connection.store.messages.conversation(sessionId);
      this.messages = { curated: toHistory(stored, true), whole: toHistory(stored) };
    } catch (error) {
      this.parts.logger.warn(`The conversation could not be read now: ${errorMessage(error)}`);
    }
  }

  private declarations() {
    const { scheduler } = this.parts;
    return scheduler.getToolList().map((tool) => toToolDeclaration(tool, scheduler.asksInSession));
  }

  /** Polls the queue before the session can schedule a call on it. */
  private async startToolWorker(): Promise<void> {
    const { scheduler, connection } = this.parts;
    if (this.worker !== undefined || scheduler.getToolList().length === 0) return;
    const callStates = new CallStateReporter(connection.sessions);
    this.worker = startToolWorker({
      temporal: connection.temporal,
      queue: this.conversation.queue,
      run: createToolRunner(scheduler, { callStates, asked: scheduler.asked }),
      ask: (call, signal) => scheduler.asked.ask(call, signal),
      onRepeated: (call) => callStates.reportAgain(call),
    });
    this.worker.catch(() => (this.worker = undefined));
    await this.worker;
  }

  /** Changes a started session; one that is not started is started with the current plan. */
  private changeAgent(create: () => AgentConfigInput): void {
    this.enqueueChange((sessionId) => this.parts.connection.store.sessions.configureAgent(sessionId, create()));
  }

  private enqueueChange(make: (sessionId: string) => Promise<void>): void {
    this.changes = this.changes.then(async () => {
      const { sessionId } = this.conversation;
      try {
        if (sessionId !== undefined) await make(sessionId);
      } catch (error) {
        this.parts.logger.error(`The conversation could not be changed: ${errorMessage(error)}`);
      }
    });
  }
}

function cancelledEvent(sessionId: string): AgentEvent {
  const data = { type: 'user_cancelled', reason: 'Cancelled before it was sent.', sessionId };
  return { type: AgentEventType.UserCancelled, data, timestamp: Date.now() };
}
