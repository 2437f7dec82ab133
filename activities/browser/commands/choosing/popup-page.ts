/** Functions that run in the page, on a control that shows its options when it is opened. */

/** True when the control says that it is open, or the popup that it names is there. */
export function isPopupOpen(node: Element): boolean {
  const parts = [node, ...node.querySelectorAll('[aria-expanded]')];
  if (parts.some((part) => part.getAttribute('aria-expanded') === 'true')) return true;
  if (parts.some((part) => part.hasAttribute('aria-expanded'))) return false;
  const id = node.getAttribute('aria-controls') ?? node.getAttribute('aria-owns');
  const popup = id === null ? null : document.getElementById(id);
  return (
    popup !== null && popup.checkVisibility({ visibilityProperty: true }) && popup.getBoundingClientRect().height > 1
  );
}

/** What is to be clicked to open it: its value may be drawn over the field that has the role. */
export function openerOf(node: Element): Element {
  node.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const { left, top, width, height } = node.getBoundingClientRect();
  const hit = (node.getRootNode() as Document | ShadowRoot).elementFromPoint(left + width / 2, top + height / 2);
  if (hit === null || node.contains(hit) || hit.contains(node)) return node;
  let around = node.parentElement;
  for (let levels = 0; around !== null && levels < 4; levels += 1, around = around.parentElement) {
    if (around.querySelectorAll('input:not([type=hidden]), select, textarea, [role=combobox]').length > 1) return node;
    if (around.contains(hit)) return hit;
  }
  return node;
}

/** What the control shows to be chosen. `isText`: nobody can have typed it without choosing. */
export function textOfOption(node: Element): { text: string; isText: boolean } {
  const isField = (each: Element): each is HTMLInputElement =>
    each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement;
  const popups = '[role=listbox], [role=option], [role=menu], [role=tree], [role=grid], [role=dialog], label';
  const textOf = (root: Element): string => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
      const parent = text.parentElement!;
      if (parent.closest(popups) === null && parent.checkVisibility({ visibilityProperty: true }))
        texts.push(text.textContent!);
    }
    return texts.join(' ');
  };
  if (!isField(node)) {
    const inner = node.querySelector('input:not([type=hidden])');
    const value = inner instanceof HTMLInputElement ? ` ${inner.value}` : '';
    return { text: (textOf(node) + value).trim(), isText: inner === null };
  }
  let text = node.value;
  let around = node.parentElement;
  for (let levels = 0; around !== null && levels < 4; levels += 1, around = around.parentElement) {
    if (around.querySelectorAll('input:not([type=hidden]):not([aria-hidden=true]), select, textarea').length > 1) break;
    const whole = textOf(around);
    if (whole.length > 300) break;
    text = `${node.value} ${whole}`;
  }
  return { text: text.trim(), isText: node.readOnly && node.value !== '' };
}

/** The field that narrows the options: the control itself, or one that has come with the popup. */
export function searchFieldOf(node: Element, before: readonly Element[]): Element | null {
  const fields = 'input:not([type]), input[type=text], input[type=search], [contenteditable=true]';
  const canType = (each: Element): boolean =>
    !(each instanceof HTMLInputElement && (each.readOnly || each.disabled)) &&
    each.checkVisibility({ visibilityProperty: true });
  const own = [node, ...node.querySelectorAll(fields)].find((each) => each.matches(fields) && canType(each));
  if (own !== undefined) return own;
  const known = new Set(before);
  return [...document.querySelectorAll(fields)].find((each) => !known.has(each) && canType(each)) ?? null;
}

/** True when several options of it can be chosen, as its open list says. */
export function takesSeveral(node: Element): boolean {
  const parts = [node, ...node.querySelectorAll('[aria-controls], [aria-owns]')];
  const ids = parts.map((part) => part.getAttribute('aria-controls') ?? part.getAttribute('aria-owns') ?? '');
  const lists = ids.map((id) => document.getElementById(id));
  return lists.some((list) => list?.closest('[aria-multiselectable=true]') !== null && list !== null);
}

/** How often a text stands on the page. */
export function countText(_: Element, text: string): number {
  const plain = (each: string): string => each.replace(/\s+/g, ' ').toLowerCase();
  return plain(document.body.innerText).split(plain(text).trim()).length - 1;
}
