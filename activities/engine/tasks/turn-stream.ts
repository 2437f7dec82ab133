import { AgentEventType } from '../../../contracts/agents/agent-event';
import type { NewRecord } from '../../../contracts/events/log';
import type { SessionValues } from '../../secrets/session-values';
import { turnId } from '../models/replies/reply-records';
import type { TurnKey } from '../../../store/models/messages';
import type { createReplyStream, ReplyStream } from '../models/replies/reply-stream';
import { createStreamRedactor, type StreamRedactor } from './stream-redaction';

/** Deltas that come within this time are one record. */
const COALESCE_MS = 40;

/** Thoughts are the first chunk of every reply, its text the second, and its calls follow. */
export const CHUNK = { thinking: 0, text: 1, firstCall: 2 } as const;

type Kind = 'text' | 'thinking';
const TYPE = {
  text: AgentEventType.ResponseChunkTextDelta,
  thinking: AgentEventType.ResponseChunkThinkingDelta,
} as const;

/**
 * Writes the reply of a task to the log while the model writes it. Ids have the activity id, attempt and call; the
 * `response.start` of a later call says that the deltas of the earlier one are stale.
 */
export function turnStream(values: Pick<SessionValues, 'redact' | 'wholeUntil'>): typeof createReplyStream {
  return (place, writer, append, refused): ReplyStream => {
    let call = 0;
    let chunk = 0;
    let pending: { kind: Kind; text: string } | undefined;
    let redactor: StreamRedactor = createStreamRedactor(values);
    let timer: NodeJS.Timeout | undefined;
    let written: Promise<void> = Promise.resolve();

    const send = (): void => {
      clearTimeout(timer);
      timer = undefined;
      if (pending === undefined || pending.text === '') return;
      const { kind, text } = pending;
      pending = { kind, text: '' };
      const record = deltaRecord(place, kind, text, `${chunk}/${writer.activityId}.${writer.attempt}.${call}`);
      chunk += 1;
      written = written.then(async () => {
        try {
          await append([{ ...record, attempt: writer.attempt }]);
        } catch (error) {
          refused(error);
        }
      });
    };
    /** Writes what the redactor has held back of one kind before the other begins. */
    const turnTo = (kind: Kind): { kind: Kind; text: string } => {
      if (pending?.kind === kind) return pending;
      finish();
      pending = { kind, text: '' };
      return pending;
    };
    const finish = (): void => {
      if (pending !== undefined) pending.text += redactor.end();
      send();
      pending = undefined;
    };
    const add = (kind: Kind, text: string): void => {
      const isFirst = pending?.kind !== kind;
      turnTo(kind).text += redactor.add(text);
      if (isFirst) send();
      else timer ??= setTimeout(send, COALESCE_MS);
    };

    return {
      delta: (text) => add('text', text),
      thought: (text) => add('thinking', text),
      async discarded() {
        clearTimeout(timer);
        timer = undefined;
        pending = undefined;
        redactor = createStreamRedactor(values);
        await written;
      },
      callEnded() {
        finish();
        call += 1;
        chunk = 0;
      },
      async flush() {
        finish();
        await written;
      },
    };
  };
}

function deltaRecord(place: TurnKey, kind: Kind, content: string, id: string): NewRecord {
  return {
    eventId: `${turnId(place)}/delta/${id}`,
    owner: 'ai-integration',
    type: TYPE[kind],
    at: new Date().toISOString(),
    stepIndex: place.stepIndex,
    turn: place.turn,
    data: {},
    facts: { kind, content, chunkIdx: CHUNK[kind] },
  };
}
