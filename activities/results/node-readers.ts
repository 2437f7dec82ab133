import { readGrid } from './table-grid';

/** What is read of one node; functions that run in the page get it as their first argument. */
export type NodeReaders = ReturnType<typeof nodeReaders> & { readGrid: typeof readGrid };

/** Gives a function that runs in the page the readers as its first argument. */
export function withReaders<A, R>(read: (readers: NodeReaders, argument: A) => R): (argument: A) => R {
  const source = `(argument) => (${read.toString()})({ ...(${nodeReaders.toString()})(), readGrid: ${readGrid.toString()} }, argument)`;
  // Playwright sends a function as its text.
  return Object.assign((): never => notHere(), { toString: () => source });
}

function notHere(): never {
  throw new Error('This function runs in pages alone.');
}

/** Runs in the page, so it uses nothing from outside itself. */
function nodeReaders() {
  const line = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();
  const textOf = (element: Element): string =>
    line(element instanceof HTMLElement ? element.innerText : element.textContent);
  const valueOf = (field: Element): string => {
    if (field instanceof HTMLSelectElement) return line(field.selectedOptions[0]?.label);
    if (field instanceof HTMLInputElement) {
      if (field.type === 'password') return '';
      return field.type === 'checkbox' || field.type === 'radio' ? String(field.checked) : field.value;
    }
    return field instanceof HTMLTextAreaElement ? field.value : textOf(field);
  };
  /** Up to the nearest ancestor with an id that only it has. */
  const paths = new Map<Element, string>();
  const selectorOf = (element: Element): string => {
    const known = paths.get(element);
    if (known !== undefined) return known;
    const { id, parentElement } = element;
    const isOnly = id !== '' && document.querySelectorAll(`#${CSS.escape(id)}`).length === 1;
    const own = (): string => {
      const twins = [...(parentElement?.children ?? [])].filter(({ tagName }) => tagName === element.tagName);
      const tag = element.tagName.toLowerCase();
      return twins.length < 2 ? tag : `${tag}:nth-of-type(${twins.indexOf(element) + 1})`;
    };
    const path = isOnly
      ? `#${CSS.escape(id)}`
      : parentElement === null
        ? element.tagName.toLowerCase()
        : `${selectorOf(parentElement)} > ${own()}`;
    paths.set(element, path);
    return path;
  };
  const kindOf = (element: Element): string => `${element.tagName} ${element.className}`;
  return { line, textOf, valueOf, selectorOf, kindOf };
}
