/** Options for pruning a frame before a snapshot. */
export interface PruneOptions {
  /** Identifies this snapshot's marks; no page can guess it. */
  nonce: string;
  words: string[];
  /** Documents with fewer elements are not pruned. */
  minElements: number;
  /** Pruning ends by itself after this time, in case its worker dies. */
  forMs: number;
}

/** What a mark in a long run means. */
export interface PruneMark {
  kind: 'row' | 'left' | 'end';
  anchor?: { selector: string; nth: number; of: number; isTransient?: boolean };
  isNew?: boolean;
  omitted?: { count: number; selector: string };
}

export interface PruneResult {
  marks: PruneMark[];
  /** Values of password fields. */
  passwords: string[];
  /** Number of elements in `__surefootHosts` of this world that may have a closed shadow root. */
  hosts: number;
  /** False for a document that another has taken the place of. */
  isInView: boolean;
  /** A drawing that takes the pointer: no node says what its parts do, and most have none. */
  hasCanvas: boolean;
}

/**
 * Runs in Playwright's isolated world of a frame, so it uses nothing from outside itself and the page does not see
 * it. A snapshot walks from `firstChild` to `nextSibling`; pruning redirects these past the middle of long runs of
 * equal elements (rows, list items, options). It keeps the first and last rows of a run, those with words of the
 * goal, those around the focus, and new ones. Text nodes between them, which the snapshot includes, say what was
 * omitted and how each row is found again. The document itself is not changed.
 */
