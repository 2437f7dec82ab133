/** Mouse and key events: Chrome answers them when the page has received them. */
const INPUT = '"method":"Input.';
/** Chrome writes the id of an answer first, and the method of an event. */
const ID = /^\{"id":(-?\d+)/;
const TARGET_ENDED = /^\{"method":"(?:Target\.detachedFromTarget|Inspector\.targetCrashed)"/;
const HEAD_BYTES = 64;

interface InputCommand {
  id: number;
  method: string;
  sessionId?: string;
}

/** The input commands of one CDP connection that Chrome has not answered, by the session of their target. */
export class UnansweredInput {
  private readonly sessions = new Map<number, string | undefined>();

  get isEmpty(): boolean {
    return this.sessions.size === 0;
  }

  /** A message to Chrome. */
  sent(data: Buffer): void {
    if (!data.includes(INPUT)) return;
    const { id, method, sessionId } = JSON.parse(data.toString()) as InputCommand;
    if (method.startsWith('Input.')) this.sessions.set(id, sessionId);
  }

  /** A message from Chrome; returns the id of the command that it answers. */
  received(data: Buffer): number | undefined {
    const head = data.toString('latin1', 0, HEAD_BYTES);
    const id = ID.exec(head)?.[1];
    if (id !== undefined) {
      this.sessions.delete(Number(id));
      return Number(id);
    }
    if (this.isEmpty || !TARGET_ENDED.test(head)) return undefined;
    // A page that is gone answers nothing any more.
    const event = JSON.parse(data.toString()) as { sessionId?: string; params: { sessionId?: string } };
    const ended = event.params.sessionId ?? event.sessionId;
    for (const [sent, session] of this.sessions) if (session === ended) this.sessions.delete(sent);
    return undefined;
  }
}
