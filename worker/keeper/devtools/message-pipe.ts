import type { KeeperEnds } from './pipes';

/** Whole messages to and from one Chrome: each ends with a zero byte, which JSON does not contain. */
export interface MessagePipe {
  send(message: Buffer): void;
  /** False while Chrome has yet to read much of what was sent. */
  readonly isWritable: boolean;
  /** Calls back once it is writable again. */
  onceWritable(callback: () => void): void;
  /** Lets go of the Chrome, which runs on. */
  close(): void;
  /** Resolves when the Chrome has ended or `close` was called. */
  readonly closed: Promise<void>;
}

const MAX_UNREAD_BYTES = 1024 * 1024;
const END = Buffer.of(0);

/** `received` is called for every message; the first one may be the rest of one that an earlier keeper began to read. */
export function openMessagePipe({ commands, answers }: KeeperEnds, received: (message: Buffer) => void): MessagePipe {
  const waiting = new Set<() => void>();
  let begun: Buffer[] = [];
  let isOpen = true;
  let markClosed = (): void => {};
  const closed = new Promise<void>((resolve) => (markClosed = resolve));

  const close = (): void => {
    isOpen = false;
    commands.destroy();
    answers.destroy();
    markClosed();
  };
  const callWaiting = (): void => {
    if (commands.writableLength >= MAX_UNREAD_BYTES) return;
    for (const callback of waiting) callback();
    waiting.clear();
  };
  // An error means that no Chrome reads any more; that its answers have ended says so too.
  commands.on('error', () => {}).on('drain', callWaiting);
  answers.on('error', close).on('end', close).on('close', close);
  answers.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(0); end !== -1 && isOpen; end = chunk.indexOf(0, from)) {
      const piece = chunk.subarray(from, end);
      const message = begun.length === 0 ? piece : Buffer.concat([...begun, piece]);
      begun = [];
      from = end + 1;
      received(message);
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  });
  // Ends what an earlier keeper may have written of a message when it died; Chrome refuses half a message.
  commands.write(END);

  return {
    closed,
    close,
    get isWritable() {
      return commands.writableLength < MAX_UNREAD_BYTES;
    },
    onceWritable: (callback) => void waiting.add(callback),
    send(message) {
      if (!isOpen) return;
      commands.write(Buffer.concat([message, END]));
    },
  };
}
