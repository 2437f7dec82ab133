import type { Locator, Page } from 'playwright';
import { withinMs } from '../../../../runtime/time-limit';
import type { PageWatch } from '../../attach/page-watch';

/** A page that is busy, or gone, does not answer. */
const ANSWER_LIMIT_MS = 500;
/** What a page does later than that is no answer to what was typed: it closes a message, or signs out. */
const LONGEST_TIMER_MS = 3000;

type NotingWindow = typeof globalThis & { __surefootTimers?: { due: number; stop(): void } };

interface NotedField {
  page: Page;
  element: Locator;
  /** The main frame does in order what it is asked, so that nothing has to be waited for. */
  isInMainFrame: boolean;
  watch: PageWatch;
}

/**
 * Runs what fills in a field, and lets `watch` know when the last timer is due that the page has set meanwhile: many a page
 * saves or searches only when nothing has been typed for a while.
 */
export async function withTimersNoted<T>(
  { page, element, isInMainFrame, watch }: NotedField,
  fillIn: () => Promise<T>,
): Promise<T> {
  if (isInMainFrame) {
    void page.evaluate(noteTimers, LONGEST_TIMER_MS).catch(() => {});
    const result = await fillIn();
    watch.expectBy(dueAt(withinMs(ANSWER_LIMIT_MS, page.evaluate(takeTimers))));
    return result;
  }
  const inTime = { timeout: ANSWER_LIMIT_MS };
  await element.evaluate(noteTimers, LONGEST_TIMER_MS, inTime).catch(() => {});
  const result = await fillIn();
  watch.expectBy(dueAt(element.evaluate(takeTimers, undefined, inTime)));
  return result;
}

async function dueAt(answer: Promise<number>): Promise<number> {
  const inMs = await answer.catch(() => 0);
  return performance.now() + inMs;
}

/** Runs in the page; of a frame, with one of its elements first. */
function noteTimers(first: Element | number, second?: number): void {
  const longestMs = typeof first === 'number' ? first : (second ?? 0);
  const home = globalThis as NotingWindow;
  home.__surefootTimers?.stop();
  const native = home.setTimeout;
  const noted = { due: 0, stop: () => void (home.setTimeout = native) };
  home.__surefootTimers = noted;
  home.setTimeout = Object.assign((...timer: Parameters<typeof setTimeout>) => {
    const [, ms = 0] = timer;
    if (ms <= longestMs) noted.due = Math.max(noted.due, performance.now() + ms);
    return native(...timer);
  }, native);
}

/** Runs in the page. */
function takeTimers(): number {
  const home = globalThis as NotingWindow;
  const noted = home.__surefootTimers;
  if (noted === undefined) return 0;
  noted.stop();
  delete home.__surefootTimers;
  return Math.max(0, noted.due - performance.now());
}
