import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from 'playwright';
import type { BrowserAccess } from '../../contracts/browsers/keeper';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import { EngineError, isOutage, STALE_LEASE } from '../failures';
import { Attachment } from './attachment';
import type { KeeperClient } from './keeper-client';
import { relayClosedError } from './playwright-errors';

/** Pause between two questions whether the page has its response. */
const ASK_EVERY_MS = 200;

interface AttachOptions {
  /** Called for each request: another keeper may have replaced the first. */
  keeper: () => Promise<KeeperClient>;
  targetId: string | null;
  /** Limit for a Chrome whose pages wait for no response. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Throws when this worker is asked to end: the next holder waits on. */
  throwIfEnding: () => void;
}

/**
 * Attaches to a Chrome as soon as Chrome allows it. Nobody can attach while a page waits for the response to a
 * navigation, so that is waited for as long as the activity may run: the response may confirm an order, and only this
 * Chrome will receive it. Throws BROWSER_GONE when Chrome accepts no client for the whole limit although no page
 * waits.
 */
export async function attachWhenResponsive(access: BrowserAccess, options: AttachOptions): Promise<Attachment> {
  const { keeper, targetId, timeoutMs } = options;
  for (;;) {
    if (!access.isNew) await waitForNavigationResponse(access.sessionId, options);
    try {
      return await Attachment.open(access, targetId, timeoutMs);
    } catch (error) {
      if (!(error instanceof EngineError) || error.more.type !== BROWSER_GONE) throw error;
      // Throws when the Chrome itself is gone; a Chrome that answers its keeper was only unreachable.
      const quietForMs = await (await keeper()).quietForMs(access.sessionId);
      if (!(error.more.cause instanceof errors.TimeoutError)) throw relayClosedError(error);
      // A connection that is cut while it is being made only times out.
      if (!(await isOpen(access, await keeper()))) throw relayClosedError(error);
      if (quietForMs === null || quietForMs >= timeoutMs) throw error;
    }
  }
}

async function waitForNavigationResponse(
  sessionId: string,
  { keeper, signal, throwIfEnding }: AttachOptions,
): Promise<void> {
  const isAnswered = async (): Promise<boolean> => {
    try {
      return (await (await keeper()).quietForMs(sessionId)) !== 0;
    } catch (error) {
      // The keeper is being replaced; the next one adopts the Chrome.
      if (isOutage(error)) return false;
      throw error;
    }
  };
  while (!(await isAnswered())) {
    throwIfEnding();
    await sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/**
 * True while the relay is the one that was opened for this epoch: a keeper opens one per epoch, its successor none.
 */
async function isOpen({ sessionId, epoch, endpoint }: BrowserAccess, keeper: KeeperClient): Promise<boolean> {
  try {
    return (await keeper.openRelay(sessionId, epoch)).endpoint === endpoint;
  } catch (error) {
    if (error instanceof EngineError && error.more.type === STALE_LEASE) return false;
    throw error;
  }
}
