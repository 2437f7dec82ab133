/** The structured data of a document, each text in one line. */
export interface PageData {
  title: string;
  tables: { caption: string; headers: string[]; rows: string[][] }[];
  pairs: { label: string; value: string }[];
  /** Repeated items, each as named parts. */
  lists: { parts: { names: string[]; value: string }[] }[][];
}

/** Runs in the page, so it uses nothing from outside itself. */
export function readPageData(): PageData {
  const MOST_ROWS = 2000;
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

  const tables = [...document.querySelectorAll('table, [role=table], [role=grid]')].map((table) => {
    const rows = [...table.querySelectorAll('tr, [role=row]')].filter(
      (row) => row.closest('table, [role=table], [role=grid]') === table,
    );
    const cellsOf = (row: Element): Element[] => [
      ...row.querySelectorAll(
        ':scope > th, :scope > td, :scope > [role=cell], :scope > [role=gridcell], :scope > [role=columnheader], :scope > [role=rowheader]',
      ),
    ];
    const isHead = (row: Element): boolean =>
      cellsOf(row).length > 0 &&
      cellsOf(row).every((cell) => cell.tagName === 'TH' || cell.getAttribute('role') === 'columnheader');
    const head = rows.find(isHead);
    const body = rows.filter((row) => row !== head && cellsOf(row).length > 0 && !isHead(row));
    return {
      caption: line(table.querySelector('caption')?.textContent ?? table.getAttribute('aria-label')),
      headers: head === undefined ? [] : cellsOf(head).map(textOf),
      rows: body
        .slice(0, MOST_ROWS)
        .map((row) =>
          cellsOf(row).map((cell) => textOf(cell) || valueOf(cell.querySelector('input, select, textarea') ?? cell)),
        ),
    };
  });

  const pairs: PageData['pairs'] = [];
  const pair = (label: string, value: string): void => {
    if (label !== '' && value !== '') pairs.push({ label: label.replace(/\s*:$/, ''), value });
  };
  for (const term of document.querySelectorAll('dt')) {
    const detail = term.nextElementSibling;
    if (detail?.tagName === 'DD') pair(textOf(term), textOf(detail));
  }
  for (const head of document.querySelectorAll('tr > th:first-child')) {
    const cell = head.nextElementSibling;
    if (cell?.tagName === 'TD' && cell.nextElementSibling === null) pair(textOf(head), textOf(cell));
  }
  for (const named of document.querySelectorAll('[itemprop]'))
    pair(line(named.getAttribute('itemprop')), line(named.getAttribute('content')) || textOf(named));
  for (const field of document.querySelectorAll('input, select, textarea')) {
    const label = (field as HTMLInputElement).labels?.[0];
    pair(
      label === undefined || label === null
        ? line(field.getAttribute('aria-label') ?? field.getAttribute('name'))
        : textOf(label),
      valueOf(field),
    );
  }
  for (const leaf of document.querySelectorAll('p, li, span, div, td, label, output')) {
    const text = leaf.querySelector('p, li, div, table') === null ? textOf(leaf) : '';
    const [, label, value] = /^([^:]{2,40}):\s+(.{1,300})$/.exec(text) ?? [];
    if (label !== undefined && value !== undefined) pair(line(label), line(value));
  }
  for (const element of document.querySelectorAll('[id], [class], [data-testid]')) {
    if (element.children.length > 0) continue;
    const names = [element.id, element.getAttribute('data-testid') ?? '', ...element.classList].filter(
      (name) => name !== '',
    );
    for (const name of names) pair(name, textOf(element));
  }

  const partsOf = (item: Element): { names: string[]; value: string }[] =>
    [item, ...item.querySelectorAll('*')].flatMap((element) => {
      const names = [
        element.getAttribute('itemprop') ?? '',
        element.getAttribute('data-field') ?? '',
        element.getAttribute('aria-label') ?? '',
        ...element.classList,
        ...(/^H[1-6]$/.test(element.tagName) ? ['title', 'name', 'heading'] : []),
        ...(element.tagName === 'STRONG' || element.tagName === 'B' ? ['title', 'name'] : []),
      ].filter((name) => name !== '');
      const parts = element.children.length === 0 && names.length > 0 ? [{ names, value: textOf(element) }] : [];
      if (element instanceof HTMLAnchorElement)
        parts.push(
          { names: ['link', 'url', 'href'], value: element.href },
          { names: ['title', 'name', ...names], value: textOf(element) },
        );
      if (element instanceof HTMLImageElement) parts.push({ names: ['image', 'picture', 'src'], value: element.src });
      const own = line(
        [...element.childNodes]
          .filter((node) => node.nodeType === 3)
          .map((node) => node.nodeValue)
          .join(' '),
      );
      const price = /(?:[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥]|EUR|USD|GBP))/.exec(own)?.[0];
      if (price !== undefined) parts.push({ names: ['price', 'cost', 'amount'], value: price });
      return parts.filter(({ value }) => value !== '');
    });
  const containers = [...document.querySelectorAll('ul, ol, [role=list], main, section, div')].filter((container) => {
    const first = container.children[0];
    return (
      first !== undefined &&
      container.children.length >= 2 &&
      [...container.children].every((child) => child.tagName === first.tagName && child.className === first.className)
    );
  });
  const lists = containers
    .slice(0, 50)
    .map((container) => [...container.children].slice(0, MOST_ROWS).map((item) => ({ parts: partsOf(item) })));
  return { title: document.title, tables, pairs: pairs.slice(0, 5000), lists };
}
