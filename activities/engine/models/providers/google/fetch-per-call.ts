import { AsyncLocalStorage } from 'node:async_hooks';

type Fetch = typeof globalThis.fetch;

const fetchOfCall = new AsyncLocalStorage<Fetch>();
let isInstalled = false;

/**
 * Runs `work` so that its calls of the global `fetch` go to this `fetch`; all others stay unchanged. The VertexAI class
 * uses the global one and accepts neither a signal nor another fetch.
 */
export function withFetch<T>(fetch: Fetch, work: () => Promise<T>): Promise<T> {
  if (!isInstalled) {
    const before = globalThis.fetch;
    globalThis.fetch = (input, init) => (fetchOfCall.getStore() ?? before)(input, init);
    isInstalled = true;
  }
  return fetchOfCall.run(fetch, work);
}
