// Access to a tab: the content script reads and fills in, the debugger does what only Chrome can do
// (real mouse and keys, pictures, scripts whatever the page's policy says).
const PROTOCOL_VERSION = '1.3';
const TAB_POLL_MS = 50;
const ANSWERS_WITHIN_MS = 3_000;
const BEGINS_WITHIN_MS = 150;
const SETTLES_WITHIN_MS = 8_000;
const READING = new Set(['readPage', 'find', 'pageText', 'locate']);
/** Whether the page navigated away during the call: it sent no answer, or its frame does not exist any more. */
const LEFT = /was left|was removed/i;
const attached = new Set();
chrome.debugger.onDetach.addListener(({ tabId }) => attached.delete(tabId));

export async function callPage(tabId, name, input) {
  // Element numbers are never reused, even across pages, so that a stale number can't match another element.
  const { nextId: firstId = 1 } = await chrome.storage.session.get('nextId');
  const ask = async () => {
    await chrome.scripting.executeScript({ target: { tabId }, files: ['page-tools.js'] });
    const [{ result }] = await chrome.scripting.executeScript({
      target: { tabId },
      func: (called, given) => globalThis.surefootPageTools[called](given),
      args: [name, { ...input, firstId }],
    });
    if (result === undefined || result === null) throw new Error('The page was left while it was asked.');
    return result;
  };
  const { nextId, ...answer } = await ask().catch((error) => {
    // A call that only reads is repeated on the new page; one that acts is not.
    if (!READING.has(name) || !LEFT.test(error.message)) throw error;
    return ask();
  });
  if (nextId !== undefined) await chrome.storage.session.set({ nextId });
  return answer;
}

export async function command(tabId, method, parameters) {
  if (!attached.has(tabId)) {
    await chrome.debugger.attach({ tabId }, PROTOCOL_VERSION).catch((error) => {
      // A restarted service worker is still attached.
      if (!/already attached/i.test(error.message)) throw error;
    });
    attached.add(tabId);
  }
  return await chrome.debugger.sendCommand({ tabId }, method, parameters);
}

export async function evaluate(tabId, expression) {
  const options = { expression, returnByValue: true, awaitPromise: true, userGesture: true };
  const { result, exceptionDetails } = await command(tabId, 'Runtime.evaluate', options);
  if (exceptionDetails !== undefined) {
    return { success: false, error: exceptionDetails.exception?.description ?? exceptionDetails.text };
  }
  return { success: true, output: result.value ?? result.description ?? String(result.type) };
}

/** Resolves to the tab when it has loaded or the time is over. */
export async function settled(tabId, timeoutMs) {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const tab = await chrome.tabs.get(tabId);
    if (tab.status !== 'loading' && tab.pendingUrl === undefined) return tab;
    if (performance.now() > end) return tab;
    await new Promise((resolve) => setTimeout(resolve, TAB_POLL_MS));
  }
}

/** Waits after a click or a key, so that the next read does not see the page that it leaves. */
export async function afterInput(tabId) {
  // A busy page may not have begun to navigate: wait until it answers.
  const answered = command(tabId, 'Runtime.evaluate', { expression: '0' }).catch(() => {});
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, ANSWERS_WITHIN_MS))]);
  await new Promise((resolve) => setTimeout(resolve, BEGINS_WITHIN_MS));
  await settled(tabId, SETTLES_WITHIN_MS);
}
