import type { ControlActs } from '../../../../../contracts/browsers/control-acts';
import type { readGrid } from '../../../../results/table-grid';
import type { createArrangement } from './arrangement';
import type { attributesOf } from './attributes-of';
import type { createNotices } from './notices';
import type { Locator } from './path-to';
import type { ControlState } from './state-of';
import type { Survey, SurveyedElement } from './survey';

/** What the survey knows of the snapshot's tree of this frame. */
export interface SurveyInput {
  /** All refs of the frame. */
  refs: string[];
  /** Those of elements that role and name do not find. */
  withoutName: string[];
  /** Those of elements in whose text two words may stand as one. */
  glued: string[];
  handled: Record<string, number>;
  /** The number of the first ref that Playwright does not reach. */
  firstRef: number;
}

/** Functions that run in the page beside the survey; each is self-contained. */
export interface SurveyTools {
  createPathTo: () => (element: Element) => Locator | undefined;
  createDrawingOf: () => (element: Element) => string | undefined;
  visibilityOf: (element: Element) => string | undefined;
  labelOf: (element: Element) => string;
  submitsOf: (element: Element) => string | undefined;
  createActsOf: (
    kindsOf: (each: Element) => number,
    handled: Record<string, number>,
  ) => (control: Element) => ControlActs;
  stateOf: (element: Element, kinds: number, handled: Record<string, number>) => ControlState;
  watchClicks: () => () => Element[];
  createNotices: typeof createNotices;
  readGrid: typeof readGrid;
  createArrangement: typeof createArrangement;
  attributesOf: typeof attributesOf;
  spacedTextOf: (element: Element) => string;
}

/**
 * Runs in Playwright's isolated world after its snapshot, while long runs are still pruned. Playwright leaves the ref,
 * role and name that it computed at each element; the survey adds what its tree does not say of controls, the
 * controls that it lacks, and how an element without a name is found again.
 */
