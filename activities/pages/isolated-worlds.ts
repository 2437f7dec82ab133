import type { CDPSession, Page } from 'playwright';
import type { Attachment } from '../browsers/attachment';

/** Playwright's own world of a frame: it sees the document, and no script of the page sees it. */
export interface World {
  session: CDPSession;
  contextId: number;
}

interface Context {
  id: number;
  name: string;
  auxData?: { frameId?: string };
}

const PREFIX = '__playwright_utility_world';
const known = new WeakMap<Page, World[]>();

/**
 * The worlds in which snapshots of the page in front are taken and its selectors are searched, one a frame. None where
 * there is no such world (any more): then the page is seen as a snapshot shows it.
 */
export async function worldsOf(attachment: Attachment): Promise<World[]> {
  const { page } = attachment;
  const kept = known.get(page) ?? [];
  // Asking for all of them has a page's console told again, so those that are known are only asked whether they live.
  const isAll = kept.length > 0 && kept.length === page.frames().length;
  if (isAll && (await Promise.all(kept.map(isInView))).every((isThere) => isThere)) return kept;
  const found = await findWorlds(attachment, page);
  known.set(page, found);
  return found;
}

async function isInView({ session, contextId }: World): Promise<boolean> {
  const expression = `document.visibilityState === 'visible'`;
  return await session.send('Runtime.evaluate', { contextId, expression, returnByValue: true }).then(
    ({ result }) => result.value === true,
    () => false,
  );
}

async function findWorlds(attachment: Attachment, page: Page): Promise<World[]> {
  const main = await attachment.cdp(page);
  const frames = page.frames();
  const worlds = await worldsIn(main);
  if (worlds.length >= frames.length) return worlds;
  // Frames of another site run in a process of their own, and have a session of their own.
  const others = await Promise.all(frames.slice(1).map((frame) => attachment.frameSession(frame)));
  const inOthers = await Promise.all(others.flatMap((session) => (session === undefined ? [] : [worldsIn(session)])));
  return [...worlds, ...inOthers.flat()];
}

/** Enabling tells every context there is. Of two of one frame the newer is ours: another client may have left one. */
async function worldsIn(session: CDPSession): Promise<World[]> {
  const newest = new Map<string, number>();
  const note = ({ context }: { context: Context }): void => {
    const frameId = context.auxData?.frameId;
    if (frameId === undefined || !context.name.startsWith(PREFIX)) return;
    newest.set(frameId, Math.max(context.id, newest.get(frameId) ?? 0));
  };
  session.on('Runtime.executionContextCreated', note);
  try {
    await session.send('Runtime.enable');
  } catch {
    // The frame went away.
    return [];
  } finally {
    session.off('Runtime.executionContextCreated', note);
    session.send('Runtime.disable').catch(() => {});
  }
  return [...newest.values()].map((contextId) => ({ session, contextId }));
}

/** Runs a function that is closed in itself, and resolves to its result by value. */
export async function evaluateIn<A, R>(
  { session, contextId }: World,
  work: (input: A) => R | Promise<R>,
  input: A,
): Promise<R> {
  const expression = `(${work.toString()})(${JSON.stringify(input)})`;
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
