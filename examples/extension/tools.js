// The seven tools in the tab that is worked in.
import { computer } from './computer.js';
import { callPage, evaluate } from './tab.js';

const NAVIGATE_POLL_MS = 50;

/** The tab of this session: the one it used last, else the one the person looks at. */
async function workTab() {
  const { tabId } = await chrome.storage.session.get('tabId');
  const known = tabId === undefined ? undefined : await chrome.tabs.get(tabId).catch(() => undefined);
  if (known !== undefined) return known.id;
  const [active] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  const isUsable = /^(https?:|about:blank$)/.test(active?.url ?? '');
  const { id } = isUsable ? active : await chrome.tabs.create({ url: 'about:blank' });
  await chrome.storage.session.set({ tabId: id });
  return id;
}

export async function runTool({ tool, input, timeoutMs }) {
  const tabId = await workTab();
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
  const end = performance.now() + timeoutMs;
  for (;;) {
    const { status, url: now, pendingUrl, title } = await chrome.tabs.get(tabId);
    if (status === 'complete' && pendingUrl === undefined) return { success: true, output: `Now at ${now}: ${title}` };
    if (performance.now() > end) return { success: false, error: `The page at ${url} was not loaded in time.` };
    await new Promise((resolve) => setTimeout(resolve, NAVIGATE_POLL_MS));
  }
}
