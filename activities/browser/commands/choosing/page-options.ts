/** What a person reads of an option, and what the page says of it. */
export interface PageOption {
  label: string;
  value: string | undefined;
  /** Undefined where the page does not say whether it is chosen. */
  isChosen: boolean | undefined;
  isDisabled: boolean;
  /** An item of a menu does something when it is clicked, each time again. */
  isMenuItem: boolean;
}

/** Runs in the page: what is visible of it, to know later what has come. */
export function visibleElements(): Element[] {
  return [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility({ visibilityProperty: true }));
}

/** Runs in the page: the same before a control is opened, once the popup of another one that has the focus has closed. */
export async function visibleBeforeOpening(node: Element): Promise<Element[]> {
  const active = document.activeElement;
  const isOpen = (): boolean => active?.getAttribute('aria-expanded') === 'true';
  if (
    active instanceof HTMLElement &&
    active.getAttribute('role') === 'combobox' &&
    isOpen() &&
    !node.contains(active)
  ) {
    active.blur();
    const endAt = performance.now() + 500;
    while (isOpen() && performance.now() < endAt) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility({ visibilityProperty: true }));
}

/** Runs in the page: options that stand within a list, a group or a control of several parts. */
export function optionsWithin(node: Element): Element[] {
  const visible = (each: Element): boolean => each.checkVisibility({ visibilityProperty: true });
  const all = (selector: string): Element[] => [...node.querySelectorAll(selector)];
  const lists = [
    '[role=option]',
    // A radio button is often invisible under what its label draws.
    'input[type=radio], [role=radio]',
    '[role=menuitemradio], [role=menuitemcheckbox]',
    'input[type=checkbox], [role=checkbox], [role=switch]',
    '[role=treeitem]',
    '[role=tab]',
    'button[aria-pressed], [role=button][aria-pressed]',
    'button[aria-checked], button[aria-selected]',
  ];
  const found = lists.map((selector) =>
    all(selector).filter((each) => each instanceof HTMLInputElement || visible(each)),
  );
  return found.find((each) => each.length > 0) ?? [];
}

/**
 * Runs in the page: the options that an open control shows: those of the popup that it names, else those with a role that
 * have come since it was opened, else whatever has come and has a text of its own.
 */
export function optionsOf(node: Element, before: readonly Element[]): Element[] {
  const roles =
    '[role=option], [role=menuitemradio], [role=menuitemcheckbox], [role=menuitem], [role=treeitem], [role=gridcell][aria-selected]';
  const isShown = (each: Element): boolean => {
    if (!each.checkVisibility({ visibilityProperty: true })) return false;
    // Some lists have a second, clipped copy for screen readers.
    for (
      let above = each.parentElement, levels = 0;
      above !== null && levels < 6;
      above = above.parentElement, levels += 1
    ) {
      const { width, height } = above.getBoundingClientRect();
      if ((width < 2 || height < 2) && getComputedStyle(above).overflow !== 'visible') return false;
    }
    const { width, height } = each.getBoundingClientRect();
    return width > 1 && height > 1;
  };
  const home = node.getRootNode() as Document | ShadowRoot;
  const parts = [node, ...node.querySelectorAll('[aria-controls], [aria-owns]')];
  const ids = parts.flatMap((part) =>
    ['aria-controls', 'aria-owns'].flatMap((name) => (part.getAttribute(name) ?? '').split(/\s+/)),
  );
  const popups = ids.filter((id) => id !== '').map((id) => home.querySelector(`[id="${CSS.escape(id)}"]`));
  const named = popups.flatMap((popup) => (popup === null ? [] : [...popup.querySelectorAll(roles)])).filter(isShown);
  const isMenu = named.some((each) => each.getAttribute('role')!.startsWith('menuitem'));
  if (named.length > 0 && !isMenu) return named;
  const known = new Set(before);
  const come = [...document.querySelectorAll('body *')].filter((each) => !known.has(each));
  for (const root of come.flatMap((each) => each.shadowRoot ?? [])) come.push(...root.querySelectorAll('*'));
  const own = home instanceof ShadowRoot ? [...home.querySelectorAll(roles)] : [];
  const withRole = [...new Set([...named, ...come.filter((each) => each.matches(roles)), ...own])].filter(isShown);
  if (withRole.length > 0) return withRole;
  const ownText = (each: Element): boolean =>
    [...each.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent!.trim() !== '');
  const isField = (each: Element): boolean =>
    each.matches('input, textarea, select, script, style, [aria-live], [aria-live] *');
  const isText = (each: Element): boolean => ownText(each) && !isField(each) && isShown(each);
  const texts = come.filter(isText);
  const isExpanded = node.matches('[aria-expanded=true]') || node.querySelector('[aria-expanded=true]') !== null;
  if (!isExpanded) return texts;
  // What is drawn stands beside the list that the control names.
  let drawn: Element[] = [];
  for (const popup of popups)
    for (
      let around = popup?.parentElement ?? null, levels = 0;
      around !== null && around !== document.body && levels < 3 && drawn.length === 0;
      levels += 1, around = around.parentElement
    )
      drawn = [...around.querySelectorAll('*')].filter(isText);
  // It was open before: by an earlier command, or by a worker that died.
  if (drawn.some((each) => known.has(each))) return drawn;
  if (texts.length > 0) return texts;
  if (drawn.length > 0) return drawn;
  return [...document.querySelectorAll(roles)].filter(isShown);
}

