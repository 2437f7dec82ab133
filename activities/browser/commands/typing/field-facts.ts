/** What a field takes, and how. */
export interface FieldFacts {
  /**
   * `text`: a field of one or several lines. `suggesting`: one that answers to keys. `picker`: one whose value has a
   * notation. `boxes`: one of several for a character each. `editor`: content that is edited in place; `code`: of which
   * only a part is drawn. `list`: options. `none`: nothing can be typed.
   */
  kind:
    'text' | 'suggesting' | 'picker' | 'boxes' | 'editor' | 'code' | 'slider' | 'spinner' | 'frame' | 'list' | 'none';
  type: string;
  /** Most characters it takes; -1 where it says nothing. */
  maxLength: number;
  isReadOnly: boolean;
  isDisabled: boolean;
  isInMainFrame: boolean;
  /** How many elements were found; the facts are of one of them. */
  found: number;
}

/** Runs in the page: the element to type into, for one that stands for it: its label, its wrapper, a part of its editor. */
export function fieldOf(node: Element): Element {
  const typed =
    'input:not([type=hidden], [type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=image], [type=file]), textarea, select, [contenteditable=""], [contenteditable=true], [contenteditable=plaintext-only], [role=slider], [role=spinbutton]';
  const editor =
    node.closest('.monaco-editor, .CodeMirror, .cm-editor') ??
    node.querySelector('.monaco-editor, .CodeMirror, .cm-editor');
  const inner = editor?.querySelector('.cm-content, .native-edit-context, textarea') ?? null;
  if (inner !== null) return inner;
  if (node instanceof HTMLLabelElement && node.control !== null) return node.control;
  if (node.matches(typed) || node instanceof HTMLIFrameElement || node.getAttribute('role') === 'combobox') return node;
  if ((node as HTMLElement).isContentEditable) {
    let host = node as HTMLElement;
    while (host.parentElement?.isContentEditable === true) host = host.parentElement;
    return host;
  }
  const within = [...node.querySelectorAll(typed)].filter((each) => each.checkVisibility({ visibilityProperty: true }));
  const areBoxes = within.length > 1 && within.every((each) => (each as HTMLInputElement).maxLength === 1);
  if (within.length === 1 || areBoxes) return within[0]!;
  const frames = node.querySelectorAll('iframe');
  return within.length === 0 && frames.length === 1 ? frames[0]! : node;
}

/**
 * Runs in the page: the facts of an element, or of the `nth` of those that were found; that one is kept for
 * selectPlainField and readPlainField, because another may be found under its name once it has text.
 */
export function factsOf(found: Element | Element[], nth: number | void = 0): FieldFacts {
  const facts = (kind: FieldFacts['kind'], more: Partial<FieldFacts> = {}): FieldFacts => ({
    kind,
    type: '',
    maxLength: -1,
    isReadOnly: node?.getAttribute('aria-readonly') === 'true',
    isDisabled: node?.closest(':disabled, [aria-disabled=true], [inert]') != null,
    isInMainFrame: window.top === window,
    found: found instanceof Element ? 1 : found.length,
    ...more,
  });
  const node = found instanceof Element ? found : found[nth ?? 0];
  if (node === undefined) return facts('none');
  if (node !== found) {
    const { promise: typed, resolve: endWait } = Promise.withResolvers<void>();
    const kept: KeptField = { field: new WeakRef(node), isTypedInto: false, typed, endWait };
    (globalThis as KeepsField).__surefootField = kept;
    node.addEventListener('input', () => endWait(void (kept.isTypedInto = true)), { once: true, capture: true });
  }
  const role = node.getAttribute('role');
  if (node instanceof HTMLIFrameElement) return facts('frame');
  if (node instanceof HTMLSelectElement) return facts('list');
  if (node.closest('.monaco-editor, .CodeMirror, .cm-editor') !== null) return facts('code');
  if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) {
    const { type, maxLength, readOnly } = node;
    const more = { type, maxLength, isReadOnly: readOnly };
    if (['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range'].includes(type))
      return facts('picker', more);
    const answers =
      role === 'combobox' ||
      (node.getAttribute('aria-autocomplete') ?? 'none') !== 'none' ||
      node.hasAttribute('aria-haspopup') ||
      type === 'search' ||
      role === 'searchbox' ||
      node.getAttribute('autocomplete') === 'off' ||
      /autocomplete|typeahead|suggest/i.test(`${node.id} ${node.className}`);
    if (readOnly && (role === 'combobox' || node.hasAttribute('aria-haspopup'))) return facts('list', more);
    if (maxLength === 1) return facts('boxes', more);
    return facts(answers && node instanceof HTMLInputElement && type !== 'number' ? 'suggesting' : 'text', more);
  }
  const isHandle =
    node.matches('[tabindex]:not([role])') && /(?:slider|range)[-_]*(?:handle|thumb|knob)/i.test(node.className);
  if (role === 'slider' || isHandle) return facts('slider');
  if (role === 'spinbutton') return facts('spinner');
  if ((node as HTMLElement).isContentEditable) return facts('editor');
  if (role === 'combobox' || role === 'listbox' || role === 'radiogroup') return facts('list');
  return facts('none');
}

