import type { ElementHandle, Locator } from 'playwright';
import { errorMessage } from '../../../contracts/errors/error-message';
import { withinMs } from '../../../runtime/time-limit';
import { isTimeout } from '../../browsers/playwright-errors';
import { EngineError } from '../../failures';
import { obstacleOf, pauseEndlessAnimations } from './obstacle';

/** A control gets this long to become enabled, still and uncovered. */
const USABLE_LIMIT_MS = 2000;
const DESCRIBE_LIMIT_MS = 1000;

interface Waiting {
  timeoutMs: number;
  signal?: AbortSignal;
}

/**
 * Waits until a person could click the element: enabled, still, and on top at the point of the click. Rejects within two
 * seconds with what is in the way. Nothing is sent to the page before that is known.
 */
export async function waitUntilUsable(element: Locator, { timeoutMs, signal }: Waiting): Promise<void> {
  const half = Math.min(USABLE_LIMIT_MS, timeoutMs) / 2;
  const tryIt = () => element.click({ trial: true, timeout: half, ...(signal === undefined ? {} : { signal }) });
  try {
    await tryIt();
  } catch (first) {
    if (!isTimeout(first)) throw first;
    // What never stops moving would never be still.
    await element.evaluate(pauseEndlessAnimations, undefined, { timeout: half }).catch(() => {});
    try {
      await tryIt();
    } catch (second) {
      throw isTimeout(second) ? await notUsableError(element, second) : second;
    }
  }
}

/** The error of a control that was not usable in time, with what is in the way. */
export async function notUsableError(element: Locator | ElementHandle<Element>, cause: unknown): Promise<EngineError> {
  const reading = (element as Locator).evaluate(obstacleOf);
  const reason = await withinMs(DESCRIBE_LIMIT_MS, reading).catch(() => undefined);
  const log = errorMessage(cause);
  const inLog =
    /(<.*> (?:from <.*> subtree )?intercepts pointer events|element is not stable|not visible|not enabled|outside of the viewport)/;
  const why =
    reason ??
    (/not stable/.test(log) ? 'keeps moving' : `is not usable: ${inLog.exec(log)?.[1] ?? 'the page did not say why'}`);
  return new EngineError('EX003', `It ${why}; nothing was clicked.`, {
    cause,
    suggestedAction: 'Do first what frees it, such as closing what covers it or filling in what it waits for.',
  });
}
