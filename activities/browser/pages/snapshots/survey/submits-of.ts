/**
 * Runs in the page. Where a click on a control sends a form, as method and address: two buttons of one name may do different
 * things. Without query and fragment, which differ between visits. Undefined for every other control.
 */
export function submitsOf(element: Element): string | undefined {
  const isSubmit =
    element instanceof HTMLButtonElement
      ? element.type === 'submit'
      : element instanceof HTMLInputElement && /^(?:submit|image)$/.test(element.type);
  const form = isSubmit ? (element as HTMLButtonElement | HTMLInputElement).form : null;
  if (form === null) return undefined;
  // A field may be called "action": attributes are what was written.
  const of = (own: string, name: string) => element.getAttribute(own) ?? form.getAttribute(name) ?? '';
  const address = of('formaction', 'action').trim() || document.URL;
  if (!URL.canParse(address, document.baseURI)) return undefined;
  const { protocol, origin, pathname } = new URL(address, document.baseURI);
  const method = (of('formmethod', 'method') || 'get').toUpperCase();
  return `${method} ${origin === 'null' ? protocol : origin + pathname}`;
}
