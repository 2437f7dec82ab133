import type { Page } from 'playwright';
import { COMMANDS } from '../../../contracts/commands/commands';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { withinMs } from '../../../runtime/time-limit';
import type { Attachment } from '../attach/attachment';

/** A window that was asked for gets this long to be there. A download may close it at once. */
const OPEN_LIMIT_MS = 3000;
const LOADED_LIMIT_MS = 10_000;
/** A page that is busy, or gone, does not answer. */
const ANSWER_LIMIT_MS = 500;

export interface NewTabs {
  /** Goes to the tab that the command has opened, as a person finds it in front. False where there is none. */
  follow(): Promise<boolean>;
}

/** Watches for a tab that a command opens in front; one that was asked for in the background stays there. */
export async function watchNewTabs(attachment: Attachment, { action, parameters }: PlannedCommand): Promise<NewTabs> {
  const { button = 'left', modifiers = [] } = parameters;
  const isInBackground = button !== 'left' || modifiers.includes('Control') || modifiers.includes('Meta');
  if (!COMMANDS[action].mayOpenTab || isInBackground) return { follow: async () => false };
  const { context, page } = attachment;
  let wake = (): void => {};
  const opened: Page[] = [];
  const onPage = (tab: Page): void => {
    opened.push(tab);
    wake();
  };
  context.on('page', onPage);
  let isAskedFor = false;
  // Chrome says so before the page that was clicked goes on; the tab itself takes a moment.
  const onOpen = (): void => void (isAskedFor = true);
  const session = attachment.hasDevTools ? await attachment.cdp(page) : undefined;
  session?.on('Page.windowOpen', onOpen);
  await session?.send('Page.enable').catch(() => {});
  const answer = (): Promise<unknown> => session?.send('Runtime.evaluate', { expression: '0' }) ?? page.evaluate('0');
  return {
    async follow() {
      // Its answer comes behind what the page has said before; that of the click may be faster.
      if (!isAskedFor && opened.length === 0) await withinMs(ANSWER_LIMIT_MS, answer()).catch(() => {});
      if (isAskedFor && opened.length === 0)
        await withinMs(OPEN_LIMIT_MS, new Promise<void>((resolve) => (wake = resolve))).catch(() => {});
      context.off('page', onPage);
      session?.off('Page.windowOpen', onOpen);
      const tab = opened.findLast((each) => !each.isClosed());
      if (tab === undefined || attachment.page !== page) return false;
      await attachment.bringToFront(tab);
      await tab.waitForLoadState('domcontentloaded', { timeout: LOADED_LIMIT_MS }).catch(() => {});
      return true;
    },
  };
}
