import type { CDPSession, Frame, Page } from 'playwright';
import type { Attachment } from '../attach/attachment';
import { evaluateInUtilityWorld } from '../attach/utility-world';

/** Playwright's isolated world of a frame: it sees the document, and no script of the page sees it. */
export type World = DevToolsWorld | FrameWorld;

/** In a browser without DevTools. */
interface FrameWorld {
  frame: Frame;
}

export interface DevToolsWorld {
  session: CDPSession;
  contextId: number;
  frameId: string;
  /** The world of the page's own scripts in the same frame. */
  mainContextId?: number | undefined;
}

interface Context {
  id: number;
  name: string;
  auxData?: { frameId?: string; isDefault?: boolean };
}

const PREFIX = '__playwright_utility_world';
const EVALUATE_LIMIT_MS = 10_000;
const known = new WeakMap<Page, DevToolsWorld[]>();
/** Whether a page has navigated since its worlds were listed. */
const hasNavigated = new WeakMap<Page, boolean>();

/**
 * The worlds of the page in front, one a frame, in which Playwright takes snapshots and searches selectors. Empty
 * where there is none: the page is then seen as it is.
 */
export async function worldsOf(attachment: Attachment): Promise<World[]> {
  if (attachment.hasDevTools) return await devToolsWorldsOf(attachment);
  return attachment.page.frames().map((frame) => ({ frame }));
}

/** Those of a Chrome. Rejects in another browser. */
export async function devToolsWorldsOf(attachment: Attachment): Promise<DevToolsWorld[]> {
  const { page } = attachment;
  const cached = cachedWorlds(page);
  // Enumerating the worlds repeats the page's console messages, so known ones are only probed.
  if (cached !== undefined && (await Promise.all(cached.map(isInView))).every((isThere) => isThere)) return cached;
  if (!hasNavigated.has(page)) page.on('framenavigated', () => hasNavigated.set(page, true));
  hasNavigated.set(page, false);
  const found = await findWorlds(attachment, page);
  known.set(page, found);
  return found;
}

/** The worlds of the page as they were listed last, where it has not navigated since: most likely they are still there. */
export function likelyWorldsOf(page: Page): World[] | undefined {
  return hasNavigated.get(page) === true ? undefined : cachedWorlds(page);
}

function cachedWorlds(page: Page): DevToolsWorld[] | undefined {
  const cached = known.get(page) ?? [];
  return cached.length > 0 && cached.length === page.frames().length ? cached : undefined;
}

/** Has the worlds of the page looked for anew. */
export function forgetWorlds(page: Page): void {
  known.delete(page);
}

async function isInView({ session, contextId }: DevToolsWorld): Promise<boolean> {
  const expression = `document.visibilityState === 'visible'`;
  return await session.send('Runtime.evaluate', { contextId, expression, returnByValue: true }).then(
    ({ result }) => result.value === true,
    () => false,
  );
}

async function findWorlds(attachment: Attachment, page: Page): Promise<DevToolsWorld[]> {
  const main = await attachment.cdp(page);
  const frames = page.frames();
  const worlds = await worldsIn(main);
  if (worlds.length >= frames.length) return worlds;
  // Frames of another site run in a process, and a session, of their own.
  const others = await Promise.all(frames.slice(1).map((frame) => attachment.frameSession(frame)));
  const inOthers = await Promise.all(others.flatMap((session) => (session === undefined ? [] : [worldsIn(session)])));
  return [...worlds, ...inOthers.flat()];
}

/**
 * Lists the worlds of a session. Of two worlds of a frame the newer is this client's: another client may have left
 * one.
 */
async function worldsIn(session: CDPSession): Promise<DevToolsWorld[]> {
  const newest = new Map<string, number>();
  const main = new Map<string, number>();
  const note = ({ context }: { context: Context }): void => {
    const { frameId, isDefault } = context.auxData ?? {};
    if (frameId === undefined) return;
    if (isDefault === true) main.set(frameId, context.id);
    if (context.name.startsWith(PREFIX)) newest.set(frameId, Math.max(context.id, newest.get(frameId) ?? 0));
  };
  session.on('Runtime.executionContextCreated', note);
  try {
    await session.send('Runtime.enable');
  } catch {
    // The frame is gone.
    return [];
  } finally {
    session.off('Runtime.executionContextCreated', note);
    session.send('Runtime.disable').catch(() => {});
  }
  return [...newest].map(([frameId, contextId]) => ({ session, contextId, frameId, mainContextId: main.get(frameId) }));
}

/** Runs a self-contained function in the world; resolves to its result by value. */
export async function evaluateIn<A, R>(world: World, work: (input: A) => R | Promise<R>, input: A): Promise<R> {
  return await evaluateSource(world, `(${work.toString()})(${JSON.stringify(input)})`);
}

/** Evaluates an expression in the world; resolves to its result by value. */
export async function evaluateSource<R>(world: World, expression: string): Promise<R> {
  if ('frame' in world) return (await evaluateInUtilityWorld(world.frame, expression, EVALUATE_LIMIT_MS)) as R;
  const { session, contextId } = world;
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId,
    expression,
    returnByValue: true,
    awaitPromise: true,
  });
  if (exceptionDetails !== undefined)
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text, { cause: exceptionDetails });
  return result.value as R;
}
