import type { NodeReaders } from './node-readers';

/** A text of the page with the names that it goes by, and the node that has it. */
export interface PagePart {
  names: string[];
  value: string;
  selector: string;
  /** Present where the value is an attribute. */
  attribute?: string;
  /** The ref by which a model chose the node. */
  ref?: string;
}

/** A row of a table, an item of a list, a card. `kind` is equal for rows that look alike. */
export interface PageRow {
  parts: PagePart[];
  selector: string;
  kind: string;
  text: string;
}

export interface PageGroup {
  kind: 'table' | 'list';
  /** It stands in the navigation, the head or the foot of the page. */
  isAside: boolean;
  rows: PageRow[];
}

/** The structured data of a document, each text in one line. */
export interface PageData {
  url: string;
  title: string;
  /** HTTP status of the document; absent where the browser does not say. */
  status?: number;
  groups: PageGroup[];
  /** Single facts. */
  pairs: PagePart[];
  /** The control that leads to the next page of a list. */
  next?: { text: string; href?: string };
  /** The last number of “21–40 of 120”. */
  announced?: number;
  saysNone?: true;
}

/** Runs in the page, so it uses nothing from outside itself but the readers. */
export function readPageData({ line, textOf, valueOf, selectorOf, kindOf, readGrid }: NodeReaders): PageData {
  const MOST_ROWS = 2000;
  const MOST_GROUPS = 200;
  const MOST_PAIRS = 5000;
  const ASIDE = 'nav, header, footer, aside, [role=navigation], [role=banner], [role=contentinfo]';
  const linkOf = (element: Element, names: string[]): PagePart[] =>
    element instanceof HTMLAnchorElement && element.href !== ''
      ? [
          {
            names: ['link', 'url', 'href', ...names],
            value: element.href,
            selector: selectorOf(element),
            attribute: 'href',
          },
        ]
      : [];
  const pictureOf = (element: Element): PagePart[] =>
    element instanceof HTMLImageElement && element.src !== ''
      ? [
          {
            names: ['image', 'picture', 'photo', 'src'],
            value: element.src,
            selector: selectorOf(element),
            attribute: 'src',
          },
        ]
      : [];
  /** Attributes by which pages name their records, such as data-id. */
  const dataOf = (element: Element): PagePart[] =>
    element
      .getAttributeNames()
      .filter((name) => /^data-[a-z-]*(?:id|sku|key|code|slug)$/.test(name))
      .map((name) => ({
        names: [name.slice('data-'.length), 'id'],
        value: element.getAttribute(name)!,
        selector: selectorOf(element),
        attribute: name,
      }));

  const isAside = (element: Element): boolean => element.closest(ASIDE) !== null;

  const tables = [...document.querySelectorAll('table, [role=table], [role=grid]')].map((table): PageGroup => {
    const cells = [...readGrid(table)].map(([element, place]) => ({ element, ...place }));
    const isHeading = ({ element }: { element: Element }): boolean =>
      element.tagName === 'TH' || element.getAttribute('role') === 'columnheader';
    const rowOf = new Map(cells.map(({ row, element }) => [row, element.parentElement!]));
    const headRows = new Set(rowOf.keys());
    for (const cell of cells) if (!isHeading(cell)) headRows.delete(cell.row);
    const isHead = (row: number): boolean => headRows.has(row);
    const numbers = [...rowOf.keys()];
    const first = numbers.findIndex(isHead);
    const body = numbers.filter((row) => !isHead(row));
    // A heading may have several storeys; a later row of headings begins a part of the table.
    const heads =
      first === -1 ? [] : numbers.slice(first).filter((row, at) => row === numbers[first]! + at && isHead(row));
    /** The cells of each row of the body, with those that take it up from above. */
    const byRow = new Map<number, typeof cells>();
    for (const cell of cells)
      if (!heads.includes(cell.row))
        for (let at = cell.row; at < cell.row + cell.rows; at += 1) byRow.set(at, [...(byRow.get(at) ?? []), cell]);
    /** By column the headings above it from top to bottom. */
    const headings: string[][] = [];
    for (const { element, row, column, columns } of cells)
      if (heads.includes(row))
        for (let at = column; at < column + columns; at += 1) (headings[at] ??= []).push(textOf(element));
    const namesOf = (column: number): string[] => {
      const storeys = (headings[column] ?? []).filter((name) => name !== '');
      return [...new Set([storeys.at(-1) ?? '', storeys.join(' ')])].filter((name) => name !== '');
    };
    return {
      kind: 'table',
      isAside: isAside(table),
      rows: body.slice(0, MOST_ROWS).map((at) => {
        const row = rowOf.get(at)!;
        const own = byRow.get(at) ?? [];
        return {
          selector: selectorOf(row),
          kind: `${kindOf(row)} ${own.reduce((sum, { columns }) => sum + columns, 0)} ${own.some(({ columns }) => columns > 1)}`,
          text: textOf(row).slice(0, 120),
          parts: [
            ...own.flatMap(({ element: cell, column, columns }): PagePart[] => {
              // What stands across the whole table belongs to no column.
              const names = headings.length > 1 && columns >= headings.length ? [] : namesOf(column);
              const value = textOf(cell) || valueOf(cell.querySelector('input, select, textarea') ?? cell);
              const links = [...cell.querySelectorAll('a[href]')].flatMap((link) =>
                linkOf(link, [`${names[0] ?? ''} link`]),
              );
              const pictures = [...cell.querySelectorAll('img')].flatMap(pictureOf);
              return [
                ...(names.length === 0 ? [] : [{ names, value, selector: selectorOf(cell) }]),
                ...links,
                ...pictures,
              ];
            }),
            ...dataOf(row),
          ],
        };
      }),
    };
  });

  const pairs: PagePart[] = [];
  const pair = (label: string, value: string, element: Element, attribute?: string): void => {
    if (label === '' || value === '') return;
    const names = [label.replace(/\s*:$/, '')];
    pairs.push({ names, value, selector: selectorOf(element), ...(attribute === undefined ? {} : { attribute }) });
  };
  for (const term of document.querySelectorAll('dt')) {
    const detail = term.nextElementSibling;
    if (detail?.tagName === 'DD') pair(textOf(term), textOf(detail), detail);
  }
  for (const head of document.querySelectorAll('tr > th:first-child')) {
    const cell = head.nextElementSibling;
    if (cell?.tagName === 'TD' && cell.nextElementSibling === null) pair(textOf(head), textOf(cell), cell);
  }
  for (const named of document.querySelectorAll('[itemprop]'))
    pair(line(named.getAttribute('itemprop')), line(named.getAttribute('content')) || textOf(named), named);
  for (const field of document.querySelectorAll('input, select, textarea')) {
    const label = (field as HTMLInputElement).labels?.[0];
    pair(
      label === undefined || label === null
        ? line(field.getAttribute('aria-label') ?? field.getAttribute('name'))
        : textOf(label),
      valueOf(field),
      field,
    );
  }
  for (const leaf of document.querySelectorAll('p, li, span, div, td, label, output')) {
    const text = leaf.querySelector('p, li, div, table') === null ? textOf(leaf) : '';
    const [, label, value] = /^([^:]{2,40}):\s+(.{1,300})$/.exec(text) ?? [];
    if (label !== undefined && value !== undefined) pair(line(label), line(value), leaf);
  }
  for (const element of document.querySelectorAll('[id], [class], [data-testid]')) {
    if (element.children.length > 0) continue;
    const names = [element.id, element.getAttribute('data-testid') ?? '', ...element.classList].filter(
      (name) => name !== '',
    );
    for (const name of names) pair(name, textOf(element), element);
  }
  for (const link of document.querySelectorAll('a[href]'))
    if (link instanceof HTMLAnchorElement) pair(textOf(link), link.href, link, 'href');

  const partsOf = (item: Element): PagePart[] =>
    [item, ...item.querySelectorAll('*')].flatMap((element) => {
      const names = [
        element.getAttribute('itemprop') ?? '',
        element.getAttribute('data-field') ?? '',
        element.getAttribute('aria-label') ?? '',
        ...element.classList,
        ...(/^H[1-6]$/.test(element.tagName) ? ['title', 'name', 'heading'] : []),
        ...(element.tagName === 'STRONG' || element.tagName === 'B' ? ['title', 'name'] : []),
      ].filter((name) => name !== '');
      const selector = selectorOf(element);
      const text = textOf(element);
      const parts: PagePart[] =
        element.children.length === 0 && names.length > 0 ? [{ names, value: text, selector }] : [];
      if (element instanceof HTMLAnchorElement)
        parts.push(...linkOf(element, []), { names: ['title', 'name', ...names], value: text, selector });
      parts.push(...pictureOf(element), ...dataOf(element));
      const own = line(
        [...element.childNodes]
          .filter((node) => node.nodeType === 3)
          .map((node) => node.nodeValue)
          .join(' '),
      );
      const price = /(?:[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥]|EUR|USD|GBP))/.exec(own)?.[0];
      if (price !== undefined) parts.push({ names: ['price', 'cost', 'amount'], value: price, selector });
      // “Stock: 3” is a part with a name of its own.
      const [, label, value] = /^([^:]{2,40}):\s*(.{1,300})$/.exec(element.children.length === 0 ? own : '') ?? [];
      if (label !== undefined && value !== undefined)
        parts.push({ names: [line(label)], value: line(value), selector });
      return parts.filter((part) => part.value !== '');
    });
  /** The children of which there are most with one tag: the items of a list among its headings and separators. */
  const itemsOf = (container: Element): Element[] => {
    const isList = container.matches('ul, ol, [role=list]');
    const children = [...container.children];
    const counts = new Map<string, number>();
    for (const { tagName } of children) counts.set(tagName, (counts.get(tagName) ?? 0) + 1);
    const [tag, count] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? ['', 0];
    return count >= (isList ? 1 : 2) ? children.filter(({ tagName }) => tagName === tag) : [];
  };
  const lists = [...document.querySelectorAll('ul, ol, [role=list], main, section, article, div')]
    .map((container) => ({ container, items: itemsOf(container) }))
    .filter(({ items }) => items.length > 0)
    .slice(0, MOST_GROUPS)
    .map(({ container, items }): PageGroup => ({
      kind: 'list',
      isAside: isAside(container),
      rows: items.slice(0, MOST_ROWS).map((item) => ({
        parts: partsOf(item),
        selector: selectorOf(item),
        kind: kindOf(item),
        text: textOf(item).slice(0, 120),
      })),
    }));

  const isShown = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
  const isUsable = (element: Element): boolean =>
    isShown(element) &&
    element.getAttribute('aria-disabled') !== 'true' &&
    !element.matches(':disabled, .disabled, .disabled *');
  const nameOf = (element: Element): string => line(element.getAttribute('aria-label')) || textOf(element);
  const NEXT =
    // cspell:disable-next-line
    /^(?:(?:go to )?(?:the )?next(?: page)?|older(?: posts| entries)?|(?:load|show) more|more|nächste(?: seite)?|weiter|suivant(?:e|es)?|page suivante|siguiente|próxima|successiva|avanti|volgende)?\s*[›»→>]*$/i;
  const controls = [...document.querySelectorAll('a[href], button, [role=button], [role=link]')].filter(isUsable);
  const next =
    controls.find((control) => /(?:^|\s)next(?:\s|$)/.test(control.getAttribute('rel') ?? '')) ??
    controls.find((control) => nameOf(control) !== '' && NEXT.test(nameOf(control)));
  const href = next instanceof HTMLAnchorElement ? next.href : undefined;
  const here = location.href.split('#')[0];
  const leads = href !== undefined && /^https?:/.test(href) && href.split('#')[0] !== here;

  const [navigation] = performance.getEntriesByType('navigation') as (PerformanceEntry & { responseStatus?: number })[];
  const status = navigation?.responseStatus ?? 0;
  const text = textOf(document.body ?? document.documentElement);
  const total = /\d+\s*(?:–|—|-|to|bis|à)\s*\d+\s+(?:of|von|sur|de)\s+(?:about\s+)?(\d[\d,. ]*)/i.exec(text)?.[1];
  const saysNone =
    // cspell:disable-next-line
    /\b(?:no|0|zero|keine?|aucune?|ning[uú]n[ao]?|nessun[ao]?)\s+(?:\p{L}+\s+){0,3}?(?:results?|matches|match|items?|products?|entries|records|rows|orders|data|hits|ergebnisse|treffer|produkte|einträge|résultats?|produits?|resultados?|productos?|risultat[io]|prodott[io])(?!\p{L})|\bnothing (?:was |is )?(?:found|here|to show)\b|\b(?:list|table|cart|inbox) is empty\b/iu.test(
      text,
    );
  return {
    url: location.href,
    title: document.title,
    ...(status > 0 ? { status } : {}),
    groups: [...tables, ...lists],
    pairs: pairs.slice(0, MOST_PAIRS),
    ...(next === undefined ? {} : { next: { text: nameOf(next), ...(leads ? { href } : {}) } }),
    ...(saysNone ? { saysNone: true as const } : {}),
    ...(total === undefined ? {} : { announced: Number(total.replace(/\D/g, '')) }),
  };
}
