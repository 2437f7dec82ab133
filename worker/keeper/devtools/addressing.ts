/**
 * The id and the session of a DevTools message, and where they stand in it: Chrome and Playwright write the id first and
 * the session last. So a message of megabytes gets another id without being parsed.
 */
export interface Address {
  /** Of a command, or of the command that is answered; events have none. */
  id?: number;
  session?: string;
  /** Where what is between the two begins and ends. */
  from: number;
  to: number;
}

const ID = /^\{"id":(\d{1,10})(?=[,}])/;
const SESSION = /,"sessionId":"([\w-]{1,64})"\}$/;
const HEAD_BYTES = 24;
const TAIL_BYTES = 96;
const CLOSING_BRACE = 0x7d;

/** Undefined for what does not end like a JSON object. */
export function devToolsAddress(message: Buffer): Address | undefined {
  if (message.at(-1) !== CLOSING_BRACE) return undefined;
  const head = ID.exec(message.toString('latin1', 0, HEAD_BYTES));
  const tail = SESSION.exec(message.toString('latin1', Math.max(0, message.length - TAIL_BYTES)));
  return {
    from: head?.[0].length ?? 0,
    to: message.length - (tail?.[0].length ?? 1),
    ...(head === null ? {} : { id: Number(head[1]) }),
    ...(tail === null ? {} : { session: tail[1]! }),
  };
}

/** The same message with the id and the session of `next`; without one where `next` has none. */
export function readdressed(message: Buffer, { from, to }: Address, next: { id?: number; session?: string }): Buffer {
  const head = next.id === undefined ? '' : `{"id":${next.id}`;
  const tail = next.session === undefined ? '}' : `,"sessionId":"${next.session}"}`;
  return Buffer.concat([Buffer.from(head), message.subarray(from, to), Buffer.from(tail)]);
}

/** A command with its address; undefined for what is no command. One that is written in another way is written anew. */
export function commandOf(given: Buffer): { message: Buffer; address: Address & { id: number } } | undefined {
  // A zero byte would end it within the pipe.
  if (given.includes(0)) return undefined;
  const address = devToolsAddress(given);
  const isUsual = address?.id !== undefined && (address.session !== undefined || !given.includes('"sessionId"'));
  const message = isUsual ? given : rewritten(given);
  const found = message === undefined ? undefined : devToolsAddress(message);
  if (message === undefined || found?.id === undefined) return undefined;
  return { message, address: { ...found, id: found.id } };
}

function rewritten(given: Buffer): Buffer | undefined {
  try {
    const { id, sessionId, ...rest } = JSON.parse(given.toString()) as Record<string, unknown>;
    return Buffer.from(JSON.stringify({ id, ...rest, sessionId }));
  } catch {
    return undefined;
  }
}
