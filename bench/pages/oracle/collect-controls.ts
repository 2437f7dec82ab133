/** An element that a person can use, as the page itself shows it. */
export interface Control {
  /** Its place in the list that the page keeps. */
  index: number;
  /** Tag with id, class or text, to find it again. */
  what: string;
  /** Why it is a control. */
  because: string;
}

/** What the oracle keeps in each window of a page. */
export interface OracleWindow {
  surefootListeners?: Map<Element, string[]>;
  surefootControls?: { element: Element; alias: Element | null }[];
}

/**
 * Runs in the page: lists the elements that are controls by tag, role, listener, tab order, editable content or pointer, and
 * that a hit test at their centre finds. Of nested elements that are controls for one reason only, such as a listener,
 * the outer ones with controls of their own inside and the inner ones of a real control are left out.
 */
export function collectControls(): Control[] {
  const home = globalThis as unknown as OracleWindow;
  const listeners = home.surefootListeners ?? new Map<Element, string[]>();
  const TAGS =
    'a[href],button,input:not([type=hidden]),select,textarea,summary,area[href],[contenteditable=""],[contenteditable=true]';
  const ROLES =
    'button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem textbox searchbox combobox slider spinbutton gridcell'.split(
      ' ',
    );
  const jquery = (globalThis as { jQuery?: { _data?: (node: Node, key: string) => unknown } }).jQuery;

  const everything = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot ? everything(element.shadowRoot) : []),
    ]);
  const parentOf = (element: Element): Element | null =>
    element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as ShadowRoot).host ?? null;
  const isWithin = (inner: Element | null, outer: Element): boolean => {
    for (let each = inner; each !== null; each = parentOf(each)) if (each === outer) return true;
    return false;
  };
  const cursorOf = (element: Element | null): string => (element === null ? '' : getComputedStyle(element).cursor);

  /** Frameworks listen at a root for elements below: React keeps the handlers as properties of the element. */
  const hasFrameworkHandler = (element: Element): boolean => {
    const key = Object.keys(element).find((each) => each.startsWith('__reactProps$'));
    const props = key === undefined ? {} : (element as unknown as Record<string, Record<string, unknown>>)[key]!;
    return ['onClick', 'onMouseDown', 'onPointerDown'].some((name) => typeof props[name] === 'function');
  };
  const delegated = [document, document.body].flatMap((root) => {
    const events = (jquery?._data?.(root, 'events') ?? {}) as { click?: { selector?: string }[] };
    return (events.click ?? []).flatMap(({ selector }) => selector ?? []);
  });

  const namedBy = (element: Element): Element | null => {
    if (!(element instanceof HTMLLabelElement)) return null;
    const naming = element.id === '' ? null : document.querySelector(`[aria-labelledby~="${CSS.escape(element.id)}"]`);
    return element.control ?? naming;
  };
  /** What a label is clicked for: the box or switch that it labels. To a field it only gives the focus. */
  const labelled = (element: Element): Element | null => {
    const control = namedBy(element);
    const boxes = '[type=checkbox],[type=radio],[type=file],[role=radio],[role=checkbox],[role=switch]';
    return control?.matches(boxes) === true ? control : null;
  };
  const strong = (element: Element): string => {
    const role = element.getAttribute('role') ?? '';
    if (element.matches(TAGS)) return element.hasAttribute('contenteditable') ? 'editable' : 'tag';
    if (ROLES.includes(role)) return `role ${role}`;
    if (labelled(element) !== null) return 'label';
    return element.hasAttribute('tabindex') && (element as HTMLElement).tabIndex >= 0 ? 'tabindex' : '';
  };
  const weak = (element: Element): string => {
    if (listeners.has(element)) return `listens to ${listeners.get(element)!.join(', ')}`;
    if (hasFrameworkHandler(element)) return 'handler of the framework';
    if (delegated.some((selector) => element.matches(selector))) return 'delegated handler';
    if ((element as HTMLElement).draggable && !element.matches('a,img')) return 'draggable';
    const isPointer = cursorOf(element) === 'pointer' && cursorOf(parentOf(element)) !== 'pointer';
    return isPointer ? 'pointer' : '';
  };

  const hitAt = (x: number, y: number): Element | null => {
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (inner === null || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const isVisible = (element: Element): boolean => {
    const boxOf = (): DOMRect | undefined =>
      [...element.getClientRects()].find(({ width, height }) => width > 1 && height > 1);
    const first = boxOf();
    if (first === undefined || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      return false;
    if (element.closest('[inert]') !== null) return false;
    const isInside = first.top >= 0 && first.bottom <= innerHeight && first.left >= 0 && first.right <= innerWidth;
    if (!isInside) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = boxOf()!;
    return isWithin(hitAt(box.left + box.width / 2, box.top + box.height / 2), element);
  };

  const scroll = [scrollX, scrollY] as const;
  const all = everything(document).filter(
    (element) => element !== document.body && element !== document.documentElement,
  );
  const found = all.flatMap((element) => {
    const [firm, loose] = [strong(element), weak(element)];
    return (firm !== '' || loose !== '') && isVisible(element) ? [{ element, firm, loose }] : [];
  });
  scrollTo(...scroll);
  const kept = found.filter(({ element, firm }) => {
    const control = namedBy(element);
    if (control !== null && found.some((other) => other.element === control)) return false;
    if (labelled(element) !== null) return true;
    if (firm !== '') return true;
    const others = found.filter((other) => other.element !== element);
    return !others.some(
      (other) => isWithin(other.element, element) || (other.firm !== '' && isWithin(element, other.element)),
    );
  });
  home.surefootControls = kept.map(({ element }) => ({
    element,
    alias: labelled(element),
  }));
  return kept.map(({ element, firm, loose }, index) => {
    const [id, name] = [element.id && `#${element.id}`, element.getAttribute('class')?.split(' ')[0]];
    const text = (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 30);
    const what = `${element.localName}${id || (name ? `.${name}` : '')}${text && ` “${text}”`}`;
    return { index, what, because: firm || loose };
  });
}
