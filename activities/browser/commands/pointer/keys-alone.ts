import type { ElementHandle, Page } from 'playwright';

/**
 * Whether an element is changed by keys and by nothing else: it has a listener for keys, and neither it nor anything
 * around it has one that a click could have reached. False where that can't be known, as in a frame or a shadow tree, or
 * without DevTools.
 */
export async function listensToKeysAlone(page: Page, element: ElementHandle<Element>): Promise<boolean> {
  await element.focus();
  const cdp = await page
    .context()
    .newCDPSession(page)
    .catch(() => undefined);
  if (cdp === undefined) return false;
  try {
    const expression = `(${findListeners.toString()})((node) => Object.keys(getEventListeners(node)))`;
    const { result } = await cdp.send('Runtime.evaluate', {
      expression,
      includeCommandLineAPI: true,
      returnByValue: true,
    });
    return result.value === true;
  } finally {
    await cdp.detach().catch(() => {});
  }
}

/** Runs in the page's own world, on the element that has the focus. At the window Playwright listens too, and hides nothing. */
function findListeners(listenersOf: (target: EventTarget) => string[]): boolean {
  const node = document.activeElement;
  if (node === null || node === document.body || node.matches('input, iframe, frame') || node.shadowRoot !== null)
    return false;
  const around: EventTarget[] = [];
  for (let each: Element | null = node; each !== null; each = each.parentElement) around.push(each);
  const types = [...around, document].flatMap(listenersOf);
  return types.some((type) => type.startsWith('key')) && !types.some((type) => /click|mouse|pointer|touch/.test(type));
}
