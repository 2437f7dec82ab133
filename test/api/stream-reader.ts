import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** Reads an SSE answer as a client does, frame by frame; nothing is read before it is asked for. */
export interface StreamReader {
  /** The next frame with data; undefined once the stream is closed. */
  next(): Promise<EventSourceMessage | undefined>;
  take(count: number): Promise<EventSourceMessage[]>;
  /** All frames up to the close. */
  rest(): Promise<EventSourceMessage[]>;
  readonly comments: string[];
  readonly retry: number | undefined;
  disconnect(): Promise<void>;
}

export function readStream(response: Response): StreamReader {
  if (response.body === null) throw new Error(`Expected a stream, got ${response.status} without a body.`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const frames: EventSourceMessage[] = [];
  const comments: string[] = [];
  let retry: number | undefined;
  const parser = createParser({
    onEvent: (frame) => frames.push(frame),
    onComment: (comment) => comments.push(comment),
    onRetry: (ms) => (retry = ms),
  });

  async function next(): Promise<EventSourceMessage | undefined> {
    while (frames.length === 0) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      parser.feed(decoder.decode(value, { stream: true }));
    }
    return frames.shift();
  }

  async function take(count: number): Promise<EventSourceMessage[]> {
    const taken: EventSourceMessage[] = [];
    for (let frame = await next(); frame !== undefined; frame = await next()) {
      taken.push(frame);
      if (taken.length === count) break;
    }
    return taken;
  }

  return {
    next,
    take,
    rest: () => take(Number.POSITIVE_INFINITY),
    comments,
    get retry() {
      return retry;
    },
    disconnect: () => reader.cancel(),
  };
}

export function seqsOf(frames: readonly EventSourceMessage[]): number[] {
  return frames.filter(({ event }) => event === undefined).map(({ id }) => Number(id));
}
