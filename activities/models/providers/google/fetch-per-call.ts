import { AsyncLocalStorage } from 'node:async_hooks';

type Fetch = typeof globalThis.fetch;

const ownFetch = new AsyncLocalStorage<Fetch>();
let isInstalled = false;

/**
 * The VertexAI class calls the global `fetch` and takes neither a signal nor a fetch of ours. So the global one is
 * replaced once by one that passes every call on unchanged, except those made within `work`, which go to `fetch`.
 */
export function withFetch<T>(fetch: Fetch, work: () => Promise<T>): Promise<T> {
  if (!isInstalled) {
    const before = globalThis.fetch;
    globalThis.fetch = (input, init) => (ownFetch.getStore() ?? before)(input, init);
    isInstalled = true;
  }
  return ownFetch.run(fetch, work);
}
