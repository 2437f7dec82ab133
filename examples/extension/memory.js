// What was begun and answered, in storage that outlives this service worker (Chrome ends it when it likes) but not the
// browser. Its id is made with it: with another id the server knows that everything before is forgotten.
const KEY = 'call:';
/** Begun by this very worker, so that it still may end. */
const running = new Set();

export async function memoryId() {
  const { memoryId: known } = await chrome.storage.session.get('memoryId');
  if (known !== undefined) return known;
  const fresh = crypto.randomUUID();
  await chrome.storage.session.set({ memoryId: fresh });
  return fresh;
}

/** Runs it unless it was begun before; null when it runs elsewhere already. It is written down before it runs. */
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

/** `undefined`: never heard of. `null`: at work on it. Else its answer. */
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
