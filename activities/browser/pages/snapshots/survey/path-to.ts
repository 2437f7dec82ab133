/** How an element is found again in its frame. */
export interface Locator {
  selector: string;
  nth: number;
  of: number;
}

/**
 * Runs in an isolated world. Returns a function that says how an element is found without its role and name: by test id,
 * id, another attribute that no other element has, or else its place below the nearest ancestor that has one; and by
 * its text, so that another element in its place isn't taken for it. The function holds while the document stays as it is.
 */
export function createPathTo(): (element: Element) => Locator | undefined {
  type Rows = typeof globalThis & { __surefootRows?: WeakMap<Element, Locator> };
  const rows = (globalThis as Rows).__surefootRows;
  const IDENTITIES = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa', 'id'];
  const NAMES = [
    'name',
    'aria-label',
    'placeholder',
    'title',
    'alt',
    'for',
    'href',
    'data-value',
    'data-id',
    'data-key',
    'src',
  ];
  const COUNTED = [...IDENTITIES, ...NAMES];
  /** Ids that a framework numbers anew for each page. */
  const isNumbered = (id: string): boolean =>
    /\d{3,}|[0-9a-f]{8}|[:«»]|^(?:radix|react|headlessui|mui|mat|ember|ext|yui|gwt)\b/i.test(id);
  const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const normalized = (text: string): string =>
    text
      .replaceAll(/[\u200b\u00ad]/g, '')
      .trim()
      .replaceAll(/\s+/g, ' ');

  /** Playwright compares a text with `s` to the whole one, so that of a long one the beginning is looked for inside, by `i`. */
  const hasText = (text: string): string =>
    text.length > 80 ? `${JSON.stringify(text.slice(0, 80).trim())}i` : `${JSON.stringify(text)}s`;

  /** How many elements of a tree have an attribute with this value. */
  const countsOf = new Map<Document | ShadowRoot, Map<string, number>>();
  function countIn(root: Document | ShadowRoot, key: string): number {
    let counts = countsOf.get(root);
    if (counts === undefined) {
      counts = new Map();
      for (const one of root.querySelectorAll(COUNTED.map((name) => `[${name}]`).join()))
        for (const name of COUNTED) {
          const value = one.getAttribute(name);
          if (value === null || value === '' || value.length > 120) continue;
          const keys = NAMES.includes(name) ? `${one.localName}[${name}=${value}` : `[${name}=${value}`;
          counts.set(keys, (counts.get(keys) ?? 0) + 1);
        }
      countsOf.set(root, counts);
    }
    return counts.get(key) ?? 0;
  }

  /** The attribute of an element that no other element of its tree has, best first. */
  function uniquely(one: Element, root: Document | ShadowRoot): { css: string; isIdentity: boolean } | undefined {
    for (const name of COUNTED) {
      const value = one.getAttribute(name);
      if (value === null || value === '' || value.length > 120 || /[\n\r]/.test(value)) continue;
      if (name === 'id' && isNumbered(value)) continue;
      // The address of a frame; what follows the question mark is often made for one visit.
      if (name === 'src' && (!one.matches('iframe, frame') || /[?#]/.test(value))) continue;
      const isIdentity = IDENTITIES.includes(name);
      if (countIn(root, `${isIdentity ? '' : one.localName}[${name}=${value}`) !== 1) continue;
      if (name === 'id') return { css: `#${CSS.escape(value)}`, isIdentity };
      return { css: `${isIdentity ? '' : CSS.escape(one.localName)}[${name}=${quoted(value)}]`, isIdentity };
    }
    return undefined;
  }

  /** What distinguishes icons that have no text. */
  function iconOf(one: Element): string {
    const icon = one.querySelector('svg[data-icon], svg[data-testid], use, i[class], span[class*=icon], img[src]');
    for (const name of ['data-icon', 'data-testid', 'href', 'src']) {
      const value = icon?.getAttribute(name) ?? '';
      if (value !== '' && value.length < 100) return `:has(${icon!.localName}[${name}=${quoted(value)}])`;
    }
    const named = [...(icon?.classList ?? [])].filter((each) => /[-_]/.test(each)).slice(0, 2);
    return named.length === 0 ? '' : `:has(${named.map((each) => `.${CSS.escape(each)}`).join('')})`;
  }

  /** The place of each child among those of its kind. */
  const stepsOf = new Map<ParentNode, Map<Element, string>>();
  function stepOf(one: Element): string {
    const parent = one.parentNode as ParentNode;
    let steps = stepsOf.get(parent);
    if (steps === undefined) {
      steps = new Map();
      const counts = new Map<string, number>();
      for (const { localName } of parent.children) counts.set(localName, (counts.get(localName) ?? 0) + 1);
      const passed = new Map<string, number>();
      for (const child of parent.children) {
        const { localName } = child;
        const nth = (passed.get(localName) ?? 0) + 1;
        passed.set(localName, nth);
        const tag = CSS.escape(localName);
        steps.set(child, counts.get(localName) === 1 ? tag : `${tag}:nth-of-type(${nth})`);
      }
      stepsOf.set(parent, steps);
    }
    return steps.get(one)!;
  }

  interface Path {
    path: string;
    row?: Locator;
    isIdentity: boolean;
  }
  const paths = new Map<Element, Path | undefined>();
  function pathFrom(one: Element): Path | undefined {
    if (!paths.has(one)) paths.set(one, findPath(one));
    return paths.get(one);
  }

  /** Shadow trees are entered from their hosts: `host >> css=inner`. */
  function findPath(one: Element): Path | undefined {
    const root = one.getRootNode();
    if (!(root instanceof Document || root instanceof ShadowRoot)) return undefined;
    const unique = uniquely(one, root);
    const { parentElement } = one;
    if (unique === undefined && parentElement !== null) {
      const row = rows?.get(parentElement);
      if (row !== undefined) return { path: `css=:scope > ${stepOf(one)}`, row, isIdentity: false };
      const outer = pathFrom(parentElement);
      return outer && { ...outer, path: `${outer.path} > ${stepOf(one)}`, isIdentity: false };
    }
    const own = `css=${unique?.css ?? stepOf(one)}`;
    if (!(root instanceof ShadowRoot)) return { path: own, isIdentity: unique?.isIdentity ?? false };
    const outer = pathFrom(root.host);
    const isIdentity = unique?.isIdentity === true && outer?.isIdentity === true;
    return outer && { ...outer, path: `${outer.path} >> ${own}`, isIdentity };
  }

  return (element) => {
    const found = pathFrom(element);
    if (found === undefined) return undefined;
    const { path, row, isIdentity } = found;
    let selector = path;
    const isEdited = element.matches('input, textarea, select') || (element as HTMLElement).isContentEditable;
    if (!isIdentity && !isEdited) {
      const whole = element.textContent ?? '';
      const text = whole.length > 2000 ? '' : normalized(whole);
      if (text === '') selector += iconOf(element);
      else if (element.querySelector('script, style, noscript, template, textarea, input, [contenteditable]') === null)
        selector += ` >> internal:has-text=${hasText(text)}`;
    }
    if (row === undefined) return { selector, nth: 0, of: 1 };
    return { selector: `${row.selector} >> ${selector}`, nth: row.nth, of: row.of };
  };
}
