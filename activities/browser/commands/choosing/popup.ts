import type { ElementHandle, JSHandle } from 'playwright';
import { pollUntil } from '../poll-until';
import { clickHandle, waitUntilUsable } from '../pointer/usable';
import type { ChoosingContext } from './choosing-context';
import type { KeptControl } from './kept-control';
import { findOption, type ShownOptions } from './group';
import { matchOption } from './match-option';
import { describeOptions, optionsOf, visibleBeforeOpening } from './page-options';
import { noSuchOptionError } from './wanted';
import { isPopupOpen, openerOf, searchFieldOf, textOfOption, takesSeveral } from './popup-page';

/** Options that come from a server get this long after what asks for them. */
const OPTIONS_LIMIT_MS = 3000;
const CLICK_LIMIT_MS = 2000;
const OPEN_LIMIT_MS = 1000;
const AT_ONCE_MS = 300;
const MOST_CHOSEN = 50;

/** A control that shows its options when it is opened, and its options while they are shown. */
export interface Popup {
  open(): Promise<void>;
  read(): Promise<ShownOptions>;
  /** Finds an option: among those that are shown, by typing where it can be searched, by scrolling otherwise. */
  find(label: string): ReturnType<typeof findOption>;
  /** Takes away what was chosen before, where several can be and the last goes with Backspace. */
  empty(): Promise<void>;
  close(): Promise<void>;
  /** Closes it after a choice that failed, so that the page is as it was found. */
  leave(): Promise<void>;
}

/** Remembers what the page shows now; whatever comes after that when the control is opened belongs to it. */
export async function popupOf(control: KeptControl, context: ChoosingContext): Promise<Popup> {
  const { page, timeoutMs, signal } = context;
  const limit = { timeout: timeoutMs, signal };
  const before: JSHandle<Element[]> = await control.evaluateHandle(visibleBeforeOpening, undefined, limit);
  const read = async (): Promise<ShownOptions> => {
    const handles = await control.evaluateHandle(optionsOf, before, limit);
    return { handles, options: await handles.evaluate(describeOptions) };
  };
  const showsOptions = async (): Promise<boolean> => (await read()).options.length > 0;
  const isOpenNow = (): Promise<boolean> => control.evaluate(isPopupOpen, undefined, limit);
  const popup: Popup = {
    read,
    async open() {
      if ((await isOpenNow()) || (await showsOptions())) return;
      const opener = (await control.evaluateHandle(openerOf, undefined, limit)).asElement() as ElementHandle<Element>;
      if (await opener.evaluate((each, own) => each === own, await control.handle(limit))) {
        await waitUntilUsable(control.locator, { timeoutMs, signal });
        await control.locator.click(limit);
      } else await clickHandle(opener, { timeout: Math.min(CLICK_LIMIT_MS, timeoutMs), signal });
      const opened = async (): Promise<boolean> => (await showsOptions()) || (await isOpenNow());
      if (await pollUntil(opened, OPEN_LIMIT_MS, signal)) return;
      // Some open by the key alone.
      const key = (await control.handle(limit)).press('ArrowDown', { timeout: timeoutMs });
      await key.catch(() => {});
      await pollUntil(opened, AT_ONCE_MS, signal);
    },
    async find(label) {
      let shown = await read();
      const isThere = async (): Promise<boolean> => matchOption((await read()).options, label) !== undefined;
      if (await pollUntil(isThere, AT_ONCE_MS, signal)) return await findOption(read, label, context);
      if (shown.options.length === 0) shown = await read();
      const field = (await control.evaluateHandle(searchFieldOf, before, limit)).asElement() as ElementHandle | null;
      if (field === null) {
        await pollUntil(showsOptions, OPTIONS_LIMIT_MS, signal);
        return await findOption(read, label, context);
      }
      await field.focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(label, { delay: 10 });
      if (await pollUntil(isThere, OPTIONS_LIMIT_MS, signal)) return await findOption(read, label, context);
      // What was typed must not stand for a choice.
      const narrowed = await read();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Backspace');
      throw noSuchOptionError(label, shown.options.length > 0 ? shown.options : narrowed.options);
    },
    async empty() {
      const field = (await control.evaluateHandle(searchFieldOf, before, limit)).asElement() as ElementHandle | null;
      if (field === null || !(await control.evaluate(takesSeveral, undefined, limit))) return;
      await field.focus();
      const shown = async (): Promise<string> => (await control.evaluate(textOfOption, undefined, limit)).text;
      for (let text = await shown(), presses = 0; text !== '' && presses < MOST_CHOSEN; presses += 1) {
        await page.keyboard.press('Backspace');
        const now = await shown();
        if (now === text) break;
        text = now;
      }
    },
    async close() {
      if (await isOpenNow().catch(() => false)) await page.keyboard.press('Escape');
    },
    async leave() {
      await popup.close();
      const isClosed = async (): Promise<boolean> => !(await isOpenNow().catch(() => false));
      if (await pollUntil(isClosed, AT_ONCE_MS, signal)) return;
      // Some close by their opener alone.
      const opener = (await control.evaluateHandle(openerOf, undefined, limit)).asElement() as ElementHandle<Element>;
      await clickHandle(opener, { timeout: Math.min(CLICK_LIMIT_MS, timeoutMs), signal });
    },
  };
  return popup;
}