export function prune({ nonce, words, minElements: smallest, forMs }: PruneOptions): PruneResult {
  type Home = typeof globalThis & {
    __surefootHosts?: Element[];
    __surefootWiden?: () => void;
    __surefootSeen?: WeakMap<Element, string>;
    __surefootExamined?: WeakSet<Element>;
    __surefootRows?: WeakMap<Element, PruneMark['anchor'] & {}>;
  };
  const home = globalThis as Home;
  home.__surefootWiden?.();
  const anchors = (home.__surefootRows = new WeakMap());
  const knownTexts = (home.__surefootSeen ??= new WeakMap());
  const examined = (home.__surefootExamined ??= new WeakSet());
  const maxRunLengths = [60, 20, 8] as const;
  const maxElements = 4000;
  const maxMatching = 20;
  const maxNew = 10;
  const maxHosts = 40;
  const mayHostShadow = /^(ARTICLE|ASIDE|BLOCKQUOTE|DIV|FOOTER|HEADER|MAIN|NAV|SECTION|SPAN|P)$/;
  /** Consecutive elements of these kinds are parts of a form, not rows. */
  const isFormPart = /^(INPUT|LABEL|SELECT|TEXTAREA|BUTTON|FIELDSET|BR|HR|SCRIPT|STYLE|LINK|META)$/;
  const normalized = (text: string): string =>
    text
      .replace(/[\u200b\u00ad]/g, '')
      .trim()
      .replace(/\s+/g, ' ');

  const shadows: ShadowRoot[] = [];
  const hosts: Element[] = [];
  const isBig = document.getElementsByTagName('*').length >= smallest;
  const focused = ((): Element | null => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element === document.body ? null : element;
  })();

  interface Run {
    parent: Element | ShadowRoot;
    rows: Element[];
    kept: Map<number, 'always' | 'passing'>;
    texts: string[];
    fresh: Set<number>;
  }

  /** Selects the rows of a run to keep. */
  function selectRows(parent: Element | ShadowRoot, rows: Element[], width: number): Run {
    const kept: Run['kept'] = new Map();
    const texts = rows.map((row) => normalized(row.textContent ?? ''));
    const head = width > 20 ? 25 : width > 8 ? 6 : 3;
    for (let index = 0; index < head; index += 1) kept.set(index, 'always');
    kept.set(rows.length - 1, 'always');
    const lower = texts.map((text) => text.toLowerCase());
    const scores = new Map<number, number>();
    for (const word of words) {
      const having = lower.flatMap((text, index) => (text.includes(word) ? [index] : []));
      if (having.length > rows.length / 2) continue;
      for (const index of having) scores.set(index, (scores.get(index) ?? 0) + 1 / having.length);
    }
    const best = [...scores].sort(([, one], [, other]) => other - one).slice(0, maxMatching);
    for (const [index] of best) kept.set(index, 'always');
    const fresh = new Set<number>();
    const wasSeen = rows.some((row) => knownTexts.has(row));
    rows.forEach((row, index) => {
      if (wasSeen && knownTexts.get(row) !== texts[index]) fresh.add(index);
    });
    if (fresh.size > rows.length / 2) fresh.clear();
    for (const index of [...fresh].slice(0, maxNew)) if (!kept.has(index)) kept.set(index, 'passing');
    const inFocus = focused === null ? -1 : rows.findIndex((row) => row.contains(focused));
    if (inFocus !== -1) {
      for (const index of [inFocus - 1, inFocus, inFocus + 1])
        if (index >= 0 && index < rows.length && !kept.has(index)) kept.set(index, 'passing');
    }
    return { parent, rows, kept, texts, fresh };
  }

  /** Finds the long runs, and counts the elements that would be left. */
  function findRuns(width: number): { runs: Run[]; left: number } {
    const runs: Run[] = [];
    let left = 0;
    shadows.length = 0;
    hosts.length = 0;
    const enter = (element: Element): void => {
      left += 1;
      const { shadowRoot, tagName } = element;
      if (shadowRoot !== null) {
        shadows.push(shadowRoot);
        visit(shadowRoot);
      } else if (
        hosts.length < maxHosts &&
        !examined.has(element) &&
        (tagName.includes('-') || (mayHostShadow.test(tagName) && element.childNodes.length === 0))
      ) {
        hosts.push(element);
      }
      visit(element);
    };
    const visit = (parent: Element | ShadowRoot): void => {
      const { children } = parent;
      if (!isBig || children.length <= width) {
        for (const child of children) enter(child);
        return;
      }
      const all = [...children];
      for (let start = 0; start < all.length;) {
        const { tagName } = all[start]!;
        let end = start + 1;
        while (end < all.length && all[end]!.tagName === tagName) end += 1;
        const rows = all.slice(start, end);
        if (rows.length > width && !isFormPart.test(tagName)) {
          const run = selectRows(parent, rows, width);
          runs.push(run);
          for (const index of run.kept.keys()) enter(rows[index]!);
        } else for (const row of rows) enter(row);
        start = end;
      }
    };
    if (document.documentElement !== null) enter(document.documentElement);
    return { runs, left };
  }

  /** A CSS path to an element in its frame, from the nearest unique id. */
  function pathOf(element: Element): string {
    const { parentNode, tagName, id } = element;
    const tag = CSS.escape(tagName.toLowerCase());
    const root = element.getRootNode() as Document | ShadowRoot;
    if (id !== '' && root.querySelectorAll(`#${CSS.escape(id)}`).length === 1)
      return withHost(root, `#${CSS.escape(id)}`);
    if (!(parentNode instanceof Element)) return withHost(root, tag);
    const twins = [...parentNode.children].filter((child) => child.tagName === tagName);
    const own = twins.length === 1 ? tag : `${tag}:nth-of-type(${twins.indexOf(element) + 1})`;
    return `${pathOf(parentNode)} > ${own}`;
  }
  function withHost(root: Document | ShadowRoot, path: string): string {
    return root instanceof ShadowRoot ? `${pathOf(root.host)} >> css=${path}` : path;
  }

  const redirected: Node[] = [];
  const until = performance.now() + forMs;
  function redirect(node: Node, member: 'firstChild' | 'nextSibling', to: Node | null): void {
    const usual = Object.getOwnPropertyDescriptor(Node.prototype, member)!.get!;
    const get = (): Node | null => (performance.now() < until ? to : (usual.call(node) as Node | null));
    Object.defineProperty(node, member, { configurable: true, get });
    redirected.push(node);
  }

  const marks: PruneMark[] = [];
  function markNode(mark: PruneMark): Text {
    marks.push(mark);
    return document.createTextNode(`\uE000${nonce}:${marks.length - 1}\uE001`);
  }

  /** Redirects the traversal of a run: from mark to row to mark, and after the run to its real next sibling. */
  function redirectRun({ parent, rows, kept, texts, fresh }: Run): void {
    const row = CSS.escape(rows[0]!.tagName.toLowerCase());
    const inside = parent instanceof ShadowRoot ? `${pathOf(parent.host)} >> css=` : `${pathOf(parent)} > `;
    const each = `css=${inside}${row}`;
    const places = new Map<string, number[]>();
    texts.forEach((text, index) => places.set(text, [...(places.get(text) ?? []), index]));
    const nodes: Node[] = [];
    let last = -1;
    for (const index of [...kept.keys()].sort((one, other) => one - other)) {
      if (index > last + 1)
        nodes.push(markNode({ kind: 'left', omitted: { count: index - last - 1, selector: each } }));
      const element = rows[index]!;
      const text = texts[index]!;
      // A row that can not be identified by its text gets no anchor.
      const isIdentifiable =
        text !== '' &&
        text.length <= 400 &&
        element.querySelector('script, style, noscript, input[type=submit], input[type=button]') === null &&
        ![...element.querySelectorAll('*')].some(({ shadowRoot }) => shadowRoot !== null);
      const equal = places.get(text)!;
      const anchor = {
        selector: `${each} >> internal:has-text=${JSON.stringify(text)}s`,
        nth: equal.indexOf(index),
        of: equal.length,
        ...(kept.get(index) === 'passing' ? { isTransient: true } : {}),
      };
      if (isIdentifiable) anchors.set(element, anchor);
      nodes.push(
        markNode({
          kind: 'row',
          ...(isIdentifiable ? { anchor } : {}),
          ...(fresh.has(index) ? { isNew: true } : {}),
        }),
        element,
      );
      last = index;
    }
    nodes.push(markNode({ kind: 'end' }));
    const before = rows[0]!.previousSibling;
    const after = rows.at(-1)!.nextSibling;
    if (before === null) redirect(parent, 'firstChild', nodes[0]!);
    else redirect(before, 'nextSibling', nodes[0]!);
    nodes.forEach((node, index) => redirect(node, 'nextSibling', nodes[index + 1] ?? after));
  }

  let surveyed = findRuns(maxRunLengths[0]);
  for (const width of maxRunLengths.slice(1)) if (isBig && surveyed.left > maxElements) surveyed = findRuns(width);
  for (const { rows, texts } of surveyed.runs) rows.forEach((row, index) => knownTexts.set(row, texts[index]!));
  // In reverse, so that a run that follows another in the same parent is found where it really begins.
  for (const run of surveyed.runs.reverse()) redirectRun(run);

  home.__surefootHosts = hosts;
  // An element that is no host becomes one only when its class is defined.
  for (const host of hosts) if (host.matches(':defined')) examined.add(host);
  home.__surefootWiden = () => {
    for (const node of redirected) {
      Reflect.deleteProperty(node, 'firstChild');
      Reflect.deleteProperty(node, 'nextSibling');
    }
    redirected.length = 0;
  };
  const hasCanvas = [document, ...shadows].some((root) =>
    [...root.querySelectorAll('canvas')].some((canvas) => {
      const { width, height } = canvas.getBoundingClientRect();
      return Math.min(width, height) >= 16 && getComputedStyle(canvas).pointerEvents !== 'none';
    }),
  );
  const passwords = [document, ...shadows].flatMap((root) =>
    [...root.querySelectorAll<HTMLInputElement>('input[type=password]')].map(({ value }) => value),
  );
  return {
    marks,
    passwords: passwords.filter((value) => value !== ''),
    hosts: hosts.length,
    isInView: document.visibilityState === 'visible',
    hasCanvas,
  };
}

/** Runs in the same world after the snapshot: restores the traversal. */
export function restoreTraversal(): void {
  (globalThis as typeof globalThis & { __surefootWiden?: () => void }).__surefootWiden?.();
}
