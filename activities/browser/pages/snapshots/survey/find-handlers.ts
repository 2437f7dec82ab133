/** What the handlers of an element react to; numbers, because only numbers cross from one world into another. */
export const HANDLED = {
  click: 1,
  press: 2,
  double: 4,
  context: 8,
  drag: 16,
  drop: 32,
  key: 64,
  change: 128,
  submit: 256,
  /** What the text of a handler says that it does (see script-kinds). */
  sends: 512,
  deletes: 1024,
  pays: 2048,
  deleteKey: 4096,
  enterKey: 8192,
  opens: 16384,
} as const;

export interface HandlerSearch {
  /** Type of the event by which an element is named to the isolated world; no page can guess it. */
  nonce: string;
  /** Elements that are examined at most. */
  limit: number;
  handled: typeof HANDLED;
}

/**
 * Runs in the page's own world with DevTools' `getEventListeners`: only there the listeners of an element, and the
 * handlers that React, Svelte, Solid and jQuery keep for delegation, can be read. The elements are named to the
 * isolated world by an event on each, of a type for which the page has no listener.
 */
export function findHandlers(
  { nonce, limit, handled }: HandlerSearch,
  listenersOf: (target: unknown) => Record<string, unknown[]>,
  scriptKindOf: (handler: unknown, isKey: boolean) => number,
): void {
  const { click, press, double: twice, context, drag, drop, key, change, submit } = handled;
  const kinds: Record<string, number> = {
    click,
    tap: click,
    mousedown: press,
    mouseup: press,
    pointerdown: press,
    pointerup: press,
    touchstart: press,
    dblclick: twice,
    contextmenu: context,
    dragstart: drag,
    drop,
    dragover: drop,
    keydown: key,
    keyup: key,
    keypress: key,
    change,
    input: change,
    submit,
  };
  const kindOf = (type: string): number => kinds[type.toLowerCase()] ?? 0;
  const found = new Map<Element, number>();
  const add = (element: Element, kind: number): void => {
    if (kind !== 0) found.set(element, (found.get(element) ?? 0) | kind);
  };
  let left = limit;
  let jquery: ((element: unknown, name: string) => unknown) | undefined;
  try {
    jquery = (globalThis as { jQuery?: { _data?: typeof jquery } }).jQuery?._data;
  } catch {
    jquery = undefined;
  }

  /** Handlers of descendants that jQuery's `on` with a selector keeps at this element. */
  function findDelegated(home: Document | Element): void {
    const events = jquery?.(home, 'events') as Record<string, { selector?: string }[]> | undefined;
    for (const [type, all] of Object.entries(events ?? {}))
      for (const { selector } of Array.isArray(all) ? all.slice(0, 50) : [])
        if (typeof selector === 'string' && kindOf(type) !== 0)
          for (const element of [...home.querySelectorAll(selector)].slice(0, 200)) add(element, kindOf(type));
  }

  function examine(element: Element): void {
    const listeners = listenersOf(element);
    for (const type in listeners) {
      const kind = kindOf(type);
      add(element, kind);
      if (kind !== 0)
        for (const { listener } of listeners[type]!.slice(0, 20) as { listener?: unknown }[])
          add(element, scriptKindOf(listener, kind === key));
    }
    if (jquery !== undefined && Object.keys(listeners).length > 0) findDelegated(element);
    for (const name of Object.keys(element)) {
      const value = (element as unknown as Record<string, unknown>)[name];
      // Svelte and Solid: `__click`, `$$click`; React: an object of props.
      if (name.startsWith('__click') || name.startsWith('$$click')) add(element, click);
      else if (name.startsWith('__reactProps$') || name.startsWith('__reactEventHandlers$'))
        for (const prop in value as object) {
          const handler = (value as Record<string, unknown>)[prop];
          if (!prop.startsWith('on') || typeof handler !== 'function') continue;
          const type = prop.slice(2).replace(/Capture$/, '');
          const kind = kindOf(type.replace('Double', 'Dbl'));
          add(element, kind);
          if (kind !== 0) add(element, scriptKindOf(handler, kind === key));
        }
    }
  }

  function visit(parent: Document | Element | ShadowRoot): void {
    const { children } = parent;
    let index = 0;
    for (const element of children) {
      index += 1;
      // The middle of a long run is like its beginning, and mostly not in the snapshot.
      if (children.length > 120 && index > 80 && index < children.length - 20) continue;
      if ((left -= 1) < 0) return;
      try {
        examine(element);
      } catch {
        // A page that guards its objects against being read has no handlers that can be seen.
      }
      if (element.shadowRoot !== null) visit(element.shadowRoot);
      visit(element);
    }
  }

  if (jquery !== undefined) findDelegated(document);
  visit(document);
  for (const [element, kind] of found)
    element.dispatchEvent(new UIEvent(nonce, { detail: kind, composed: true, bubbles: false }));
}

/** Runs in the isolated world before the search: takes in the elements that it will name. */
export function awaitHandlers({ nonce }: { nonce: string }): void {
  const home = globalThis as typeof globalThis & { __surefootHandlers?: WeakMap<Element, number> };
  const handlers = (home.__surefootHandlers = new WeakMap<Element, number>());
  const note = (event: Event): void => {
    const [element] = event.composedPath();
    if (element instanceof Element) handlers.set(element, (event as UIEvent).detail);
  };
  window.addEventListener(nonce, note, true);
  setTimeout(() => window.removeEventListener(nonce, note, true), 10_000);
}
