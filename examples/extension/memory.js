// The started and answered calls, in storage that outlives this service worker (Chrome ends it at any time) but not the
// browser. The storage has an id: a new id shows the server that earlier calls are unknown.
const KEY = 'call:';
/** Calls that this service worker started, which may still end. */
const running = new Set();

export async function memoryId() {
  const { memoryId: known } = await chrome.storage.session.get('memoryId');
  if (known !== undefined) return known;
  const fresh = crypto.randomUUID();
  await chrome.storage.session.set({ memoryId: fresh });
  return fresh;
}

/** Records and runs a call unless it was started before; null when it is already running. */
export async function once(requestId, run) {
  const key = KEY + requestId;
  if (running.has(requestId)) return null;
  running.add(requestId);
  try {
    const { [key]: known } = await chrome.storage.session.get(key);
    if (known !== undefined) return known.result ?? lostWithWorker();
    await chrome.storage.session.set({ [key]: {} });
    const result = await run();
    await chrome.storage.session.set({ [key]: { result } }).catch(() => {});
    return result;
  } finally {
    running.delete(requestId);
  }
}

/** `undefined`: unknown. `null`: running. Otherwise its answer. */
export async function recall(requestId) {
  if (running.has(requestId)) return null;
  const { [KEY + requestId]: known } = await chrome.storage.session.get(KEY + requestId);
  return known === undefined ? undefined : (known.result ?? lostWithWorker());
}

export async function forget(requestId) {
  await chrome.storage.session.remove(KEY + requestId);
}

function lostWithWorker() {
  const error =
    'Chrome ended the extension while this was under way: whether it took effect is unknown. Look at the page before doing it again.';
  return { success: false, error };
}
