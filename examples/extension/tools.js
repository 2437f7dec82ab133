// The seven tools in the tab of the session.
import { computer } from './computer.js';
import { callPage, evaluate, settled } from './tab.js';

const BLANK_TAB_TIMEOUT_MS = 5_000;

// A tab that Chrome unloads to save memory may get another id.
chrome.tabs.onReplaced.addListener(async (added, removed) => {
  const { tabId } = await chrome.storage.session.get('tabId');
  if (tabId === removed) await chrome.storage.session.set({ tabId: added });
});

/** Returns the tab of this session: the last used one, else the active one. */
async function workTab(timeoutMs) {
  const { tabId } = await chrome.storage.session.get('tabId');
  const known = tabId === undefined ? undefined : await chrome.tabs.get(tabId).catch(() => undefined);
  if (known !== undefined) {
    // Chrome unloads background tabs and tabs whose page has crashed.
    if (known.status === 'unloaded') await chrome.tabs.reload(known.id).then(() => settled(known.id, timeoutMs));
    return known.id;
  }
  const [active] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  const isUsable = /^(https?:|about:blank$)/.test(active?.url ?? '');
  const { id } = isUsable ? active : await chrome.tabs.create({ url: 'about:blank' });
  // A tab that navigates while its first page is still being created may crash.
  if (!isUsable) await settled(id, BLANK_TAB_TIMEOUT_MS);
  await chrome.storage.session.set({ tabId: id });
  return id;
}

export async function runTool({ tool, input, timeoutMs }) {
  const tabId = await workTab(timeoutMs);
  switch (tool) {
    case 'read_page':
      return await callPage(tabId, 'readPage', input);
    case 'find':
      return await callPage(tabId, 'find', input);
    case 'form_input':
      return await callPage(tabId, 'formInput', input);
    case 'get_page_text':
      return await callPage(tabId, 'pageText', input);
    case 'computer':
      return await computer(tabId, input);
    case 'navigate':
      return await navigate(tabId, String(input.url), timeoutMs);
    case 'javascript_tool':
      return await evaluate(tabId, String(input.expression));
    default:
      return { success: false, error: `There is no tool ${tool} in this browser.` };
  }
}

async function navigate(tabId, url, timeoutMs) {
  if (url === 'back') await chrome.tabs.goBack(tabId);
  else if (url === 'forward') await chrome.tabs.goForward(tabId);
  else if (/^https?:\/\//.test(url)) await chrome.tabs.update(tabId, { url });
  else return { success: false, error: `Expected an http or https address, back or forward, got ${url}.` };
  const { status, url: now, title } = await settled(tabId, timeoutMs);
  if (status === 'complete') return { success: true, output: `Now at ${now}: ${title}` };
  if (status === 'loading') return { success: false, error: `The page at ${url} was not loaded in time.` };
  return { success: false, error: `Chrome has unloaded the tab while ${url} was loading. Navigate there again.` };
}
