import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from 'playwright';
import type { BrowserAccess } from '../../contracts/browsers/keeper';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import { EngineError, isOutage, STALE_LEASE } from '../failures';
import { Attachment } from './attachment';
import type { KeeperClient } from './keeper-client';
import { relayClosedError } from './playwright-errors';

/** How soon after the answer a worker attaches. */
const ASK_EVERY_MS = 200;

interface AttachOptions {
  /** Asked for anew each time: another keeper may be in its place. */
  keeper: () => Promise<KeeperClient>;
  targetId: string | null;
  /** How long a Chrome whose pages wait for nothing may take. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Throws when this worker is asked to end: whoever comes next waits on. */
  throwIfEnding: () => void;
}

/**
 * Attaches to a Chrome as soon as it can be. While a page waits for the answer to a navigation it can't: that is waited
 * for, as long as the activity may run. The answer may be that of an order, and only this Chrome will ever see it. A
 * Chrome is given up when it takes no client though it had the whole time limit with nothing to wait for.
 */
export async function attachWhenResponsive(access: BrowserAccess, options: AttachOptions): Promise<Attachment> {
  const { keeper, targetId, timeoutMs } = options;
  for (;;) {
    if (!access.isNew) await waitForNavigationResponse(access.sessionId, options);
    try {
      return await Attachment.open(access, targetId, timeoutMs);
    } catch (error) {
      if (!(error instanceof EngineError) || error.more.type !== BROWSER_GONE) throw error;
      // Throws when the Chrome itself is gone; one that answers its keeper was only out of reach.
      const quietForMs = await (await keeper()).quietForMs(access.sessionId);
      if (!(error.more.cause instanceof errors.TimeoutError)) throw relayClosedError(error);
      // Of a connection that is cut before it is made, all that comes of it is silence.
      if (!(await isOpen(access, await keeper()))) throw relayClosedError(error);
      if (quietForMs === null || quietForMs >= timeoutMs) throw error;
    }
  }
}

async function waitForNavigationResponse(
  sessionId: string,
  { keeper, signal, throwIfEnding: mayGoOn }: AttachOptions,
): Promise<void> {
  const isAnswered = async (): Promise<boolean> => {
    try {
      return (await (await keeper()).quietForMs(sessionId)) !== 0;
    } catch (error) {
      // A keeper that is replaced meanwhile; the next one adopts the Chrome.
      if (isOutage(error)) return false;
      throw error;
    }
  };
  while (!(await isAnswered())) {
    mayGoOn();
    await sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Whether the relay is still the one that was given: a keeper opens it once for an epoch, and its successor never. */
async function isOpen({ sessionId, epoch, endpoint }: BrowserAccess, keeper: KeeperClient): Promise<boolean> {
  try {
    return (await keeper.openRelay(sessionId, epoch)).endpoint === endpoint;
  } catch (error) {
    if (error instanceof EngineError && error.more.type === STALE_LEASE) return false;
    throw error;
  }
}
