import type { ElementHandle, JSHandle, Locator } from 'playwright';

type InPage<A, R> = (node: Element, argument: A) => R | Promise<R>;

interface Limit {
  timeout: number;
  signal?: AbortSignal;
}

/**
 * A control that is kept while its popup is open. Many libraries hide the rest of the page from assistive technology
 * then, so that a search by role and name finds the control no more, though it is there.
 */
export interface KeptControl {
  readonly locator: Locator;
  handle(limit: Limit): Promise<ElementHandle<Element>>;
  evaluate<A, R>(inPage: InPage<A, R>, argument: A | JSHandle<A>, limit: Limit): Promise<R>;
  evaluateHandle<A, R>(inPage: InPage<A, R>, argument: A | JSHandle<A>, limit: Limit): Promise<JSHandle<R>>;
}

export async function keepControl(locator: Locator, limit: Limit): Promise<KeptControl> {
  const find = async (within: Limit) => (await locator.elementHandle(within)) as ElementHandle<Element>;
  let kept = await find(limit);
  const handle = async (within: Limit): Promise<ElementHandle<Element>> => {
    // A page that draws its control anew has another element in its place.
    if (!(await kept.evaluate((node) => node.isConnected).catch(() => false))) kept = await find(within);
    return kept;
  };
  return {
    locator,
    handle,
    // Playwright's types of what a function in the page returns can't be written for any function.
    async evaluate<A, R>(inPage: InPage<A, R>, argument: A | JSHandle<A>, within: Limit) {
      return (await (await handle(within)).evaluate(inPage as InPage<unknown, unknown>, argument)) as R;
    },
    async evaluateHandle<A, R>(inPage: InPage<A, R>, argument: A | JSHandle<A>, within: Limit) {
      return (await (await handle(within)).evaluateHandle(inPage as InPage<unknown, unknown>, argument)) as JSHandle<R>;
    },
  };
}
