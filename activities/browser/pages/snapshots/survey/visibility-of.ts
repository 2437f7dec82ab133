/**
 * Runs in an isolated world. Says why a click would not reach an element that has a box: transparent, off-screen,
 * inert, or covered, by a hit test at the point that would be clicked. Undefined where nothing keeps a click away, also
 * for what scrolling brings into view.
 */
export function visibilityOf(element: Element): string | undefined {
  const { innerWidth, innerHeight } = window;
  const parentOf = (one: Element): Element | null => {
    if (one.assignedSlot !== null) return one.assignedSlot;
    const { parentElement } = one;
    if (parentElement !== null) return parentElement;
    const root = one.getRootNode();
    return root instanceof ShadowRoot ? root.host : null;
  };
  const ancestorOf = (one: Element, test: (each: Element) => boolean): Element | undefined => {
    for (let at: Element | null = one; at !== null; at = parentOf(at)) if (test(at)) return at;
    return undefined;
  };
  const isWithin = (one: Element, outer: Element): boolean => ancestorOf(one, (each) => each === outer) !== undefined;
  const { labels } = element as HTMLInputElement;
  const proxies = [element, ...(labels ?? [])];

  const MODAL = 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true]';
  const wordsOf = (one: Element): string => (one.textContent ?? '').trim();

  /** A dialog without a role: it lies above the page, and has a control of the same words itself. */
  function isLayerWithNamesake(layer: Element): boolean {
    if (isWithin(element, layer) || !/^(?:fixed|absolute)$/.test(getComputedStyle(layer).position)) return false;
    return [...layer.querySelectorAll(element.localName)].some((one) => wordsOf(one) === wordsOf(element));
  }

  function describe(cover: Element): string {
    const modal = ancestorOf(cover, (each) => each.matches(MODAL)) ?? ancestorOf(cover, isLayerWithNamesake);
    const one = modal ?? cover;
    const ids = one.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
    const titles = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
    const said =
      one.getAttribute('aria-label') ?? (titles.trim() === '' ? (one.textContent ?? '').slice(0, 400) : titles);
    const text = said.trim().replaceAll(/\s+/g, ' ').slice(0, 40);
    const kind = modal === undefined ? (one.id === '' ? one.localName : `${one.localName}#${one.id}`) : 'dialog';
    return text === '' ? kind : `${kind} "${text}"`;
  }

  /** Of several modal dialogs the one that is not inert under another. */
  function upperModal(): Element | undefined {
    const modals = [...document.querySelectorAll(':modal')];
    if (modals.length < 2) return undefined;
    return modals.find((modal) => {
      const { left, top, width, height } = modal.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return hit !== null && isWithin(hit, modal);
    });
  }

  const inRoot = element.closest('[inert]') ?? (element.getRootNode() as ShadowRoot).host?.closest('[inert]');
  if (inRoot) return 'inert';
  const upper = upperModal();
  if (upper !== undefined && !isWithin(element, upper)) return `behind ${describe(upper)}`;
  if (element.matches('iframe, frame') && (element.clientWidth < 2 || element.clientHeight < 2)) return 'without size';
  const isTransparent = !element.checkVisibility({ opacityProperty: true });
  // Styled check boxes and uploads hide the input, and their label takes its place.
  const hasLabel = [...(labels ?? [])].some((label) =>
    label.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
  if (isTransparent && !hasLabel && !element.matches('input[type=checkbox], input[type=radio], input[type=file]'))
    return 'transparent';
  const boxes = [...element.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  const box = boxes.find(
    ({ left, right, top, bottom }) => right > 0 && bottom > 0 && left < innerWidth && top < innerHeight,
  );
  if (box === undefined) {
    const { left, right, top, bottom } = boxes[0] ?? element.getBoundingClientRect();
    const { scrollWidth, scrollHeight } = document.documentElement;
    const isBefore = right + window.scrollX <= 0 || bottom + window.scrollY <= 0;
    const isBehind = left + window.scrollX >= scrollWidth || top + window.scrollY >= scrollHeight;
    if (!(isBefore || isBehind) || hasLabel) return undefined;
    // What a part of the page scrolled away, or has not scrolled to yet, is in reach.
    const scrolls = ({ scrollWidth: wide, clientWidth, scrollHeight: high, clientHeight }: Element): boolean =>
      wide > clientWidth || high > clientHeight;
    const isInScroller = (each: Element): boolean =>
      each !== element &&
      each.parentElement?.parentElement !== null &&
      getComputedStyle(each).overflow !== 'visible' &&
      scrolls(each);
    return ancestorOf(element, isInScroller) === undefined ? 'off-screen' : undefined;
  }
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const x = (left + Math.min(box.right, innerWidth)) / 2;
  const y = (top + Math.min(box.bottom, innerHeight)) / 2;
  let hit = document.elementFromPoint(x, y);
  while (hit?.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (inner === null || inner === hit) break;
    hit = inner;
  }
  if (hit === null) return undefined;
  const target = hit;
  if (proxies.some((one) => isWithin(target, one))) return undefined;
  if (isWithin(element, target)) {
    // A modal dialog makes the rest of its document inert.
    const modal = document.querySelector(':modal');
    return modal !== null && !isWithin(element, modal) ? `behind ${describe(modal)}` : undefined;
  }
  const isClipped = ancestorOf(element, (each) => {
    if (each === element || getComputedStyle(each).overflow === 'visible') return false;
    const around = each.getBoundingClientRect();
    return x < around.left || x > around.right || y < around.top || y > around.bottom;
  });
  return isClipped === undefined ? `covered by ${describe(target)}` : undefined;
}
