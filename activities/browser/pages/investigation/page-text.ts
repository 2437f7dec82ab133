/** These functions run in a page, so they use nothing from outside themselves. */

/**
 * Reads the visible text of a document with its open shadow trees, up to `limit` characters: dialogs first, then the
 * text around the focus, then the rest.
 */
export function readText({ focus, limit }: { focus: string[]; limit: number }): { text: string; found: string[] } {
  const blocks: { text: string; isInFront: boolean }[] = [];
  const line = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const visit = (root: Document | ShadowRoot): void => {
    const top = root instanceof Document ? [...(root.body?.children ?? [])] : [...root.children];
    for (const element of top) {
      if (!(element instanceof HTMLElement)) continue;
      const isInFront = element.querySelector('dialog[open],[role=dialog],[role=alertdialog]') !== null;
      for (const text of element.innerText.split('\n'))
        if (line(text) !== '') blocks.push({ text: line(text), isInFront });
    }
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot !== null) visit(element.shadowRoot);
  };
  visit(document);
  const sought = focus.map((each) => line(each).toLowerCase()).filter((each) => each !== '');
  const isSought = blocks.map(({ text }) => sought.some((each) => text.toLowerCase().includes(each)));
  const isNear = blocks.map((_, index) => isSought.slice(Math.max(0, index - 3), index + 4).includes(true));
  const rank = (index: number): number => (blocks[index]!.isInFront ? 0 : isNear[index] === true ? 1 : 2);
  const order = blocks.map((_, index) => index).sort((one, other) => rank(one) - rank(other) || one - other);
  const included = new Set<number>();
  let remaining = limit;
  for (const index of order) {
    remaining -= blocks[index]!.text.length + 1;
    if (remaining < 0) break;
    included.add(index);
  }
  const whole = blocks.map(({ text }) => text.toLowerCase()).join('\n');
  return {
    text: blocks.flatMap(({ text }, index) => (included.has(index) ? [text] : [])).join('\n'),
    found: focus.filter((each) => whole.includes(line(each).toLowerCase())),
  };
}

/**
 * Reads the markup of the smallest parts of a document that contain the focus, never the whole page. Labels,
 * placeholders, titles and names count as text.
 */
export function readParts({ focus, limit, most }: { focus: string[]; limit: number; most: number }): {
  parts: string[];
  elements: number;
} {
  const PARTS = 'li,tr,form,fieldset,section,article,dialog,nav,[role=dialog],[role=row],[role=listitem],p,div';
  const ATTRIBUTES = ['aria-label', 'placeholder', 'title', 'alt', 'name', 'value', 'id'];
  const line = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();
  const sought = focus.map(line).filter((each) => each !== '');
  const parts: string[] = [];
  const taken = new Set<Element>();
  let elements = 0;
  let remaining = limit;
  const says = (element: Element): boolean => {
    if (/^(?:SCRIPT|STYLE|TEMPLATE)$/.test(element.tagName)) return false;
    const isPassword = element instanceof HTMLInputElement && element.type === 'password';
    const own = [...element.childNodes].flatMap((node) => (node.nodeType === 3 ? [node.nodeValue ?? ''] : []));
    const said = ATTRIBUTES.map((name) => (isPassword && name === 'value' ? '' : (element.getAttribute(name) ?? '')));
    return [own.join(' '), ...said].some((text) => sought.some((each) => line(text).includes(each)));
  };
  const visit = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot !== null) visit(element.shadowRoot);
      if (!says(element)) continue;
      elements += 1;
      const part = element.parentElement?.closest(PARTS) ?? element;
      const isPage = part === document.body || part === document.documentElement;
      const chosen = isPage ? element : part;
      if (taken.has(chosen) || chosen === document.body || chosen === document.documentElement) continue;
      taken.add(chosen);
      const copy = chosen.cloneNode(true) as Element;
      for (const each of copy.querySelectorAll('script,style,template,svg')) each.remove();
      for (const each of copy.querySelectorAll('input[type=password]')) each.removeAttribute('value');
      const markup = copy.outerHTML.replace(/\s+/g, ' ').slice(0, Math.max(0, Math.floor(limit / 4)));
      if (parts.length >= most || markup.length > remaining) continue;
      remaining -= markup.length;
      parts.push(markup);
    }
  };
  visit(document);
  return { parts, elements };
}

/** Describes the elements that a selector matches. */
export function readCandidate(found: Element[]): {
  matches: number;
  isEnabled: boolean;
  markup: string;
  around: string;
} {
  const [element] = found;
  if (element === undefined) return { matches: 0, isEnabled: false, markup: '', around: '' };
  const line = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();
  const shell = element.cloneNode(false) as Element;
  if (shell instanceof HTMLInputElement) shell.removeAttribute('value');
  const own = line(element.textContent);
  let around = '';
  const above = (inner: Element): Element | null =>
    inner.parentElement ??
    (inner.getRootNode() instanceof ShadowRoot ? (inner.getRootNode() as ShadowRoot).host : null);
  for (let outer = above(element); outer !== null && outer !== document.body; outer = above(outer)) {
    // Without the text of scripts: the first ancestor that says more is what a person sees beside the element.
    around = line(outer instanceof HTMLElement ? outer.innerText : outer.textContent);
    if (around.length > own.length + 1) break;
  }
  return {
    matches: found.length,
    isEnabled: !element.matches(':disabled,[aria-disabled=true]'),
    markup: shell.outerHTML.slice(0, 600),
    around: around.slice(0, 400),
  };
}
