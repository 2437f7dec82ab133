import type { NodeReaders } from './node-readers';

/** A node that a model has chosen, as the page gets it. */
export interface ChosenPlace {
  node: Element;
  isAddress: boolean;
  attribute?: string | undefined;
}

/** What a node has; absent where it has no such attribute, or where a row has no such node. */
export interface ChosenText {
  value: string;
  selector: string;
  attribute?: string;
}

/** A row that looks like the one of the chosen nodes, with what it has for each of them. */
export interface ChosenRow {
  selector: string;
  kind: string;
  text: string;
  isExample: boolean;
  texts: (ChosenText | null)[];
}

export interface ChosenRows {
  url: string;
  rows: ChosenRow[];
}

/**
 * Reads the nodes that were chosen in one row, and the same nodes of the rows like it; without `isList` that row alone.
 * Runs in the page, so it uses nothing from outside itself but the readers.
 */
export function readChosenRows(
  { line, textOf, valueOf, selectorOf, kindOf }: NodeReaders,
  { places, isList }: { places: ChosenPlace[]; isList: boolean },
): ChosenRows {
  const MOST_ROWS = 2000;
  const TABLE = 'table, [role=table], [role=grid]';
  const ROW = 'tr, [role=row], li, [role=listitem], article, [role=article]';
  /** Parts of a row more often than rows. */
  const INNER =
    'td, th, [role=cell], [role=gridcell], span, a, b, strong, em, i, small, img, p, dd, dt, h1, h2, h3, h4, h5, h6, button, input';

  const attributeOf = (node: Element, name: string, within: Element): ChosenText | null => {
    const above = node.closest(`[${name}]`);
    const holder = above !== null && within.contains(above) ? above : node.querySelector(`[${name}]`);
    const plain = holder?.getAttribute(name);
    if (holder === null || plain === null || plain === undefined) return null;
    const isAddress = name === 'href' || name === 'src';
    const value = isAddress
      ? (URL.parse(plain, document.baseURI)?.href ?? plain)
      : name === 'value'
        ? valueOf(holder)
        : plain;
    return line(value) === '' ? null : { value: line(value), selector: selectorOf(holder), attribute: name };
  };
  const read = (node: Element, { attribute, isAddress }: ChosenPlace, within: Element): ChosenText | null => {
    if (attribute !== undefined) return attributeOf(node, attribute, within);
    if (isAddress) return attributeOf(node, 'href', within) ?? attributeOf(node, 'src', within);
    const value = textOf(node) || valueOf(node);
    return value === '' ? null : { value, selector: selectorOf(node) };
  };
  const toRow = (row: Element, texts: (ChosenText | null)[], isExample: boolean): ChosenRow => ({
    selector: selectorOf(row),
    kind: `${kindOf(row)} ${row.matches('tr, [role=row]') ? row.children.length : ''}`,
    text: textOf(row).slice(0, 120),
    isExample,
    texts,
  });

  const nodes = places.map(({ node }) => node);
  const [first] = nodes as [Element];
  let common = first;
  while (!nodes.every((node) => common.contains(node)) && common.parentElement !== null) common = common.parentElement;
  const readAll = (row: Element): (ChosenText | null)[] => places.map((place) => read(place.node, place, row));
  if (!isList) return { url: location.href, rows: [toRow(common, readAll(document.documentElement), true)] };

  const isHead = (row: Element): boolean =>
    row.children.length > 0 && [...row.children].every((cell) => cell.matches('th, [role=columnheader]'));
  const twinsOf = (row: Element): Element[] => {
    const table = row.matches('tr, [role=row]') ? row.closest(TABLE) : null;
    const all =
      table === null
        ? [...(row.parentElement?.children ?? [row])]
        : [...table.querySelectorAll('tr, [role=row]')].filter((each) => each.closest(TABLE) === table);
    return all.filter((each) => each.tagName === row.tagName && (each === row || !isHead(each)));
  };
  const above: Element[] = [];
  for (let at: Element | null = common; at !== null && at !== document.body; at = at.parentElement) above.push(at);
  const isRepeated = (element: Element): boolean =>
    twinsOf(element).some((each) => each !== element && (element.matches(ROW) || kindOf(each) === kindOf(element)));
  const example =
    above.find((element) => !element.matches(INNER) && isRepeated(element)) ?? above.find(isRepeated) ?? common;

  /** The way from a row to a node in it, as far as rows that look alike have it too. */
  const stepsTo = (node: Element): Element[] => {
    const steps: Element[] = [];
    for (let at: Element | null = node; at !== null && at !== example; at = at.parentElement) steps.unshift(at);
    return steps;
  };
  const stepInto = (from: Element, step: Element): Element | undefined => {
    const siblings = [...(step.parentElement?.children ?? [])];
    const children = [...from.children];
    const ofKind = siblings.filter((each) => kindOf(each) === kindOf(step));
    const alike = children.filter((each) => kindOf(each) === kindOf(step))[ofKind.indexOf(step)];
    if (alike !== undefined && step.className !== '') return alike;
    const [name] = step.classList;
    const named =
      name === undefined
        ? undefined
        : children.find((each) => each.tagName === step.tagName && each.classList.contains(name));
    if (named !== undefined) return named;
    // Without a class to go by, the place counts: where there are as many, it is the same one.
    const ofTag = siblings.filter(({ tagName }) => tagName === step.tagName);
    const here = children.filter(({ tagName }) => tagName === step.tagName);
    return step.className === '' || here.length === ofTag.length ? here[ofTag.indexOf(step)] : undefined;
  };
  const ways = nodes.map(stepsTo);
  const textsOf = (row: Element): (ChosenText | null)[] =>
    places.map((place, index) => {
      const node = ways[index]!.reduce<Element | undefined>((at, step) => at && stepInto(at, step), row);
      return node === undefined ? null : read(node, place, row);
    });
  const rows = twinsOf(example)
    .slice(0, MOST_ROWS)
    .map((row) => (row === example ? toRow(row, readAll(row), true) : toRow(row, textsOf(row), false)));
  return { url: location.href, rows };
}
