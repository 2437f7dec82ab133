import { ProviderError } from './provider-error';

/** What a provider answered instead of an answer. SDKs lose parts of it (the headers, a body that is no JSON). */
export interface Refusal {
  status: number;
  body: string;
  retryAfter: string | null;
}

/** One call's own way to the network, given to the vendor's SDK as its `fetch`. */
export interface Wire {
  fetch: typeof globalThis.fetch;
  /** Aborts with the caller's signal, and when nothing has come for too long. */
  signal: AbortSignal;
}

/** What is known of a call that failed, beside what the SDK threw. */
export interface Outcome {
  /** False: it failed before anything was sent, so it is about credentials or settings. */
  isSent: boolean;
  refusal: Refusal | undefined;
}

/** Before anybody replaces it. */
const networkFetch = globalThis.fetch;

/**
 * Runs one call of an SDK over a wire of its own, so that what matters does not depend on the SDK: an abort closes the
 * socket, a stream that stalls is given up, and a refusal keeps its status, its Retry-After and its words. `translate`
 * gets what the SDK threw and what came of it on the wire.
 */
export async function overWire<T>(
  { signal, idleMs }: { signal: AbortSignal; idleMs: number },
  work: (wire: Wire) => Promise<T>,
  translate: (error: unknown, outcome: Outcome) => Error,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const onAbort = () => own.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort(stalled(idleMs)), idleMs);
  };
  const outcome: Outcome = { isSent: false, refusal: undefined };
  const wire: Wire = {
    signal: own.signal,
    async fetch(input, init) {
      outcome.isSent = true;
      const signals = init?.signal == null ? [own.signal] : [own.signal, init.signal];
      const response = await networkFetch(input, { ...init, signal: AbortSignal.any(signals) });
      alive();
      if (response.ok) return watched(response, alive);
      const body = await response.text();
      outcome.refusal = { status: response.status, body, retryAfter: response.headers.get('retry-after') };
      return withBody(response, body);
    },
  };
  alive();
  // An SDK may wait for something that knows of no signal, such as a token of its own.
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
    // Whatever the SDK has left open is closed with the call.
    if (!own.signal.aborted) own.abort(new Error('The call has ended.'));
  }
}

function stalled(idleMs: number): ProviderError {
  return new ProviderError('stalled', `The model wrote nothing for ${idleMs} ms, so the call was given up.`);
}

function watched(response: Response, alive: () => void): Response {
  if (response.body === null) return response;
  const chunks = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      alive();
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

/** What the network did, in words, when that is why it failed: the reason is often several causes deep. */
export function networkProblem(error: unknown): string | undefined {
  const words: string[] = [];
  // A cause may also be no error of ours by `instanceof`, or a text.
  let each = error as { code?: unknown; message?: unknown; cause?: unknown } | null | undefined;
  for (let depth = 0; typeof each?.message === 'string' && depth < 6; depth += 1) {
    words.push(`${typeof each.code === 'string' ? each.code : ''} ${each.message}`.trim());
    each = each.cause as typeof each;
  }
  return words.findLast((text) => NETWORK.test(text));
}
