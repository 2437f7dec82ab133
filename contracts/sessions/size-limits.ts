import { bytesOf } from '../json';

/** The most that one request may hold as JSON: a whole start, or steps to be added. It is the limit of bodies of the API. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** Steps that a workflow carries at once; the store has the others. */
export const MOST_CARRIED = 100;

/** Why a request is too large; undefined for one that is not. Temporal takes 2 MB in one payload, and a plan adds to it. */
export function sizeProblem(what: string, value: unknown): string | undefined {
  const bytes = bytesOf(value);
  if (bytes <= MAX_REQUEST_BYTES) return undefined;
  return `${what} takes ${bytes} bytes as JSON, and at most ${MAX_REQUEST_BYTES} (1 MB) are taken at once. Give fewer or shorter steps, and add the others later.`;
}
