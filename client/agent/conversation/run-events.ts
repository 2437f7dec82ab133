import { setTimeout as delay } from 'node:timers/promises';
import type { AgentEvent } from '../../../contracts/events/agent-event';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { ILogger } from '../../../contracts/tasks/chat';
import { isTerminal } from '../../../contracts/events/log';
import { ClientError } from '../../port';
import { errorMessage } from '../tools/call-checks';
import type { Conversation, FoldedRecord } from './conversation';
import { EventQueue } from './event-queue';

/** An event with its place in the log; one that no record tells of has none. */
export interface PositionedEvent {
  event: AgentEvent;
  seq?: number | undefined;
}

interface RunParts {
  conversation: Conversation;
  /** Of the message that is being answered. */
  stepIndex: number;
  /** Sees everything that is read, also what belongs to other messages. */
  track: (told: FoldedRecord) => Promise<void>;
  /** That the answer needs further turns is no error. */
  isOneTurn: boolean;
  /** Asks the session to stop answering. Left out for who only listens: whoever goes then takes nothing away. */
  cancelTurn?: ((reason: string) => Promise<unknown>) | undefined;
  logger: ILogger;
}

const CANCEL_RETRY_MS = 100;
/** How long somebody who has gone may hold back the next message, when the session does not stop. */
const MAX_CANCEL_MS = 10_000;

/** The events of one run, as the log tells them, with what waits in this process between them. */
export class RunEvents {
  private readonly queue = new EventQueue<PositionedEvent>();
  private readonly reading = new AbortController();
  private hasStarted = false;

  constructor(private readonly parts: RunParts) {}

  /** No record tells of it: it takes its place by the time at which it comes. */
  push(event: AgentEvent): void {
    this.queue.push({ event });
  }

  /** Ends the reading here; what the session does goes on. */
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
      // Who stops reading wants no answer any more.
      if (this.queue.isOpen) {
        void this.stop('Nobody listens any more.');
        await Promise.race([pump, delay(MAX_CANCEL_MS, undefined, { ref: false })]);
      }
      this.reading.abort();
      await pump;
    }
  }

  private async pump(): Promise<void> {
    const { conversation, stepIndex, track: note } = this.parts;
    try {
      for await (const told of conversation.followStep(stepIndex, this.reading.signal)) {
        await note(told);
        if (this.isWanted(told)) this.queue.push({ event: told.frame!, seq: told.record.seq });
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

  /** The message may not have come to its turn yet: then there is nothing to cancel, and it is asked again. */
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
