import { withinMs } from '../../../runtime/time-limit';

const SLOW_AFTER_MS = 2000;
const HELD_AFTER_MS = 8000;
/** Limit for all of it, including the load of a page that is opened again. */
export const HELD_LIMIT_MS = 20_000;

interface AdoptedPage {
  send(method: string, params?: object): Promise<unknown>;
  /** Settles when the page answers. */
  answers: Promise<unknown>;
  isNavigating(): boolean;
}

interface History {
  currentIndex: number;
  entries: { url: string; transitionType: string }[];
}

/**
 * Unblocks a page that answers nothing. Chrome does not report a dialog that opened while nobody was attached, and
 * such a page looks like a slow one; only another document frees it. Resolves to false when the page is left alone:
 * if that Chrome then accepts no worker, it is given up and the session continues from its checkpoint.
 */
export async function unblockPage({ send: ask, answers, isNavigating }: AdoptedPage): Promise<boolean> {
  if (await isWithin(answers, SLOW_AFTER_MS)) return true;
  // It only waits for a response, which another document would discard.
  if (isNavigating()) return false;
  await ask('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined);
  if (await isWithin(answers, HELD_AFTER_MS)) return true;
  const history = await ask('Page.getNavigationHistory').catch(() => undefined);
  const address = history === undefined ? undefined : reloadableUrl(history as History);
  if (address === undefined || isNavigating()) return false;
  // Never Page.reload: it would send a form again. An address is only read.
  await ask('Page.navigate', { url: address }).catch(() => undefined);
  return true;
}

/** Transitions to a page that was requested by its address; of a form or a reload the method is unknown. */
const READ = new Set(['address_bar', 'auto_bookmark', 'auto_toplevel', 'generated', 'keyword', 'link', 'typed']);

/** The address of a page that can be requested again; undefined for one that may be the response to a form. */
function reloadableUrl({ currentIndex, entries }: History): string | undefined {
  const address = entries[currentIndex]?.url.replace(/#.*/, '');
  // A navigation within the page counts as a link, whatever the page is.
  for (const { url, transitionType } of entries.slice(0, currentIndex + 1).reverse()) {
    if (url.replace(/#.*/, '') !== address) break;
    if (!READ.has(transitionType)) return undefined;
  }
  return address;
}

async function isWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  return await withinMs(limitMs, work).then(
    () => true,
    () => false,
  );
}
