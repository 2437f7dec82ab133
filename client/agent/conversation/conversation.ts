import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentConfigInput } from '../../../contracts/tasks/agent-config';
import type { TaskImage } from '../../../contracts/tasks/task-image';
import type { MessageItem } from '../../../contracts/tasks/chat';
import type { CallerKey } from '../../../contracts/sessions/model-connections';
import type { StartConfig } from '../../../contracts/sessions/config';
import { agentFormat, type AgentFrame } from '../../../contracts/events/formats/agent';
import { createEncoder } from '../../../contracts/events/formats/format';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { isTerminal, type LogRecord } from '../../../contracts/events/log';
import { DEFAULT_TENANT } from '../../../contracts/sessions/start-request';
import type { StepInput } from '../../../contracts/sessions/step-input';
import { DEFAULT_TIMEOUT_CONFIG } from '../../../contracts/sessions/timeouts';
import { sessionIdFromKey } from '../../../store/sessions/session-id';
import { ClientError, type Sessions } from '../../../service/port/port';
import type { AgentConnection } from '../connection';
import { followWithRetry, retryDuringOutage } from '../../../service/connection/retry-outages';

/** Between two questions whether a message that is pending has reached its session. */
const PENDING_MS = 500;

/** A record of the conversation's log with its frame in the agent format. */
export interface FoldedRecord {
  record: LogRecord;
  frame: AgentFrame | undefined;
}

/** Configuration of the session that the first message starts. */
export interface ConversationPlan {
  config: StartConfig;
  agent: { [K in keyof AgentConfigInput]: AgentConfigInput[K] | undefined };
}

/** A message to the model. */
export interface Message {
  text: string;
  /** Messages before it that the session does not have. */
  history?: readonly MessageItem[] | undefined;
  images?: readonly TaskImage[] | undefined;
  maxTurns: number;
  model?: string | undefined;
}

/**
 * A client of one session that stays open. The session is the conversation: this object has a position in its log and no
 * state that another process could not read.
 */
export class Conversation {
  /** Index of the step whose message is being answered. */
  openStep: number | undefined;
  private fold = createEncoder(agentFormat);

  private constructor(
    private readonly connection: AgentConnection,
    /** The caller's name of the session. */
    readonly name: string,
    /** Undefined before the first message. */
    public sessionId: string | undefined,
    readonly queue: string,
    /** Of the agent of this process; the model calls of its messages use no other's. */
    private readonly callerKey: CallerKey | undefined,
  ) {}

  /** Opens the session with this id, or the one that was started under this name; else the first message starts one. */
  static async open(
    connection: AgentConnection,
    name: string,
    callerKey: CallerKey | undefined,
  ): Promise<Conversation> {
    const known = (await findSessionId(connection, name)) ?? (await findSessionId(connection, toSessionId(name)));
    if (known === undefined)
      return new Conversation(connection, name, undefined, `surefoot-agent-${randomUUID()}`, callerKey);
    const row = await connection.store.sessions.get(known);
    const queue = row?.plan.config.agent?.clientQueue ?? `surefoot-agent-${known}`;
    return new Conversation(connection, name, known, queue, callerKey);
  }

  /** Seq of the last record that was read. */
  get cursor(): number {
    return this.fold.seq;
  }

  /** Sends a message as a step, which starts the session if there is none. Resolves to the index of the step. */
  async send(plan: ConversationPlan, { text, history = [], images = [], maxTurns, model }: Message): Promise<number> {
    const { sessions, store } = this.connection;
    const keepKey = (sessionId: string) => store.secrets.keepCallerKey(sessionId, this.callerKey);
    const timeoutMs = plan.config.timeouts?.workflowTimeoutMs ?? DEFAULT_TIMEOUT_CONFIG.workflowTimeoutMs;
    const step: StepInput = {
      task: text,
      ...(history.length === 0 ? {} : { history: [...history] }),
      ...(images.length === 0 ? {} : { images: [...images] }),
      maxSteps: maxTurns,
      timeoutMs,
      ...(model === undefined ? {} : { aiConfig: { model } }),
    };
    if (this.sessionId !== undefined) {
      await keepKey(this.sessionId);
      return await addMessage(sessions, this.sessionId, step);
    }
    const agent = { ...plan.agent, stayOpen: true, clientQueue: this.queue };
    // A start whose response is lost is repeated with the same idempotency key.
    const started = await retryDuringOutage(
      () =>
        sessions.start(
          { steps: [step], config: { ...plan.config, agent } },
          { idempotencyKey: toIdempotencyKey(this.name), join: keepKey },
        ),
      new AbortController().signal,
    );
    this.sessionId = started.sessionId;
    return 0;
  }

  /** Reads the records that are in the log now and were not read yet. */
  async catchUp(): Promise<FoldedRecord[]> {
    if (this.sessionId === undefined) return [];
    const read: FoldedRecord[] = [];
    const { lastSeq } = await this.connection.sessions.state(this.sessionId);
    while (this.cursor < lastSeq) {
      const records = await this.connection.sessions.events(this.sessionId, this.cursor, 1000);
      if (records.length === 0) break;
      read.push(...records.map((record) => this.foldRecord(record)));
    }
    return read;
  }

  /** Reads the whole log again, from its first record on. */
  async replay(): Promise<FoldedRecord[]> {
    this.fold = createEncoder(agentFormat);
    return await this.catchUp();
  }

  /** Follows the log from the current position to the end of the step, or of the session. */
  async *followStep(stepIndex: number, signal: AbortSignal): AsyncGenerator<FoldedRecord, void> {
    for await (const record of followWithRetry(this.connection.sessions, this.sessionId!, this.cursor, signal)) {
      yield this.foldRecord(record);
      if ((isStepEnd(record) && record.stepIndex === stepIndex) || isTerminal(record.type)) return;
    }
  }

  /** Frames carry the caller's name of the session. */
  private foldRecord(record: LogRecord): FoldedRecord {
    if (record.type === StreamEventType.STEP_STARTED) this.openStep = record.stepIndex;
    if (isStepEnd(record) || isTerminal(record.type)) this.openStep = undefined;
    return { record, frame: this.fold.encode({ ...record, sessionId: this.name }) };
  }
}

/** Adds a message as a step, once, and waits until the session has it: no worker may run now. Resolves to its index. */
async function addMessage(sessions: Sessions, sessionId: string, step: StepInput): Promise<number> {
  const never = new AbortController().signal;
  const options = { idempotencyKey: randomUUID() };
  for (;;) {
    const receipt = await retryDuringOutage(() => sessions.addSteps(sessionId, { steps: [step] }, options), never);
    if (receipt.messageState === 'applied') return receipt.totalSteps - 1;
    await delay(PENDING_MS);
  }
}

function isStepEnd({ type }: LogRecord): boolean {
  return type === StreamEventType.STEP_COMPLETED || type === StreamEventType.STEP_FAILED;
}

async function findSessionId({ sessions }: AgentConnection, name: string): Promise<string | undefined> {
  try {
    return (await sessions.state(name)).sessionId;
  } catch (error) {
    if (error instanceof ClientError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

function toIdempotencyKey(name: string): string {
  return `conversation:${name}`;
}

function toSessionId(name: string): string {
  return sessionIdFromKey(DEFAULT_TENANT, toIdempotencyKey(name));
}
