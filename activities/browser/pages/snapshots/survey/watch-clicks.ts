/**
 * Runs in an isolated world, once a document, and is self-contained. Notes what changes while the events of a click are
 * dispatched, with the microtasks that their listeners leave: timers, animations and answers of the network run in tasks of
 * their own. The function that it returns lists the visible elements that the last click changed and that are still as it
 * left them. What a page hides from it, such as an event that does not get as far as the window, is missing from the list.
 */
export function watchClicks(): () => Element[] {
  const EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
  const ATTRIBUTES =
    'alt aria-checked aria-current aria-disabled aria-expanded aria-invalid aria-label aria-pressed aria-selected ' +
    'aria-valuenow aria-valuetext cx cy d disabled fill height href open placeholder points r src srcset title transform ' +
    'value viewBox width x x1 x2 y y1 y2';
  /** A click may have everything drawn anew, and with it a clock. */
  const TIME = /\d:\d\d|\d\s?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|fps)\b|\bago\b|\d{6}/i;
  const MOST_TEXTS = 500;
  const MOST_STATES = 300;
  const SIDE = 24;
  /** A picture shows what was done by a control in the same part of the page. */
  const LEVELS = 6;

  interface Change<T> {
    before: T[];
    now: T;
  }
  let dispatched: Event[] = [];
  let path: EventTarget[] = [];
  let roots: Node[] = [];
  /** By the element around them: the texts that it lost, and those that it got. */
  let texts = new Map<Node, { lost: Map<string, number>; got: Map<Text, string>; left: string }>();
  let attributes = new Map<Element, Map<string, Change<string | null>>>();
  let states = new Map<Element, Change<string>>();
  let statesBefore = new Map<Element, string>();

  const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

  function textsIn(node: Node): Text[] {
    if (node instanceof Text) return plain(node.data) === '' ? [] : [node];
    if (!(node instanceof Element) || node.matches('script, style, template, noscript')) return [];
    const found: Text[] = [];
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (found.length < MOST_TEXTS && walker.nextNode() !== null) {
      const text = walker.currentNode as Text;
      if (plain(text.data) !== '') found.push(text);
    }
    return found;
  }

  function noteTexts(around: Node, lost: string[], got: readonly Text[]): void {
    const known = texts.get(around) ?? { lost: new Map<string, number>(), got: new Map<Text, string>(), left: '' };
    texts.set(around, known);
    for (const text of lost.map(plain)) if (text !== '') known.lost.set(text, (known.lost.get(text) ?? 0) + 1);
    for (const text of got) known.got.set(text, text.data);
  }

  function note({ type, target, oldValue, attributeName, removedNodes, addedNodes }: MutationRecord): void {
    if (type === 'attributes') {
      const of = attributes.get(target as Element) ?? new Map<string, Change<string | null>>();
      attributes.set(target as Element, of);
      const change = of.get(attributeName!) ?? { before: [], now: null };
      of.set(attributeName!, change);
      change.before.push(oldValue);
      change.now = (target as Element).getAttribute(attributeName!);
    } else if (type === 'characterData') {
      if (target instanceof Text && target.parentNode !== null)
        noteTexts(target.parentNode, [oldValue ?? ''], [target]);
    } else {
      const lost = [...removedNodes].flatMap((node) => textsIn(node).map(({ data }) => data));
      noteTexts(target, lost, [...addedNodes].flatMap(textsIn));
    }
  }

  const observer = new MutationObserver((records) => {
    // A mutation is reported in its own task, and an event has a phase only while it is dispatched.
    if (!dispatched.some(({ eventPhase }) => eventPhase !== Event.NONE)) {
      observer.disconnect();
      return;
    }
    records.forEach(note);
    for (const [around, known] of texts) if (known.got.size === 0) known.left = around.textContent ?? '';
  });

  /** What shows of an element without a mutation; undefined where that can't be read. */
  function stateOf(element: Element): string | undefined {
    if (element instanceof HTMLCanvasElement) {
      try {
        const small = new OffscreenCanvas(SIDE, SIDE).getContext('2d', { willReadFrequently: true })!;
        small.drawImage(element, 0, 0, SIDE, SIDE);
        return small.getImageData(0, 0, SIDE, SIDE).data.join();
      } catch {
        return undefined;
      }
    }
    if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map(({ value }) => value).join('\n');
    const { value, checked } = element as HTMLInputElement;
    return `${checked} ${value}`;
  }

  function statesNow(): Map<Element, string> {
    const found = new Map<Element, string>();
    for (const root of roots)
      for (const element of (root as ParentNode).querySelectorAll('input, select, textarea, canvas')) {
        if (found.size === MOST_STATES) return found;
        const state = stateOf(element);
        if (state !== undefined) found.set(element, state);
      }
    return found;
  }

  function rootsIn(root: Document | ShadowRoot): (Document | ShadowRoot)[] {
    const hosts = [...root.querySelectorAll('*')].filter(({ shadowRoot }) => shadowRoot !== null);
    return [root, ...hosts.flatMap(({ shadowRoot }) => rootsIn(shadowRoot!))];
  }

  function begin(event: Event): void {
    if (!event.isTrusted) return;
    if (event.type === 'pointerdown') {
      dispatched = [];
      path = event.composedPath();
      roots = rootsIn(document);
      texts = new Map();
      attributes = new Map();
      states = new Map();
    }
    const isOfThisClick = event.type !== 'submit' || path.includes((event as SubmitEvent).submitter as EventTarget);
    if (roots.length === 0 || !isOfThisClick) return;
    // Events of one task have one time.
    if (event.timeStamp !== dispatched.at(-1)?.timeStamp) statesBefore = statesNow();
    dispatched.push(event);
    const subtree = { subtree: true, childList: true, characterData: true, characterDataOldValue: true };
    for (const root of roots)
      observer.observe(root, { ...subtree, attributeFilter: ATTRIBUTES.split(' '), attributeOldValue: true });
  }

  function end(event: Event): void {
    if (!dispatched.includes(event)) return;
    for (const [element, now] of statesNow()) {
      const before = statesBefore.get(element);
      if (before === undefined || before === now) continue;
      const change = states.get(element) ?? { before: [], now };
      states.set(element, change);
      change.before.push(before);
      change.now = now;
      statesBefore.set(element, now);
    }
  }

  for (const type of [...EVENTS, 'submit']) {
    window.addEventListener(type, begin, { capture: true, passive: true });
    window.addEventListener(type, end, { passive: true });
  }

  const isVisible = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const isTime = (element: Element): boolean => TIME.test((element.textContent ?? '').slice(0, 200));

  function* changedTexts(): Generator<Element> {
    for (const [around, { lost, got, left }] of texts) {
      const unmatched = new Map(lost);
      for (const [text, data] of got) {
        const same = unmatched.get(plain(data)) ?? 0;
        if (same > 0) unmatched.set(plain(data), same - 1);
        else if (text.data === data && text.parentElement !== null && !isTime(text.parentElement))
          yield text.parentElement;
      }
      if (got.size === 0 && lost.size > 0 && around.textContent === left && around instanceof Element) yield around;
    }
  }

  function* changedStates(): Generator<Element> {
    for (const [element, of] of attributes)
      for (const [name, { before, now }] of of)
        if (!before.includes(now) && element.getAttribute(name) === now && !TIME.test(now ?? '')) yield element;
    for (const [element, { before, now }] of states)
      if (!before.includes(now) && stateOf(element) === now) yield element;
  }

  /** The element that was clicked, where a picture near it has changed. */
  function clickedBeside(changed: readonly Element[]): Element[] {
    const pictures = changed.filter((element) => element.matches('canvas, img, svg, svg *'));
    const [clicked, ...around] = path.filter((each): each is Element => each instanceof Element);
    const near = [clicked, ...around.slice(0, LEVELS)].filter((each) => each?.matches('html, body') === false);
    const isBeside = pictures.some((picture) => near.some((each) => each?.contains(picture) === true));
    return clicked !== undefined && isBeside ? [clicked] : [];
  }

  return () => {
    const changed = [...changedTexts(), ...changedStates()].filter(
      (element) => element.isConnected && isVisible(element),
    );
    return [...changed, ...clickedBeside(changed)];
  };
}