interface KeptField {
  field: WeakRef<Element>;
  isTypedInto: boolean;
  /** Resolves when it was typed into, or its wait was ended. */
  typed: Promise<void>;
  endWait: () => void;
}

type KeepsField = typeof globalThis & { __surefootField?: KeptField };

/**
 * Runs in the page: gives the input or textarea whose facts were read last the focus, with its text selected, as Playwright's
 * `fill` does; false where that would wait for it to be shown or enabled, and where the page moves the focus on.
 */
export function selectPlainField(): boolean {
  const field = (globalThis as KeepsField).__surefootField?.field.deref() as HTMLInputElement | undefined;
  if (field?.isConnected !== true || !field.checkVisibility({ visibilityProperty: true })) return false;
  const { width, height } = field.getBoundingClientRect();
  if (width === 0 || height === 0 || field.readOnly) return false;
  if (field.closest(':disabled, [aria-disabled=true], [aria-readonly=true], [inert]') !== null) return false;
  field.select();
  field.focus();
  return (field.getRootNode() as Document | ShadowRoot).activeElement === field;
}

/** Runs in the page, which let nothing be typed. */
export function endTyping(): void {
  (globalThis as KeepsField).__surefootField?.endWait();
}

/**
 * Runs in the page: the value of the input or textarea whose facts were read last, once it was typed into; undefined for one that the page took
 * away once it was typed into, `replaced` for one that it took away before. A script that corrects the text does so in its
 * event, or in a task or two after it; a frame would cost as much as the fill.
 */
export async function readPlainField(): Promise<{ value: string } | 'replaced' | undefined> {
  await (globalThis as KeepsField).__surefootField?.typed;
  await new Promise<void>((resolve) => {
    setTimeout(() => setTimeout(resolve));
  });
  const home = globalThis as KeepsField;
  const kept = home.__surefootField;
  delete home.__surefootField;
  // Another document is there.
  if (kept === undefined) return undefined;
  const field = kept.field.deref() as HTMLInputElement | undefined;
  if (field?.isConnected === true) return { value: field.value };
  return kept.isTypedInto ? undefined : 'replaced';
}

/** Runs in the page, a moment later: what stands in the field, as a person reads it. */
export async function readField(node: Element): Promise<string> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 100);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
  if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) {
    if (node.closest('.monaco-editor, .CodeMirror') === null) return node.value;
  }
  interface Model {
    getValue(): string;
  }
  interface Editors {
    monaco?: { editor: { getEditors(): (Model & { getDomNode(): Element | null })[] } };
  }
  const old = node.closest('.CodeMirror') as (Element & { CodeMirror?: Model }) | null;
  if (old?.CodeMirror !== undefined) return old.CodeMirror.getValue();
  const monaco = node.closest('.monaco-editor');
  const model = (globalThis as Editors).monaco?.editor.getEditors().find((each) => each.getDomNode() === monaco);
  if (monaco !== null && model !== undefined) return model.getValue();
  const drawn = monaco?.querySelector('.view-lines');
  if (drawn) {
    const lines = [...drawn.querySelectorAll<HTMLElement>('.view-line')];
    return lines
      .sort((one, other) => Number.parseFloat(one.style.top) - Number.parseFloat(other.style.top))
      .map((line) => line.textContent)
      .join('\n');
  }
  const slot = node.getAttribute('aria-valuetext') ?? node.getAttribute('aria-valuenow');
  if (slot !== null && !(node as HTMLElement).isContentEditable) return slot;
  // An empty editor may draw its placeholder as content that can't be edited.
  const copy = node.cloneNode(true) as HTMLElement;
  const hasPlaceholder = [...copy.querySelectorAll('[contenteditable=false], .cm-placeholder')];
  if (hasPlaceholder.length === 0) return (node as HTMLElement).innerText;
  for (const each of hasPlaceholder) each.remove();
  return copy.textContent ?? '';
}
