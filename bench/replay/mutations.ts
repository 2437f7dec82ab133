/** Each changes a page around the element that a recipe was learnt with, in the page. */
export const MUTATIONS = {
  renamed: (element: HTMLElement) => {
    const label = (element as HTMLInputElement).labels?.[0];
    (label ?? element).append(' now');
    if (element.ariaLabel !== null) element.ariaLabel += ' now';
  },
  moved: (element: HTMLElement) => (document.querySelector('main') ?? document.body).append(element),
  duplicated: (element: HTMLElement) => element.after(element.cloneNode(true)),
  vanished: (element: HTMLElement) => element.remove(),
  reordered: (element: HTMLElement) => {
    const parent = element.closest('ul, ol, tbody, form, main') ?? document.body;
    parent.append(...[...parent.children].reverse());
  },
  restyled: (element: HTMLElement) => {
    element.className = 'brand-new';
    element.style.cssText = 'color: red; font-size: 2em; order: -1';
  },
  'new dialog': (element: HTMLElement) => {
    const dialog = document.createElement('dialog');
    dialog.append(element.cloneNode(true), 'Subscribe to our letter');
    document.body.prepend(dialog);
    dialog.show();
  },
  'new address': () => history.replaceState(null, '', `/new${location.pathname}`),
} satisfies Record<string, (element: HTMLElement) => void>;
export type Mutation = keyof typeof MUTATIONS;

export const MUTATION_KINDS = Object.keys(MUTATIONS) as Mutation[];
