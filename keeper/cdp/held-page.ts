import { setTimeout as delay } from 'node:timers/promises';

const SLOW_AFTER_MS = 2000;
const HELD_AFTER_MS = 8000;
/** So long all of it may take, with the time in which a page that is opened again comes. */
export const HELD_LIMIT_MS = 20_000;

interface AdoptedPage {
  send(method: string, params?: object): Promise<unknown>;
  /** Resolves when the page answers. */
  answers: Promise<unknown>;
  isNavigating(): boolean;
}

interface History {
  currentIndex: number;
  entries: { url: string; transitionType: string }[];
}

/**
 * Chrome doesn't hand a dialog over that opened while nobody was attached, and nothing else tells such a page from one
 * that is slow: it gives no answer. Only another document frees it. False when the page is left as it is: a Chrome that
 * takes no worker then is given up, and the session goes on from its checkpoint.
 */
export async function unblockPage({ send: ask, answers, isNavigating }: AdoptedPage): Promise<boolean> {
  if (await isWithin(answers, SLOW_AFTER_MS)) return true;
  // It only waits for an answer, and another document would throw that away.
  if (isNavigating()) return false;
  await ask('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined);
  if (await isWithin(answers, HELD_AFTER_MS)) return true;
  const history = await ask('Page.getNavigationHistory').catch(() => undefined);
  const address = history === undefined ? undefined : reloadableUrl(history as History);
  if (address === undefined || isNavigating()) return false;
  // Never Page.reload: it would send the form again that a page is the answer to. An address is only read.
  await ask('Page.navigate', { url: address }).catch(() => undefined);
  return true;
}

/** How Chrome came to a page that was asked for by its address; of a form or a reload the method is not known. */
const READ = new Set(['address_bar', 'auto_bookmark', 'auto_toplevel', 'generated', 'keyword', 'link', 'typed']);

/** The address of a page that can be asked for again; none of one that may be the answer to a form, which came once. */
function reloadableUrl({ currentIndex, entries }: History): string | undefined {
  const address = entries[currentIndex]?.url.replace(/#.*/, '');
  // A step to a place within the page is a link, whatever the page is.
  for (const { url, transitionType } of entries.slice(0, currentIndex + 1).reverse()) {
    if (url.replace(/#.*/, '') !== address) break;
    if (!READ.has(transitionType)) return undefined;
  }
  return address;
}

async function isWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const late = new AbortController();
  const timer = delay(limitMs, false, { signal: late.signal }).catch(() => false);
  const isInTime = await Promise.race([work.then(() => true), timer]);
  late.abort();
  return isInTime;
}
