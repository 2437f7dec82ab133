/** Functions that run in the page, on a field that shows a calendar; each is self-contained. */

/** The days of one month that the page shows, and how its calendar gets to another month. */
export interface CalendarParts {
  /** The elements of the days, then those that turn the pages. */
  elements: Element[];
  /** What the page says of each day: its number, and where it has one the whole date. */
  days: { number: number; said: string; isDisabled: boolean }[];
  /** The words around the days: month, year, days of the week. */
  heading: string;
  /** What each of the other elements is called. */
  turns: string[];
}

/**
 * Finds the calendar that has come since `before` was noted, else the only one of the page: the smallest element with the
 * numbers 1 to 28, and the part around it that has the controls of its own. Null where there is none.
 */
export function findCalendar(_: Element, before: readonly Element[]): CalendarParts | null {
  const known = new Set(before);
  const isShown = (each: Element): boolean =>
    each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && each.getClientRects().length > 0;
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const each of root.querySelectorAll('*')) if (each.shadowRoot) roots.push(each.shadowRoot);
  const isNumber = (text: string): boolean => /^(?:[1-9]|0[1-9]|[12]\d|3[01])$/.test(text);
  const texts = roots
    .flatMap((root) => [...root.querySelectorAll('td, th, button, a, span, div, abbr, time, li, p')])
    .filter((each) => isNumber((each.textContent ?? '').trim()) && isShown(each));
  /** The whole cell of a number. */
  const outermost = texts.filter((each) => !texts.includes(each.parentElement!));
  const has28 = (cells: readonly Element[]): boolean => {
    const numbers = new Set(cells.map((cell) => Number((cell.textContent ?? '').trim())));
    return Array.from({ length: 28 }, (__, at) => at + 1).every((number) => numbers.has(number));
  };
  const grids = new Map<Element, Element[]>();
  for (const cell of outermost) {
    for (let around = cell.parentElement; around !== null; around = around.parentElement) {
      const inside = outermost.filter((each) => around!.contains(each));
      if (inside.length > 90) break;
      if (!has28(inside)) continue;
      grids.set(around, inside);
      break;
    }
  }
  const innermost = [...grids].filter(
    ([grid]) => ![...grids.keys()].some((other) => other !== grid && grid.contains(other)),
  );
  const come = innermost.filter(([grid]) => !known.has(grid));
  const [found] = come.length > 0 ? come : innermost.length === 1 ? innermost : [];
  if (found === undefined) return null;
  const [grid, cells] = found;
  const labelOf = (each: Element): string =>
    [
      each.getAttribute('aria-label') ?? '',
      each.getAttribute('title') ?? '',
      each.getAttribute('data-handler') ?? '',
      (each.textContent ?? '').trim().slice(0, 20),
      each.getAttribute('class') ?? '',
    ].join(' | ');
  const turning =
    'button, a, [role=button], [data-handler], [class*=next], [class*=prev], [class*=Next], [class*=Prev]';
  const turnsIn = (part: Element): Element[] =>
    [...part.querySelectorAll(turning)].filter(
      (each) => isShown(each) && !cells.some((cell) => cell.contains(each) || each.contains(cell)),
    );
  let whole = grid;
  while (turnsIn(whole).length === 0 && whole.parentElement !== null && whole.parentElement !== document.body)
    whole = whole.parentElement;
  const words: string[] = [];
  const walker = document.createTreeWalker(whole, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof HTMLSelectElement) words.push(node.selectedOptions[0]?.text ?? '');
    else if (node instanceof HTMLInputElement) words.push(node.value);
    else if (node.nodeType === Node.TEXT_NODE && node.parentElement!.closest('select, option, script, style') === null)
      if (!grid.contains(node) && isShown(node.parentElement!)) words.push(node.textContent ?? '');
  }
  const turns = turnsIn(whole);
  return {
    elements: [...cells, ...turns],
    days: cells.map((cell) => {
      const parts = [cell, ...cell.querySelectorAll('*')];
      const said = parts.flatMap((part) =>
        ['aria-label', 'title', 'data-date', 'data-day', 'data-value', 'datetime'].flatMap(
          (name) => part.getAttribute(name) ?? [],
        ),
      );
      const [month, year] = ['data-month', 'data-year'].map((name) => cell.getAttribute(name));
      const number = Number((cell.textContent ?? '').trim());
      // jQuery UI counts months from 0.
      if (month && year)
        said.unshift(`${year}-${String(Number(month) + 1).padStart(2, '0')}-${String(number).padStart(2, '0')}`);
      const stamp = parts
        .map((part) => Number(part.getAttribute('data-timestamp') ?? 'NaN'))
        .find((each) => !Number.isNaN(each));
      if (stamp !== undefined) {
        const day = new Date(stamp);
        said.unshift(
          [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((each) => String(each).padStart(2, '0')).join('-'),
        );
      }
      const off = '[aria-disabled=true], :disabled, [class*=disabled]';
      return { number, said: said.join(' | '), isDisabled: parts.some((part) => part.matches(off)) };
    }),
    heading: words.join(' ').replace(/\s+/g, ' ').slice(0, 400),
    turns: turns.map(labelOf),
  };
}

/** The fields for hours, minutes and the half of the day that stand beside a calendar, and the button that ends it. */
export function findClock(_: Element, before: readonly Element[]): { parts: Element[]; kinds: string[] } {
  const known = new Set(before);
  const isShown = (each: Element): boolean => each.checkVisibility({ visibilityProperty: true });
  const found = [...document.querySelectorAll('input, select, button, [role=button]')].filter(
    (each) => !known.has(each) && isShown(each),
  );
  const kindOf = (each: Element): string => {
    const said = `${each.getAttribute('aria-label') ?? ''} ${each.getAttribute('title') ?? ''} ${each.getAttribute('class') ?? ''} ${each.getAttribute('name') ?? ''}`;
    if (each.matches('input, select')) return /hour/i.exec(said)?.[0] ?? /minute/i.exec(said)?.[0] ?? '';
    return /^(?:ok|okay|apply|done|set|confirm)$/i.test((each.textContent ?? '').trim()) ? 'end' : '';
  };
  const parts = found.filter((each) => kindOf(each) !== '');
  return { parts, kinds: parts.map((each) => kindOf(each).toLowerCase()) };
}
