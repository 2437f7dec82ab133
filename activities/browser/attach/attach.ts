import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from 'playwright';
import type { BrowserAccess } from '../../../contracts/browsers/keeper';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import { EngineError, isOutage, STALE_LEASE } from '../../activity/failures';
import { Attachment } from './attachment';
import { BROWSER_BUSY, type KeeperClient } from './keeper-client';
import { relayClosedError } from './playwright-errors';

/** Pause between two questions whether the page has its response. */
const ASK_EVERY_MS = 200;

interface AttachOptions {
  /** Called for each request: another keeper may have replaced the first. */
  keeper: () => Promise<KeeperClient>;
  /** Opens the relay under the epoch of the lease. */
  open: (client: KeeperClient) => Promise<BrowserAccess>;
  sessionId: string;
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
export async function attachWhenResponsive(options: AttachOptions): Promise<Attachment> {
  return await attachTo(await openRelay(options), options);
}

/** The relay is open once Chrome has taken in what the last worker sent. */
async function openRelay({
  open,
  keeper,
  sessionId,
  timeoutMs,
  signal,
  throwIfEnding,
}: AttachOptions): Promise<BrowserAccess> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await open(await keeper());
    } catch (error) {
      if (!isOfType(error, BROWSER_BUSY)) throw error;
      throwIfEnding();
      signal.throwIfAborted();
      const quietForMs = await (await keeper()).quietForMs(sessionId);
      if (performance.now() < giveUpAt || (quietForMs !== null && quietForMs < timeoutMs)) continue;
      const message = `The browser answered nothing for more than ${timeoutMs} ms.`;
      throw new EngineError('EX001', message, { type: BROWSER_GONE, cause: error });
    }
  }
}

async function attachTo(access: BrowserAccess, options: AttachOptions): Promise<Attachment> {
  const { keeper, targetId, timeoutMs } = options;
  for (;;) {
    if (!access.isNew) await waitForNavigationResponse(access.sessionId, options);
    try {
      return await Attachment.open(access, targetId, timeoutMs);
    } catch (error) {
      if (!isOfType(error, BROWSER_GONE)) throw error;
      // Throws when the Chrome itself is gone; a Chrome that answers its keeper was only unreachable.
      const quietForMs = await (await keeper()).quietForMs(access.sessionId);
      if (!(error.more.cause instanceof errors.TimeoutError)) throw relayClosedError(error);
      // A connection that is cut while it is being made only times out.
      if (!(await isOpen(access, await keeper()))) throw relayClosedError(error);
      if (quietForMs === null || quietForMs >= timeoutMs) throw error;
    }
  }
}

export function isOfType(error: unknown, type: string): error is EngineError {
  return error instanceof EngineError && error.more.type === type;
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
    if (isOfType(error, STALE_LEASE)) return false;
    throw error;
  }
}
