/** A control of the region. */
export interface RegionField {
  /** What it is called on the page. */
  label: string;
  /** The name that its value is sent under. */
  name: string;
  value: string;
  isGuarded: boolean;
  isHidden: boolean;
}

/** What the document of an element says of its surroundings, not yet masked. */
export interface Region {
  submitsTo: string | undefined;
  fields: RegionField[];
  /** What the form would send if it were sent now; a file by its name and size. */
  entries: [name: string, value: string][];
  /** When its document was loaded. */
  loadedAt: number;
  title: string;
  url: string;
}

/**
 * `isKey`: a key pressed in a field sends its form. Without an element the whole page is the region. Runs in Playwright's isolated world of a frame, so it uses nothing from outside itself and no script of the page changes
 * what it finds. Leaves the region's element in `__surefootRegion`.
 */
export function readRegion(element: Element | null, isKey: boolean): Region {
  const GUARDED = /password|one-time-code|cc-/;
  const SECTIONS =
    'form, dialog, section, article, fieldset[role], [role=dialog], [role=alertdialog], [role=form], [role=region], [role=menu]';
  const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  const closest = (from: Element | null, selector: string): Element | null => {
    const found = from?.closest(selector) ?? null;
    const root = from?.getRootNode();
    return found ?? (root instanceof ShadowRoot ? closest(root.host, selector) : null);
  };
  const everyElement = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each.shadowRoot === null ? [] : everyElement(each.shadowRoot)),
    ]);
  const labelOf = (field: Element): string => {
    const labels = [...((field as HTMLInputElement).labels ?? [])].map((label) => {
      const copy = label.cloneNode(true) as Element;
      for (const inner of copy.querySelectorAll('script, style, select, textarea')) inner.remove();
      return plain(copy.textContent ?? '');
    });
    const written = [labels.join(' '), field.getAttribute('aria-label'), field.getAttribute('placeholder')];
    const named = [field.getAttribute('name'), field.id, field.tagName.toLowerCase()];
    return [...written, ...named].find((each) => (each ?? '') !== '') ?? '';
  };
  const textOf = (value: FormDataEntryValue): string =>
    typeof value === 'string' ? value : value.name === '' ? '' : `${value.name} (${value.size} bytes)`;

  const button = closest(element, 'button, input') as HTMLButtonElement | HTMLInputElement | null;
  const form = button?.form ?? (closest(element, 'form') as HTMLFormElement | null);
  const whole = document.querySelector('main, [role=main]') ?? document.body ?? document.documentElement;
  // A section inside a dialog or a form is part of what the person decides on.
  const around = form ?? closest(element, SECTIONS) ?? whole;
  (globalThis as { __surefootRegion?: Element }).__surefootRegion = around;
  const isSubmitter = form !== null && (isKey || /^(?:submit|image)$/.test(button?.type ?? ''));
  const sent = (): FormData => {
    try {
      return new FormData(form!, isSubmitter && button?.type === 'submit' ? button : undefined);
    } catch {
      return new FormData(form!);
    }
  };
  // As the form itself does it: with what its custom elements and its listeners of `formdata` add.
  const entries = form === null ? [] : [...sent()].map(([name, value]): [string, string] => [name, textOf(value)]);
  const inside = new Set(everyElement(around));
  const associated: Element[] = form === null ? [] : [...form.elements];
  const controls = new Set([
    ...associated,
    ...[...inside].filter((each) => /^(?:INPUT|SELECT|TEXTAREA|OUTPUT)$/.test(each.tagName)),
  ]);
  const fields = [...controls].flatMap((control): RegionField[] => {
    const field = control as HTMLInputElement;
    const type = typeof field.type === 'string' ? field.type : '';
    const name = control.getAttribute('name') ?? '';
    const isButton = /^(?:button|image|reset|submit)$/.test(type);
    if (type === 'fieldset' || control.tagName === 'OBJECT') return [];
    if (isButton && !(control === button && name !== '')) return [];
    if ((type === 'checkbox' || type === 'radio') && !field.checked) return [];
    const own = field.value as unknown;
    const value =
      type === 'checkbox' && field.value === 'on'
        ? 'yes'
        : type === 'file'
          ? [...(field.files ?? [])].map(textOf).join(', ')
          : control instanceof HTMLSelectElement
            ? [...control.selectedOptions].map((option) => plain(option.text)).join(', ')
            : typeof own === 'string'
              ? own
              : // A form-associated custom element may have no value to be read.
                entries.flatMap(([key, text]) => (key === name ? [text] : [])).join(', ');
    const isGuarded = type === 'password' || GUARDED.test(field.autocomplete ?? '');
    const isHidden = type === 'hidden';
    return [{ label: isHidden ? name || field.id || 'hidden' : labelOf(control), name, value, isGuarded, isHidden }];
  });
  const link = closest(element, 'a[href], area[href]') as HTMLAnchorElement | null;
  const method = (button?.getAttribute('formmethod') ?? form?.getAttribute('method') ?? 'get').toUpperCase();
  const action = button?.getAttribute('formaction') ?? form?.getAttribute('action') ?? '';
  return {
    submitsTo: isSubmitter ? `${method} ${new URL(action, document.baseURI).href}` : link?.href,
    fields,
    entries,
    loadedAt: performance.timeOrigin,
    title: document.title,
    url: location.href,
  };
}
