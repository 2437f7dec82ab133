import { withinMs } from '../../../runtime/time-limit';
import type { Attachment } from './attachment';

const STILL_LIMIT_MS = 1000;
/** A page that takes back what was done mostly does so within as long. */
const LASTING_MS = 40;

/**
 * Waits until style sheets are there, and animations and transitions that have an end are over, in each frame for itself and
 * for a second at most: what a style sheet hides, or a dialog that is just being closed, would still be read. What moves for
 * ever is not waited for. What a command has just done (`hasActed`), to a control or by a click, also gets time to be taken
 * back, by the page's own clock: its timers come first. A page that listens to nothing of it has no reason to take it back.
 */
export async function waitUntilStill(attachment: Attachment, hasActed: boolean): Promise<void> {
  const { page } = attachment;
  const frames = page.frames().map((frame) => {
    const mayReact = hasActed && frame === page.mainFrame();
    const still = mayReact ? awaitStillAndReaction(attachment) : frame.evaluate(awaitStill, STILL_LIMIT_MS);
    return still.catch(() => {});
  });
  await withinMs(STILL_LIMIT_MS + 200, Promise.all(frames)).catch(() => {});
}

async function awaitStillAndReaction(attachment: Attachment): Promise<void> {
  // Without DevTools it is not known whether the page listens.
  if (!attachment.hasDevTools) {
    const { page } = attachment;
    await Promise.all([page.waitForTimeout(LASTING_MS), page.mainFrame().evaluate(awaitStill, STILL_LIMIT_MS)]);
    return;
  }
  const session = await attachment.cdp(attachment.page);
  await session.send('Runtime.evaluate', {
    // Only an evaluation of DevTools has `getEventListeners`.
    includeCommandLineAPI: true,
    awaitPromise: true,
    silent: true,
    expression: `Promise.all([
      (${awaitReaction.toString()})(${LASTING_MS}, getEventListeners), (${awaitStill.toString()})(${STILL_LIMIT_MS})])`,
  });
}

/** Runs in the page. */
async function awaitReaction(
  ms: number,
  listenersOf: (target: unknown) => Record<string, { listener: unknown }[]>,
): Promise<void> {
  const MOST_EXAMINED = 2000;
  const OF_CONTROLS = /^(?:input|beforeinput|change|key|text|composition|select|click|pointer|mouse|touch|focus|blur)/i;
  const elements = [...document.querySelectorAll('*')];
  // Playwright has some at the window, in the page's own world.
  const isOfPage = ({ listener }: { listener: unknown }): boolean =>
    typeof listener !== 'function' || !String(listener).includes('_hitTargetInterceptor');
  const mayReact = (target: unknown): boolean => {
    // What goes on within a frame or a shadow tree is not looked at.
    const isOpaque =
      target instanceof Element &&
      (target.shadowRoot !== null || target.localName.includes('-') || target.matches('iframe, frame'));
    const listeners = Object.entries(listenersOf(target));
    return isOpaque || listeners.some(([type, all]) => OF_CONTROLS.test(type) && all.some(isOfPage));
  };
  if (elements.length < MOST_EXAMINED && ![window, document, ...elements].some(mayReact)) return;
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Runs in the page. */
async function awaitStill(limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  // Some sheets never come: of another language, or from a server that does not answer. Each is waited for once.
  const home = globalThis as typeof globalThis & { __surefootSheets?: WeakSet<HTMLLinkElement> };
  const awaited = (home.__surefootSheets ??= new WeakSet());
  const isComing = (link: HTMLLinkElement): boolean =>
    link.sheet === null &&
    !link.disabled &&
    !awaited.has(link) &&
    matchMedia(link.media || 'all').matches &&
    performance.getEntriesByName(link.href).length === 0;
  const links =
    'link[rel~=stylesheet i][href]:not([rel~=alternate i]):is([type="text/css" i], [type=""], :not([type]))';
  const coming = [...document.querySelectorAll<HTMLLinkElement>(links)].filter(isComing);
  if (coming.length > 0) {
    for (const link of coming) awaited.add(link);
    const arrived = coming.map(
      (link) =>
        new Promise((resolve) => {
          link.addEventListener('load', resolve, { once: true });
          link.addEventListener('error', resolve, { once: true });
        }),
    );
    await Promise.race([Promise.all(arrived), new Promise((resolve) => setTimeout(resolve, limitMs))]);
  }
  const ending = (): Animation[] =>
    document.getAnimations().filter(({ playState, effect }) => {
      const { endTime } = effect?.getComputedTiming() ?? {};
      return playState === 'running' && Number.isFinite(Number(endTime));
    });
  for (let left = end - performance.now(); left > 0; left = end - performance.now()) {
    const moving = ending();
    if (moving.length === 0) return;
    const over = new Promise((resolve) => setTimeout(resolve, left));
    await Promise.race([Promise.allSettled(moving.map(({ finished }) => finished)), over]);
    // The page takes away what has gone only then.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