export function surveyPage(
  { refs, withoutName, glued, handled, firstRef }: SurveyInput,
  tools: SurveyTools,
  changedByClick: () => Element[],
): Survey {
  type Known = Element & { _ariaRef?: { ref: string; role: string; name: string } };
  const home = globalThis as typeof globalThis & {
    __surefootHandlers?: WeakMap<Element, number>;
    __surefootRefs?: { next: number; of: WeakMap<Element, string> };
  };
  const pathTo = tools.createPathTo();
  const drawingOf = tools.createDrawingOf();
  const handlers = home.__surefootHandlers;
  const actsOf = tools.createActsOf((each) => handlers?.get(each) ?? 0, handled);
  // An element keeps its own.
  const own = (home.__surefootRefs ??= { next: firstRef, of: new WeakMap() });
  const inTree = new Set(refs);
  const gone = new Set(refs);
  const nameless = new Set(withoutName);
  const mayBeGlued = new Set(glued);
  const texts: Survey['texts'] = [];
  const prefix = /^f\d+/.exec(refs[0] ?? '')?.[0] ?? '';
  const NATIVE =
    'a[href], button, input, select, textarea, summary, iframe, audio[controls], video[controls], [contenteditable=""], [contenteditable=true], [contenteditable=plaintext-only]';
  const ROLES =
    /^(?:button|link|checkbox|radio|tab|menuitem(?:checkbox|radio)?|option|switch|combobox|textbox|searchbox|slider|spinbutton|treeitem|listbox|gridcell|scrollbar|separator)$/;
  /** Controls whose parts are no controls of their own, unless they are native ones. */
  const WHOLE = 'a[href], button, summary, input, textarea, [contenteditable=""], [contenteditable=true]';
  const WHOLE_ROLES = /^(?:button|link|checkbox|radio|tab|menuitem(?:checkbox|radio)?|option|switch)$/;
  const STRUCTURES = /^(?:list|listitem|tree|table|grid|row|rowgroup|paragraph|main|document)$/;
  const TAG_ROLES: Record<string, string> = {
    A: 'link',
    BUTTON: 'button',
    SUMMARY: 'button',
    SELECT: 'combobox',
    TEXTAREA: 'textbox',
  };
  const CLICKS = handled.click! | handled.press! | handled.double!;
  const elements: SurveyedElement[] = [];
  const named: Survey['named'] = [];
  let isHitTested = 0;
  const arrangement = tools.createArrangement(tools.readGrid);
  const notices = tools.createNotices();

  const refOf = (element: Known): string => {
    if (element._ariaRef !== undefined) return element._ariaRef.ref;
    const given = own.of.get(element) ?? `${prefix}e${own.next++}`;
    own.of.set(element, given);
    return given;
  };
  const hasBox = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const textOf = (element: Element): string =>
    ((element as HTMLElement).innerText ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 120);

  /** Hides a control that only its label shows. */
  const standsForControl = (element: Element): boolean =>
    element instanceof HTMLLabelElement && element.control !== null && !hasBox(element.control);
  /** A listener on a part of the page waits for events of what is in it. */
  const isDelegating = (element: Element, isPointer: boolean): boolean => {
    if (element === document.documentElement || element === document.body) return true;
    if (isPointer || element.matches('canvas, svg, svg *')) return false;
    const { width, height } = element.getBoundingClientRect();
    const isWide = width * height > (innerWidth * innerHeight) / 2;
    return (isWide && element.childElementCount > 0) || element.getElementsByTagName('*').length > 40;
  };

  interface Place {
    /** The nearest element of the tree around it. */
    within: string | undefined;
    isInControl: boolean;
    isPointer: boolean;
    isAriaHidden: boolean;
    isEditable: boolean;
    /** The nearest element around it that the tree lacks, where none of the tree is between them. */
    missing: SurveyedElement | undefined;
  }
  /** The last element of the tree that was passed. */
  let after: string | undefined;

  function examine(element: Known, place: Place): Place {
    const ref = element._ariaRef?.ref;
    const isShown = ref !== undefined && inTree.has(ref);
    const isAriaHidden = place.isAriaHidden || element.getAttribute('aria-hidden') === 'true';
    const style = getComputedStyle(element);
    const isPointer = style.cursor === 'pointer';
    const kinds = handlers?.get(element) ?? 0;
    const isNative = element.matches(NATIVE);
    const role = element.getAttribute('role')?.trim().split(/\s+/)[0] ?? '';
    const isEditable = (element as HTMLElement).isContentEditable === true;
    const isPointerRoot = isPointer && !place.isPointer;
    const isClicked =
      (kinds & (CLICKS | handled.context!)) !== 0 &&
      !isDelegating(element, isPointer) &&
      !(place.isInControl && !isNative);
    const isDragged = (kinds & (handled.drag! | handled.drop!)) !== 0 || element.getAttribute('draggable') === 'true';
    const isHandled = isClicked || isDragged || ((kinds & handled.key!) !== 0 && element.matches('[tabindex], canvas'));
    const isControl =
      isNative ||
      ROLES.test(role) ||
      isHandled ||
      (isEditable && !place.isEditable) ||
      (!place.isInControl && (isPointerRoot || standsForControl(element) || element.matches('[tabindex="0"]')));
    if (isShown && ref !== undefined) {
      after = ref;
      gone.delete(ref);
      place.missing?.missing?.holds.push(ref);
      if (mayBeGlued.has(ref) && element.childNodes.length > 1) texts.push([ref, tools.spacedTextOf(element)]);
    }
    arrangement.note(element, style, isShown ? ref : undefined);
    notices.note(element, style, isShown ? ref : undefined);
    const known = element._ariaRef;
    const mayBeNamed = known !== undefined && known.role !== 'generic' && !isAriaHidden;
    if (mayBeNamed && (isShown || hasBox(element))) named.push([known.ref, known.role, known.name.slice(0, 130)]);
    const isNeeded = isShown && (nameless.has(ref) || isAriaHidden);
    const isPart = place.isInControl && !isNative && !isHandled && !ROLES.test(role);
    const isMissing =
      isControl && !isShown && !isPart && !element.matches('iframe, option, optgroup') && hasBox(element);
    const missing =
      isNeeded || isMissing || (isControl && isShown)
        ? describe(element, { isControl, isMissing, isNeeded, isClicked, isPointerRoot, isAriaHidden }, kinds, place)
        : undefined;
    return {
      within: isShown ? ref : place.within,
      isInControl: place.isInControl || element.matches(WHOLE) || WHOLE_ROLES.test(role),
      isPointer,
      isAriaHidden,
      isEditable,
      missing: isShown ? undefined : (missing ?? place.missing),
    };
  }

  function describe(
    element: Known,
    is: Record<'isControl' | 'isMissing' | 'isNeeded' | 'isClicked' | 'isPointerRoot' | 'isAriaHidden', boolean>,
    kinds: number,
    { within, missing }: Place,
  ): SurveyedElement | undefined {
    const known = element._ariaRef;
    const ref = refOf(element);
    const found: SurveyedElement = { ref };
    if (is.isControl)
      Object.assign(found, tools.stateOf(element, kinds, handled), {
        attributes: tools.attributesOf(element, tools.submitsOf(element)),
        acts: actsOf(element),
        drawing: drawingOf(element),
      });
    // A code editor draws its text over the field that takes it.
    const drawn = element.matches('textarea') ? (element.closest('.monaco-editor, .CodeMirror') ?? element) : element;
    if (is.isControl && (isHitTested += 1) <= 800) found.unreachable = tools.visibilityOf(drawn);
    // Its listener may be that of a part around it; of what is in the tree the tree says that the pointer is a hand there.
    const isHand = is.isMissing && is.isPointerRoot;
    if (is.isClicked || isHand || standsForControl(element)) found.isClickable = true;
    if (is.isAriaHidden) found.ariaHidden = true;
    const text = is.isMissing ? textOf(element) : '';
    // What can be edited is its content, never its name.
    const { isContentEditable } = element as HTMLElement;
    const name = is.isMissing && !isContentEditable ? text : (known?.name ?? '').replaceAll(/[\uE000-\uF8FF\s]/g, '');
    const isUnnamed = name === '';
    // The text of a group stands in the tree.
    const isGroup = !is.isMissing && known?.role === 'generic';
    const isStructure = STRUCTURES.test(known?.role ?? '');
    const isNamedByText = isGroup && !isContentEditable && textOf(element) !== '';
    if (is.isControl && isUnnamed && !isStructure && !isNamedByText) found.label = tools.labelOf(element);
    if (is.isNeeded || is.isMissing || isGroup || found.label) found.locator = pathTo(element);
    if (is.isMissing) {
      const role =
        known !== undefined && known.role !== 'generic' ? known.role : (TAG_ROLES[element.tagName] ?? 'generic');
      const secret = element.matches('input, textarea, select, [contenteditable]');
      found.missing = {
        role,
        text: secret ? '' : text,
        within,
        after: after === within ? undefined : after,
        inside: missing?.ref,
        holds: [],
      };
      after = ref;
    }
    elements.push(found);
    return found.missing && found;
  }

  /** In the order of a selector's matches: a document, then the shadow trees in it. */
  function visitRoot(root: Document | ShadowRoot, place: Place): void {
    const shadows: [ShadowRoot, Place][] = [];
    const visit = (parent: Node, around: Place): void => {
      for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
        if (!(child instanceof Element) || /^(?:SCRIPT|STYLE|HEAD|TEMPLATE|NOSCRIPT)$/.test(child.tagName)) continue;
        const inner = examine(child, around);
        if (child.shadowRoot !== null) shadows.push([child.shadowRoot, inner]);
        visit(child, inner);
      }
    };
    visit(root, place);
    for (const [shadow, host] of shadows) visitRoot(shadow, host);
  }

  /** The ref under which the snapshot has the element, or what is around it. */
  function shownRefOf(element: Element, shown: ReadonlySet<string>): string | undefined {
    for (let each: Known | null = element; each !== null; each = parentOf(each)) {
      const ref = each._ariaRef?.ref ?? own.of.get(each);
      if (ref !== undefined && shown.has(ref)) return ref;
    }
    return undefined;
  }

  const parentOf = (element: Element): Element | null => {
    const root = element.getRootNode();
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };

  visitRoot(document, {
    within: undefined,
    isInControl: false,
    isPointer: false,
    isAriaHidden: false,
    isEditable: false,
    missing: undefined,
  });
  const shown = new Set([...inTree, ...elements.map(({ ref }) => ref)]);
  const changed = changedByClick().flatMap((element) => shownRefOf(element, shown) ?? []);
  return {
    elements,
    gone: [...gone],
    changedByClick: [...new Set(changed)],
    named,
    texts,
    notices: notices.read(),
    ...arrangement.read(),
  };
}
