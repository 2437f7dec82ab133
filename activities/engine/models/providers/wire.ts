import { ProviderError } from './provider-error';

/** An HTTP response with an error status. SDKs lose parts of it: headers, and a body that is no JSON. */
export interface RefusedResponse {
  status: number;
  body: string;
  retryAfter: string | null;
}

/** The network access of one call, given to the vendor's SDK as `fetch`. */
export interface Wire {
  fetch: typeof globalThis.fetch;
  /** Aborts with the caller's signal, and when the call took `timeoutMs`. */
  signal: AbortSignal;
}

/** What was observed of a failed call, beside the SDK's error. */
export interface ObservedFailure {
  /** False where the call failed before anything was sent: the cause is credentials or settings. */
  isSent: boolean;
  refusal: RefusedResponse | undefined;
}

/**
 * Runs one call of an SDK over its own `fetch`, so that the same holds for every SDK: an abort closes the socket, a call
 * that takes too long is aborted, and an error response keeps its status, Retry-After and body. `translate` makes the error to throw
 * from the SDK's error and the observed outcome.
 */
export async function overWire<T>(
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  work: (wire: Wire) => Promise<T>,
  translate: (error: unknown, outcome: ObservedFailure) => Error,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const onAbort = () => own.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  let isAnswering = false;
  const timer = setTimeout(() => own.abort(isAnswering ? overdue(timeoutMs) : stalled(timeoutMs)), timeoutMs);
  const outcome: ObservedFailure = { isSent: false, refusal: undefined };
  const wire: Wire = {
    signal: own.signal,
    async fetch(input, init) {
      outcome.isSent = true;
      const signals = init?.signal == null ? [own.signal] : [own.signal, init.signal];
      const response = await globalThis.fetch(input, { ...init, signal: AbortSignal.any(signals) });
      if (response.ok) return watched(response, () => (isAnswering = true));
      const body = await response.text();
      outcome.refusal = { status: response.status, body, retryAfter: response.headers.get('retry-after') };
      return withBody(response, body);
    },
  };
  // An SDK may wait for something without the signal, such as an access token.
  const aborted = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(wire), aborted]);
  } catch (error) {
    if (own.signal.aborted) throw own.signal.reason;
    throw error instanceof ProviderError ? error : translate(error, outcome);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    // Closes what the SDK has left open.
    if (!own.signal.aborted) own.abort(new Error('The call has ended.'));
  }
}

function stalled(timeoutMs: number): ProviderError {
  return new ProviderError('stalled', `The model sent nothing for ${timeoutMs} ms, so the call was aborted.`);
}

function overdue(timeoutMs: number): ProviderError {
  return new ProviderError('overdue', `The model was still writing after ${timeoutMs} ms, so the call was aborted.`);
}

const ONLY_COMMENTS = /^(?:\s|:[^\n]*(?:\n|$))*$/;

function watched(response: Response, received: () => void): Response {
  if (response.body === null) return response;
  const chunks = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      // A comment keeps the connection alive, and is no answer.
      if (!ONLY_COMMENTS.test(Buffer.from(chunk).toString())) received();
      controller.enqueue(chunk);
    },
  });
  return withBody(response, response.body.pipeThrough(chunks));
}

function withBody({ status, statusText, headers }: Response, body: string | ReadableStream): Response {
  return new Response(body, { status, statusText, headers });
}

const NETWORK =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR|CERT|SSL|TLS|terminated|fetch failed/i;

/** Whether no connection was made, or one that was made has broken. */
export function networkKind(problem: string): 'unreachable' | 'cut' {
  return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/.test(problem) ? 'unreachable' : 'cut';
}

/** Finds the network error behind a failure, which is often several causes deep. */
export function networkProblem(error: unknown): string | undefined {
  const words: string[] = [];
  // A cause may be an error of another realm, or a text.
  let each = error as { code?: unknown; message?: unknown; cause?: unknown } | null | undefined;
  for (let depth = 0; typeof each?.message === 'string' && depth < 6; depth += 1) {
    words.push(`${typeof each.code === 'string' ? each.code : ''} ${each.message}`.trim());
    each = each.cause as typeof each;
  }
  return words.findLast((text) => NETWORK.test(text));
}
