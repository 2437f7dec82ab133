import type { ControlActs, FormActs, ScriptKind } from '../../../../../contracts/browsers/control-acts';

/**
 * Runs in an isolated world, and is self-contained. The function that it returns says what using a control does, by its form
 * and its handlers. Values are read of hidden fields and buttons alone, and only single words. A form is read once, although
 * each of its fields may send it.
 */
export function createActsOf(
  kindsOf: (element: Element) => number,
  handled: Record<string, number>,
): (control: Element) => ControlActs {
  const MOST_FIELDS = 30;
  const LONGEST_ADDRESS = 500;
  /** A listener on more than this waits for events of many things. */
  const MOST_WITHIN = 10;
  const LEVELS = 4;
  const textOf = (element: Element): string =>
    (
      element.getAttribute('aria-label') ??
      (element instanceof HTMLInputElement ? element.value : (element as HTMLElement).innerText) ??
      ''
    )
      .trim()
      .replaceAll(/\s+/g, ' ')
      .slice(0, 80);
  // A field may be called like a member of its form.
  const memberOf = <T>(form: HTMLFormElement, name: string): T =>
    Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, name)!.get!.call(form) as T;
  const isSubmit = (element: Element): element is HTMLButtonElement | HTMLInputElement =>
    element instanceof HTMLButtonElement
      ? element.type === 'submit'
      : element instanceof HTMLInputElement && /^(?:submit|image)$/.test(element.type);

  function withScripts(kinds: number): { scripts?: ScriptKind[] } {
    const names = {
      sends: 'sends',
      deletes: 'deletes',
      pays: 'pays',
      deleteKey: 'delete key',
      enterKey: 'enter key',
    } as const;
    const scripts = Object.entries(names).flatMap(([bit, name]) => ((kinds & handled[bit]!) === 0 ? [] : [name]));
    return scripts.length === 0 ? {} : { scripts };
  }

  const once = <Key extends Element, Value>(read: (key: Key) => Value): ((key: Key) => Value) => {
    const known = new Map<Key, Value>();
    return (key) => {
      if (!known.has(key)) known.set(key, read(key));
      return known.get(key)!;
    };
  };

  function formActs(owner: HTMLFormElement, button: HTMLButtonElement | HTMLInputElement | undefined): FormActs {
    const written = (own: string, name: string): string => button?.getAttribute(own) ?? owner.getAttribute(name) ?? '';
    const address = written('formaction', 'action').trim() || document.URL;
    const fields = [...memberOf<HTMLFormControlsCollection>(owner, 'elements')].flatMap((each) => {
      const { type = '', name = '', value = '', autocomplete = '' } = each as Partial<HTMLInputElement>;
      if (/^(?:submit|image|button|reset)$/.test(type) && each !== button) return [];
      const called = name || each.id || autocomplete;
      if (called === '') return [];
      const isWord = /^(?:hidden|submit|image|button)$/.test(type) && /^[\p{L}_-]{2,20}$/u.test(value);
      return [
        `${called}${autocomplete.startsWith('cc-') ? ` ${autocomplete}` : ''}${isWord ? `=${value}` : ''}`.slice(0, 60),
      ];
    });
    return {
      method: (written('formmethod', 'method') || 'get').toUpperCase(),
      address: (URL.parse(address, document.baseURI)?.href ?? address).slice(0, LONGEST_ADDRESS),
      ...(button === undefined ? {} : { button: textOf(button) }),
      fields: fields.slice(0, MOST_FIELDS),
      ...((kindsOf(owner) & handled['submit']!) === 0 ? {} : { isScripted: true as const }),
      ...withScripts(kindsOf(owner)),
    };
  }

  const sentByButton = once((button: HTMLButtonElement | HTMLInputElement) => formActs(button.form!, button));

  /** What the browser presses for Enter in a field; without any button a form with one field is sent as it is. */
  const sentByEnter = once((owner: HTMLFormElement): FormActs | undefined => {
    const all = [...memberOf<HTMLFormControlsCollection>(owner, 'elements')];
    // Buttons of pictures are not among the elements.
    const images = [...owner.querySelectorAll<HTMLInputElement>('input[type=image]')].filter(
      ({ form }) => form === owner,
    );
    const button = [...all.filter(isSubmit), ...images][0] as HTMLButtonElement | HTMLInputElement | undefined;
    if (button?.disabled === true) return undefined;
    const blocking = all.filter((each) =>
      /^(?:text|search|tel|url|email|password|date|month|week|time|datetime-local|number)$/.test(
        each instanceof HTMLInputElement ? each.type : '',
      ),
    );
    if (button !== undefined) return sentByButton(button);
    return blocking.length <= 1 ? formActs(owner, undefined) : undefined;
  });

  const isNarrow = once((element: Element) => element.getElementsByTagName('*').length <= MOST_WITHIN);

  return (given) => {
    /** A label presses its control. */
    const element = given instanceof HTMLLabelElement ? (given.control ?? given) : given;
    const form =
      (element as HTMLInputElement).form instanceof HTMLFormElement ? (element as HTMLInputElement).form : null;
    const isField = element instanceof HTMLInputElement && !/^(?:submit|image|button|reset)$/.test(element.type);
    const sent =
      form === null
        ? undefined
        : isSubmit(element)
          ? sentByButton(element)
          : isField || element instanceof HTMLSelectElement
            ? sentByEnter(form)
            : undefined;

    let kinds = kindsOf(given) | kindsOf(element);
    let around = given.parentElement;
    for (let level = 0; level < LEVELS && around !== null && around !== document.body; level += 1) {
      if (!isNarrow(around)) break;
      kinds |= kindsOf(around);
      around = around.parentElement;
    }
    // A change is noticed by the form as well.
    if (form !== null) kinds |= kindsOf(form) & handled['change']!;
    const has = (kind: string): boolean => (kinds & handled[kind]!) !== 0;
    const handles = [
      ...(has('click') || has('press') || has('double') ? (['click'] as const) : []),
      ...(['change', 'key', 'drop'] as const).filter(has),
    ];
    const native =
      element instanceof HTMLInputElement
        ? element.type
        : /^(?:BUTTON|SELECT|TEXTAREA)$/.test(element.tagName)
          ? element.localName
          : (element as HTMLElement).isContentEditable
            ? 'editable'
            : undefined;
    const shortcuts = [element.getAttribute('accesskey'), element.getAttribute('aria-keyshortcuts')].flatMap(
      (written) => (written ?? '').split(/\s+/).filter((each) => each !== ''),
    );
    const said = (name: string): string => element.getAttribute(name) ?? '';
    const linked = /^#[\w-]+$/.test(said('href')) ? document.getElementById(said('href').slice(1)) : null;
    const opensDialog =
      has('opens') ||
      /^(?:dialog|menu|true|listbox)$/.test(said('aria-haspopup')) ||
      (element.hasAttribute('popovertarget') && said('popovertargetaction') !== 'hide') ||
      /^(?:show-modal|show-popover|toggle-popover)$/.test(said('command')) ||
      /^(?:modal|offcanvas|dropdown|popover)$/.test(said('data-bs-toggle') || said('data-toggle')) ||
      linked?.matches('dialog, [role=dialog], [role=alertdialog], [popover], .modal') === true;
    return {
      ...(native === undefined ? {} : { native }),
      ...(opensDialog ? { opensDialog } : {}),
      ...(sent === undefined ? {} : { form: sent }),
      ...(handles.length === 0 ? {} : { handles }),
      ...withScripts(kinds),
      ...(shortcuts.length === 0 ? {} : { shortcuts }),
    };
  };
}
