/** The local stack can't start; the message is a sentence for the person at the terminal, with the ways out. */
export class StackError extends Error {
  override name = 'StackError';
}

/** What went wrong, for the brackets in such a sentence. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.message || error.name).split('\n')[0] ?? '';
}
