/** The local stack can't start; the message says why and what to do. */
export class StackError extends Error {
  override name = 'StackError';
}

/** A child of the stack ended again and again before it was ready. */
export class ChildEnded extends StackError {}

/** Returns the reason of an error for such a message. */
export function stackReasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.message || error.name).split('\n')[0] ?? '';
}