/** Runs in the page: what a reader has of each option. */
export function describeOptions(options: readonly Element[]): PageOption[] {
  const labelOf = (each: Element): string => {
    const labels = (each as HTMLInputElement).labels;
    const byId = (each.getAttribute('aria-labelledby') ?? '')
      .split(/\s+/)
      .flatMap((id) => document.getElementById(id)?.innerText ?? []);
    const own =
      each instanceof HTMLInputElement
        ? [...(labels ?? [])].map((label) => label.innerText).join(' ')
        : (each as HTMLElement).innerText;
    const named = byId.join(' ') || each.getAttribute('aria-label') || '';
    return (
      (each instanceof HTMLInputElement ? named || own : own || named) ||
      each.getAttribute('title') ||
      each.textContent ||
      ''
    );
  };
  return options.map((each) => {
    const state = ['aria-checked', 'aria-pressed', 'aria-selected']
      .map((name) => each.getAttribute(name))
      .find((value) => value !== null);
    const isNative = each instanceof HTMLInputElement;
    const isTab = each.getAttribute('role') === 'tab' || each.getAttribute('role') === 'option';
    return {
      label: labelOf(each),
      value: each.getAttribute('data-value') ?? each.getAttribute('value') ?? undefined,
      isChosen: isNative ? each.checked : state === undefined ? (isTab ? false : undefined) : state === 'true',
      isDisabled: each.matches(':disabled, [aria-disabled="true"], [data-disabled]:not([data-disabled="false"])'),
      isMenuItem: each.getAttribute('role') === 'menuitem',
    };
  });
}

/** Runs in the page: scrolls the list of these options on by most of a view; false at its end. `toTop` begins anew. */
export async function scrollOptions(options: readonly Element[], toTop: boolean): Promise<boolean> {
  for (
    let above = options[0]?.parentElement ?? null;
    above !== null && above !== document.body;
    above = above.parentElement
  ) {
    const isScrolling =
      above.scrollHeight > above.clientHeight + 1 && /auto|scroll|hidden/.test(getComputedStyle(above).overflowY);
    if (!isScrolling || above.clientHeight < 10) continue;
    const start = above.scrollTop;
    if (toTop) above.scrollTop = 0;
    else above.scrollTop = start + Math.max(above.clientHeight * 0.9, 20);
    if (above.scrollTop === start) continue;
    // Its options are drawn with the frame after the scroll, where there are frames.
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 250);
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    });
    return true;
  }
  return false;
}
