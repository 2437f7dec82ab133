import { bytesOf } from '../json';

/** Of what is given at once: all of a start, or an addition of steps, as JSON. The API limits bodies to the same. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** Why a request is too large; undefined for one that is not. Temporal takes 2 MB in one payload, and a plan adds to it. */
export function sizeProblem(what: string, value: unknown): string | undefined {
  const bytes = bytesOf(value);
  if (bytes <= MAX_REQUEST_BYTES) return undefined;
  return `${what} takes ${bytes} bytes as JSON, and at most ${MAX_REQUEST_BYTES} (1 MB) are taken at once. Give fewer or shorter steps, and add the others later.`;
}
