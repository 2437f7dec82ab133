/** What the page says of the surroundings of an element, not yet masked. */
export interface ReadView {
  submitsTo: string | undefined;
  fields: { name: string; value: string; isGuarded: boolean; isNonce: boolean }[];
  text: string;
  amounts: string[];
}

/** The place of a command: its element, a point, the element that has the focus, or all of the page. */
export interface ReadPlace {
  at: 'element' | 'point' | 'focus' | 'page';
  x?: number;
  y?: number;
  /** A key pressed in a field sends its form. */
  isKey?: boolean;
}

/** Runs in the page, so it uses nothing from outside itself. */
export function readView(given: Element, { at, x = 0, y = 0, isKey = false }: ReadPlace): ReadView {
  const GUARDED = /password|one-time-code|cc-/;
  const NONCE = /csrf|xsrf|token|nonce|authenticity|viewstate|eventvalidation|captcha/i;
  const CURRENCY = String.raw`[$€£¥₹₽₩₺₫]|(?:EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|TRY|BTC|ETH)\b`;
  const AMOUNT = new RegExp(`(?:${CURRENCY})\\s?\\d[\\d.,'\u00a0 ]*|\\d[\\d.,'\u00a0 ]*(?:${CURRENCY})`, 'g');
  const SECTIONS =
    'form, dialog, section, article, fieldset[role], [role=dialog], [role=alertdialog], [role=form], [role=region], [role=menu]';
  const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

  const deepest = (element: Element | null): Element | null => {
    const root = element?.shadowRoot;
    const inner = at === 'point' ? root?.elementFromPoint(x, y) : root?.activeElement;
    return inner === undefined || inner === null || inner === element ? element : deepest(inner);
  };
  const closest = (from: Element | null, selector: string): Element | null => {
    const found = from?.closest(selector) ?? null;
    const root = from?.getRootNode();
    return found ?? (root instanceof ShadowRoot ? closest(root.host, selector) : null);
  };
  const textOf = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
    if (node.nodeType === Node.ELEMENT_NODE) {
      const element = node as Element;
      // A timer counts by itself.
      if (/^(?:script|style|noscript|template|select|textarea)$/i.test(element.tagName)) return '';
      if (element.getAttribute('role') === 'timer' || !element.checkVisibility({ visibilityProperty: true })) return '';
    }
    const shadow = [...((node as Element).shadowRoot?.childNodes ?? [])];
    return [...shadow, ...node.childNodes].map(textOf).join(' ');
  };
  const labelOf = (field: Element): string => {
    const labels = [...((field as HTMLInputElement).labels ?? [])].map((label) => plain(textOf(label)));
    const written = [labels.join(' '), field.getAttribute('aria-label'), field.getAttribute('placeholder')];
    const named = [field.getAttribute('name'), field.id, field.tagName.toLowerCase()];
    return [...written, ...named].find((each) => (each ?? '') !== '') ?? '';
  };

  const element =
    at === 'element'
      ? given
      : at === 'point'
        ? deepest(document.elementFromPoint(x, y))
        : at === 'focus'
          ? deepest(document.activeElement)
          : null;
  const button = closest(element, 'button, input') as HTMLButtonElement | HTMLInputElement | null;
  const form = button?.form ?? (closest(element, 'form') as HTMLFormElement | null);
  const whole = document.querySelector('main, [role=main]') ?? document.body ?? document.documentElement;
  const around = form ?? closest(element, SECTIONS) ?? whole;
  // A section inside a dialog or a form is part of what the person decides on.
  const controls = form === null ? around.querySelectorAll('input, select, textarea') : form.elements;
  const fields = [...controls].flatMap((control): ReadView['fields'] => {
    const field = control as HTMLInputElement;
    const type = field.type ?? '';
    const isOther = /^(?:button|image|reset|fieldset|submit|output)$/.test(type) || control.tagName === 'OBJECT';
    if (field.disabled || (isOther && !(control === button && field.name !== ''))) return [];
    if ((type === 'checkbox' || type === 'radio') && !field.checked) return [];
    const value =
      type === 'checkbox' && field.value === 'on'
        ? 'yes'
        : type === 'file'
          ? [...(field.files ?? [])].map(({ name }) => name).join(', ')
          : control instanceof HTMLSelectElement
            ? [...control.selectedOptions].map((option) => plain(option.text)).join(', ')
            : field.value;
    const typed = (globalThis as { __surefootTyped?: WeakSet<Node> }).__surefootTyped;
    const isGuarded = type === 'password' || GUARDED.test(field.autocomplete ?? '') || typed?.has(control) === true;
    // It is drawn anew with each page, and nobody decides on it.
    const isNonce = type === 'hidden' && NONCE.test(`${field.name} ${field.id}`) && /^\S{16,}$/.test(field.value);
    const name = type === 'hidden' ? field.name || field.id || 'hidden' : labelOf(control);
    return [{ name, value, isGuarded, isNonce }];
  });
  const isSubmitter = form !== null && (isKey || /^(?:submit|image)$/.test(button?.type ?? ''));
  const link = closest(element, 'a[href], area[href]') as HTMLAnchorElement | null;
  const method = (button?.getAttribute('formmethod') ?? form?.getAttribute('method') ?? 'get').toUpperCase();
  const action = button?.getAttribute('formaction') ?? form?.getAttribute('action') ?? '';
  return {
    submitsTo: isSubmitter ? `${method} ${new URL(action, document.baseURI).href}` : link?.href,
    fields,
    text: plain(textOf(around)),
    amounts: [...new Set((plain(textOf(document.body ?? around)).match(AMOUNT) ?? []).map(plain))],
  };
}
