import { AgentEventType } from '../../contracts/events/agent-event';
import type { NewRecord } from '../../contracts/events/log';
import type { SessionValues } from '../secrets/session-values';
import { turnId, type TurnPosition } from '../models/steps/reply-records';
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
 * Tells the log of a reply of a task while it is being written. Ids carry activity id, attempt and call; what of it counts
 * no more is said by the `response.start` of the call that takes its place.
 */
export function turnStream(
  values: Pick<SessionValues, 'redact' | 'secretPattern' | 'maxSecretLength'>,
): typeof createReplyStream {
  return (place, writer, append, refused): ReplyStream => {
    let call = 0;
    let chunk = 0;
    let waiting: { kind: Kind; text: string } | undefined;
    let veil: StreamRedactor = createStreamRedactor(values);
    let timer: NodeJS.Timeout | undefined;
    let written: Promise<void> = Promise.resolve();

    const send = (): void => {
      clearTimeout(timer);
      timer = undefined;
      if (waiting === undefined || waiting.text === '') return;
      const { kind, text } = waiting;
      waiting = { kind, text: '' };
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
    /** What the veil has held back of one kind is told before the other begins. */
    const turnTo = (kind: Kind): { kind: Kind; text: string } => {
      if (waiting?.kind === kind) return waiting;
      finish();
      waiting = { kind, text: '' };
      return waiting;
    };
    const finish = (): void => {
      if (waiting !== undefined) waiting.text += veil.end();
      send();
      waiting = undefined;
    };
    const tell = (kind: Kind, text: string): void => {
      const isFirst = waiting?.kind !== kind;
      turnTo(kind).text += veil.add(text);
      if (isFirst) send();
      else timer ??= setTimeout(send, COALESCE_MS);
    };

    return {
      delta: (text) => tell('text', text),
      thought: (text) => tell('thinking', text),
      async discarded() {
        clearTimeout(timer);
        timer = undefined;
        waiting = undefined;
        veil = createStreamRedactor(values);
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

function deltaRecord(place: TurnPosition, kind: Kind, content: string, id: string): NewRecord {
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
