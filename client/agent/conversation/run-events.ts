import { setTimeout as delay } from 'node:timers/promises';
import type { AgentEvent } from '../../../contracts/agents/agent-event';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { ILogger } from '../../../contracts/tasks/chat';
import { isTerminal } from '../../../contracts/events/log';
import { ClientError } from '../../../service/port/port';
import type { Conversation, FoldedRecord } from './conversation';
import { EventQueue } from './event-queue';
import { errorMessage } from '../../../contracts/errors/error-message';

/** An event with the seq of its record; an event of this process has no record. */
export interface PositionedEvent {
  event: AgentEvent;
  seq?: number | undefined;
}

interface RunParts {
  conversation: Conversation;
  /** Index of the step whose message is being answered. */
  stepIndex: number;
  /** Called with each record that is read, also those of other messages. */
  track: (record: FoldedRecord) => Promise<void>;
  /** The run ends after one turn; that the task needs further turns is no error. */
  isOneTurn: boolean;
  /** Cancels the response in the session. Undefined for a run that only attached: leaving it cancels nothing. */
  cancelTurn?: ((reason: string) => Promise<unknown>) | undefined;
  logger: ILogger;
}

const CANCEL_RETRY_MS = 100;
/** After a consumer has left, the next message waits at most so long for the session to cancel the response. */
const MAX_CANCEL_MS = 10_000;

/** The events of one run: those of the log, and between them those of calls that wait in this process. */
export class RunEvents {
  private readonly queue = new EventQueue<PositionedEvent>();
  private readonly reading = new AbortController();
  private hasStarted = false;

  constructor(private readonly parts: RunParts) {}

  /** Adds an event without a record at the current position. */
  push(event: AgentEvent): void {
    this.queue.push({ event });
  }

  /** Stops reading; the session continues. */
  detach(): void {
    this.reading.abort();
    this.queue.end();
  }

  async *read(signal: AbortSignal): AsyncGenerator<PositionedEvent, void> {
    const onAbort = (): void => void this.stop(reasonOf(signal));
    const pump = this.pump();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      yield* this.queue.read();
    } finally {
      signal.removeEventListener('abort', onAbort);
      // A consumer that leaves the loop cancels the response.
      if (this.queue.isOpen) {
        void this.stop('The consumer of the events has left.');
        await Promise.race([pump, delay(MAX_CANCEL_MS, undefined, { ref: false })]);
      }
      this.reading.abort();
      await pump;
    }
  }

  private async pump(): Promise<void> {
    const { conversation, stepIndex, track } = this.parts;
    try {
      for await (const read of conversation.followStep(stepIndex, this.reading.signal)) {
        await track(read);
        if (this.isWanted(read)) this.queue.push({ event: read.frame!, seq: read.record.seq });
      }
      this.queue.end();
    } catch (error) {
      this.queue.fail(error);
    }
  }

  private isWanted({ record, frame }: FoldedRecord): boolean {
    const { stepIndex, isOneTurn } = this.parts;
    const { type, facts } = record;
    if (record.stepIndex === stepIndex && type === StreamEventType.STEP_STARTED) this.hasStarted = true;
    if (frame === undefined) return false;
    const isOurs =
      record.stepIndex === undefined ? this.hasStarted || isTerminal(type) : record.stepIndex === stepIndex;
    const isOutOfTurns = facts?.kind === 'task-end' && facts.status === 'max_steps';
    return isOurs && !(isOneTurn && isOutOfTurns);
  }

  /** Cancels the response. Retries while the step has not started, as there is no response to cancel yet. */
  private async stop(reason: string): Promise<void> {
    const { cancelTurn, logger } = this.parts;
    if (cancelTurn === undefined) return this.reading.abort();
    while (!this.reading.signal.aborted && this.queue.isOpen) {
      try {
        await cancelTurn(reason);
        return;
      } catch (error) {
        const mayPass = error instanceof ClientError && ['wrong-state', 'unavailable'].includes(error.kind);
        if (!mayPass) return logger.error(`The response could not be cancelled: ${errorMessage(error)}`);
        await delay(CANCEL_RETRY_MS);
      }
    }
  }
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'Cancelled by the user.';
}
