import type { CDPSession, Page } from 'playwright';
import type { Attachment } from '../../attach/attachment';
import { withinMs } from '../../../../runtime/time-limit';
import type { PageSearch } from '../../../secrets/session-values';
import { findHosts, openClosedRoots } from '../snapshots/closed-shadow-roots';
import { evaluateIn, type DevToolsWorld, type World } from '../isolated-worlds';
import { retryThroughNavigation } from '../retry-through-navigation';

const WORLD = 'surefoot-mask';
/** A page that navigates never answers; it must not hold up later screenshots. */
const ANSWER_LIMIT_MS = 4000;

/** One screenshot at a time: two that masked and unmasked the same field would show it. */
const turns = new WeakMap<Attachment, Promise<unknown>>();

/**
 * Runs `take` while every field and element with a secret is masked. The masking runs in an isolated world, so the
 * page's scripts neither learn the secrets nor undo it. The limit does not include waiting for earlier screenshots.
 */
export async function withMaskedSecrets<T>(
  attachment: Attachment,
  search: PageSearch,
  limitMs: number,
  take: () => Promise<T>,
): Promise<T> {
  const before = turns.get(attachment) ?? Promise.resolve();
  const taken = before.then(() => retryThroughNavigation(ANSWER_LIMIT_MS, () => takeMasked(attachment, search, take)));
  turns.set(
    attachment,
    taken.catch(() => {}),
  );
  await before;
  return await withinMs(limitMs, taken);
}

async function takeMasked<T>(attachment: Attachment, search: PageSearch, take: () => Promise<T>): Promise<T> {
  const worlds = await withinMs(ANSWER_LIMIT_MS, worldsOf(attachment, attachment.page));
  const picture = await takeWithMasks(worlds, search, take).catch((error: unknown) => error as Error);
  const ends = await Promise.allSettled(worlds.map((world) => withinMs(ANSWER_LIMIT_MS, call(world, unmaskSecrets))));
  if (picture instanceof Error) throw picture;
  const now = await withinMs(ANSWER_LIMIT_MS, worldsOf(attachment, attachment.page));
  const isSame = now.length === worlds.length && ends.every(({ status }) => status === 'fulfilled');
  // Another document was loaded meanwhile, which may show an unmasked secret.
  if (!isSame) throw new Error('The page kept changing, so secrets in it could not be masked.');
  return picture;
}

async function takeWithMasks<T>(worlds: readonly World[], search: PageSearch, take: () => Promise<T>): Promise<T> {
  const hidden = worlds.map(async (world) => {
    await openClosedRoots(world, () => evaluateIn(world, findHosts, null));
    await call(world, maskSecrets, search);
  });
  await withinMs(ANSWER_LIMIT_MS, Promise.all(hidden));
  return await withinMs(ANSWER_LIMIT_MS, take());
}

/** Creates an isolated world in each frame, also of other sites, whose frames have processes of their own. */
async function worldsOf(attachment: Attachment, page: Page): Promise<World[]> {
  if (!attachment.hasDevTools) return page.frames().map((frame) => ({ frame }));
  const main = await attachment.cdp(page);
  const inProcesses = await Promise.all(
    page
      .frames()
      .filter((frame) => frame !== page.mainFrame())
      .map((frame) => attachment.frameSession(frame)),
  );
  const sessions = [main, ...inProcesses.filter((session) => session !== undefined)];
  const worlds = await Promise.all(
    sessions.map(async (session) => {
      const { frameTree } = await session.send('Page.getFrameTree');
      return await Promise.all(framesIn(frameTree).map((frameId) => worldIn(session, frameId)));
    }),
  );
  return worlds.flat();
}

interface FrameTree {
  frame: { id: string };
  childFrames?: FrameTree[];
}

function framesIn({ frame, childFrames = [] }: FrameTree): string[] {
  return [frame.id, ...childFrames.flatMap(framesIn)];
}

async function worldIn(session: CDPSession, frameId: string): Promise<DevToolsWorld> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: WORLD });
  return { session, contextId: executionContextId, frameId };
}

/** Rejects where the document is not the one that was masked. */
async function call(world: World, run: (search: PageSearch) => unknown, search?: PageSearch): Promise<void> {
  if ('frame' in world) {
    const isSame = await evaluateIn(world, run as (search: unknown) => boolean, search ?? null);
    if (search === undefined && !isSame) throw new Error('The document is another one.');
    return;
  }
  const { session, contextId } = world;
  const { exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: run.toString(),
    executionContextId: contextId,
    arguments: search === undefined ? [] : [{ value: search }],
  });
  if (exceptionDetails !== undefined)
    throw new Error(`The page could not be searched for secrets: ${exceptionDetails.text}`);
}

type Home = typeof globalThis & { hidden?: [HTMLElement, string | null][] };

/** Runs in the isolated world of a frame. */
function maskSecrets({ pattern, folds }: PageSearch): void {
  const home = globalThis as Home;
  const hidden = (home.hidden ??= []);
  const secret = new RegExp(pattern);
  const fold = (text: string): string =>
    text
      .normalize('NFKD')
      .toUpperCase()
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/[^\p{L}\p{N}]/gu, '');
  const hasSecret = (text: string): boolean => {
    if (secret.test(text)) return true;
    if (folds.length === 0) return false;
    const plain = fold(text);
    return folds.some((each) => plain.includes(each));
  };
  const cover = (element: Element, style: Record<string, string>): void => {
    if (!('style' in element)) return;
    const shown = element as HTMLElement;
    hidden.push([shown, shown.getAttribute('style')]);
    for (const [name, value] of Object.entries({ ...style, transition: 'none', animation: 'none' }))
      shown.style.setProperty(name, value, 'important');
  };
  const searchText = (element: Element): void => {
    if (!hasSecret(element.textContent ?? '')) return;
    const inner = [...element.children].filter((child) => hasSecret(child.textContent ?? ''));
    if (inner.length > 0) inner.forEach(searchText);
    else cover(element.closest('select') ?? element, { opacity: '0' });
  };
  const search = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot !== null) search(element.shadowRoot);
      const { value, placeholder } = element as HTMLInputElement;
      if (typeof value === 'string' && hasSecret(value)) cover(element, { '-webkit-text-security': 'disc' });
      if (typeof placeholder === 'string' && hasSecret(placeholder)) cover(element, { opacity: '0' });
    }
    for (const element of root.children) searchText(element);
  };
  search(document);
}

/** Runs in the isolated world of a frame; returns whether this document was masked. */
function unmaskSecrets(): boolean {
  const home = globalThis as Home;
  const wasMasked = home.hidden !== undefined;
  // In reverse: an element that was masked twice gets its first style back.
  for (const [element, style] of (home.hidden ?? []).reverse()) {
    // Set first in any case: removing an attribute that was only set by property leaves an empty one behind.
    element.setAttribute('style', style ?? '');
    if (style === null) element.removeAttribute('style');
  }
  delete home.hidden;
  return wasMasked;
}
